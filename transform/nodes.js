// The syntax tree of the asc that is installed: kinds of nodes, and a walk that needs no list of
// node types.
import { createRequire } from "node:module";
import { ArrowKind, CommonFlags, DiagnosticCode, NodeKind } from "assemblyscript";
import { Refusal } from "./refusal.js";

const load = createRequire(import.meta.url);

/** The kinds that the checks tell apart. */
const kindNames = /** @type {const} */ ([
  "Assertion",
  "Binary",
  "Block",
  "Break",
  "Call",
  "ClassDeclaration",
  "Continue",
  "Decorator",
  "EnumDeclaration",
  "Export",
  "ExportImport",
  "False",
  "FieldDeclaration",
  "For",
  "ForOf",
  "FunctionDeclaration",
  "FunctionType",
  "Identifier",
  "Import",
  "IndexSignature",
  "InterfaceDeclaration",
  "Literal",
  "MethodDeclaration",
  "NamedType",
  "NamespaceDeclaration",
  "Null",
  "Parenthesized",
  "PropertyAccess",
  "Switch",
  "Ternary",
  "This",
  "True",
  "Try",
  "TupleType",
  "TypeDeclaration",
  "TypeName",
  "TypeParameter",
  "UnaryPrefix",
  "Variable",
  "VariableDeclaration",
]);

/**
 * The numbers of some names. To ask for another name is a mistake of the transform's own, and
 * would match nothing.
 *
 * @template {string} K
 * @param {Record<string, unknown>} table
 * @param {readonly K[]} names
 * @returns {Record<K, number>}
 */
function pick(table, names) {
  const picked = /** @type {Record<K, number>} */ (
    Object.fromEntries(names.map((name) => [name, table[name]]))
  );
  return new Proxy(picked, {
    get(target, name) {
      if (!(name in target)) throw new Error(`${String(name)} is not listed in transform/nodes.js`);
      return target[/** @type {K} */ (name)];
    },
  });
}

export const Kind = pick(NodeKind, kindNames);
export const Flag = pick(CommonFlags, ["Const", "Static"]);
export const Arrow = pick(ArrowKind, ["None"]);
export const Code = pick(DiagnosticCode, ["User_defined_0"]);

/**
 * Names and numbers of these tables change between asc releases. A name that is gone would be
 * `undefined`, match nothing, and switch a check off without a word.
 */
function demandNames() {
  for (const [table, values] of Object.entries({
    NodeKind: Kind,
    CommonFlags: Flag,
    ArrowKind: Arrow,
  })) {
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === "number") continue;
      const range = load("../package.json").peerDependencies.assemblyscript;
      throw new Refusal(
        `this release of assemblyscript has no ${table}.${name}: proxy-wasm-as works with ${range}`,
      );
    }
  }
}

/**
 * Refuses to read a tree with the kinds of another release: asc may run from a second
 * installation, or be a release that names them otherwise.
 *
 * @param {any} program
 */
export function demandKnownCompiler(program) {
  const ours = load("assemblyscript/package.json").version;
  const { bundleMajorVersion, bundleMinorVersion, bundlePatchVersion } = program.options;
  const running = `${bundleMajorVersion}.${bundleMinorVersion}.${bundlePatchVersion}`;
  if (running !== ours) {
    throw new Refusal(
      `asc ${running} is running, but proxy-wasm-as finds assemblyscript ${ours} beside it: install one release for both`,
    );
  }
  demandNames();
}

/** @param {unknown} value */
function isNode(value) {
  return value !== null && typeof value === "object" && "kind" in value && "range" in value;
}

/**
 * The nodes directly below one, in the order of their fields.
 *
 * @param {any} node
 * @returns {Generator<any>}
 */
export function* children(node) {
  for (const [key, value] of Object.entries(node)) {
    if (key === "range") continue;
    if (Array.isArray(value)) yield* value.filter(isNode);
    else if (isNode(value)) yield value;
  }
}

/**
 * A node and all below it, the outer ones first.
 *
 * @param {any} node
 * @returns {Generator<any>}
 */
export function* descendants(node) {
  yield node;
  for (const child of children(node)) yield* descendants(child);
}

/**
 * Every name that stands in the code of a source: not in its comments, and not in its strings.
 *
 * @param {any} source
 * @returns {Set<string>}
 */
export function namesIn(source) {
  const names = new Set();
  for (const statement of source.statements) {
    for (const node of descendants(statement))
      if (node.kind === Kind.Identifier) names.add(node.text);
  }
  return names;
}
