// Finds the SDK compiled from a relative path: a second copy, whose plugins the exported callbacks
// do not know.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Code } from "./nodes.js";
import { SDK, isEntry, isUsers } from "./sources.js";

/**
 * Reports the import that brings the copy in. asc stops after parsing.
 *
 * @param {any} parser
 */
export function reportRelativeCopy(parser) {
  if (parser.sources.some((/** @type {any} */ source) => isEntry(source) && sdkFileOf(source)))
    return;
  const users = parser.sources.filter(isUsers);
  const copies = users.filter((/** @type {any} */ source) => sdkFileOf(source));
  for (const source of users) {
    if (copies.includes(source)) continue;
    for (const statement of source.statements) {
      const copy = copies.find((/** @type {any} */ candidate) => reaches(statement, candidate));
      if (!copy) continue;
      parser.error(
        Code.User_defined_0,
        statement.path?.range ?? statement.range,
        describeCopy(parser, copy),
      );
      return;
    }
  }
}

/**
 * @param {any} parser
 * @param {any} copy
 */
function describeCopy(parser, copy) {
  const file = /** @type {string} */ (sdkFileOf(copy));
  const remedy = `Import it from "proxy-wasm-as/assembly${`/${file}`.replace(/\/index$/, "")}".`;
  const twin = parser.sources.find((/** @type {any} */ source) =>
    source.internalPath.startsWith(SDK),
  );
  if (!twin)
    return `the SDK is compiled from its files ('${copy.internalPath}'), not from the package. ${remedy}`;
  return (
    `the SDK is compiled twice, as '${copy.internalPath}' and as '${SDK}${file}': a plugin registers in one copy, ` +
    `and the host calls the other. ${remedy}`
  );
}

/**
 * @param {any} statement
 * @param {any} candidate
 */
function reaches(statement, candidate) {
  return (
    statement.internalPath === candidate.internalPath ||
    `${statement.internalPath}/index` === candidate.internalPath
  );
}

/** @type {Map<string, string | null>} */
const texts = new Map();

/**
 * The SDK's file that a source of the user is, word for word; `abi/index`, say.
 *
 * @param {any} source
 * @returns {string | null}
 */
function sdkFileOf(source) {
  const match = /(?:^|\/)assembly\/(.+)$/.exec(source.internalPath);
  if (!match || !isUsers(source)) return null;
  const file = /** @type {string} */ (match[1]);
  if (!texts.has(file)) texts.set(file, read(new URL(`../assembly/${file}.ts`, import.meta.url)));
  return texts.get(file) === source.text ? file : null;
}

/** @param {URL} url */
function read(url) {
  try {
    return readFileSync(fileURLToPath(url), "utf8");
  } catch {
    return null; // No such file in the SDK: the source is the user's own.
  }
}
