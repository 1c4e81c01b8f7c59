// The place in the author's code that makes asc import something.
import { Kind, descendants } from "./nodes.js";
import { isUsers, mayUseSdk } from "./sources.js";

/**
 * @param {readonly any[]} sources
 * @param {{ module: string, name: string }} wanted
 * @returns {any} a range, or null when only generated or library code uses it
 */
export function findUse(sources, wanted) {
  const isIt = matcherOf(wanted);
  const users = sources.filter(isUsers);
  const packages = sources.filter(
    (source) => !isUsers(source) && mayUseSdk(source) && !isStandard(source),
  );
  for (const source of [...users, ...packages]) {
    for (const statement of source.statements) {
      for (const node of descendants(statement)) if (isIt(node, source)) return node.range;
    }
  }
  return null;
}

/**
 * A package's path has a folder below its name, or is an index; the standard library has none of
 * our names.
 *
 * @param {any} source
 */
function isStandard(source) {
  return !/^~lib\/(@[^/]+\/)?[^/]+\/(index$|assembly\/)/.test(source.internalPath);
}

/**
 * @param {{ module: string, name: string }} wanted
 * @returns {(node: any, source: any) => boolean}
 */
function matcherOf({ module, name }) {
  if (name === "seed")
    return (node) => isAccess(node, "Math", "random") || isAccess(node, "Mathf", "random");
  if (name === "trace") return (node) => isCall(node, "trace");
  if (name === "crypto.getRandomValuesN")
    return (node) => isAccess(node, "crypto", "getRandomValues");
  const [object, property] = name.split(".");
  if (object && property) return (node) => isAccess(node, object, property);
  return (node, source) => isDeclared(node, source, { module, name }) || isCall(node, name);
}

/**
 * @param {any} node
 * @param {string} object
 * @param {string} property
 */
function isAccess(node, object, property) {
  return (
    node.kind === Kind.PropertyAccess &&
    isName(node.expression, object) &&
    node.property.text === property
  );
}

/**
 * @param {any} node
 * @param {string} text
 */
function isName(node, text) {
  return node.kind === Kind.Identifier && node.text === text;
}

/**
 * @param {any} node
 * @param {string} name
 */
function isCall(node, name) {
  return node.kind === Kind.Call && isName(node.expression, name);
}

/**
 * `declare function name(…)`, or one whose decorator gives it that name.
 *
 * @param {any} node
 * @param {any} source
 * @param {{ module: string, name: string }} wanted
 */
function isDeclared(node, source, { module, name }) {
  if (node.kind !== Kind.FunctionDeclaration || node.body) return false;
  const names = externalNames(node);
  // Without a decorator, asc imports the function from a module named after the file.
  if (names.length === 0) return node.name.text === name && source.simplePath === module;
  return names.at(-1) === name && (names.length === 1 || names[0] === module);
}

/**
 * The texts of `@external("module", "name")`.
 *
 * @param {any} node
 * @returns {string[]}
 */
function externalNames(node) {
  const external = node.decorators?.find((/** @type {any} */ one) => one.name.text === "external");
  return external?.args?.map((/** @type {any} */ argument) => argument.value) ?? [];
}
