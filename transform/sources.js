// Whose file a source is: the plugin's, another package's, ours, or the standard library's.
const USER_ENTRY = 1;

/** Where asc files the SDK, wherever npm put it: hoisted, nested or linked. */
export const SDK = "~lib/proxy-wasm-as/assembly/";
export const ABI_INDEX = `${SDK}abi/index`;

/** The line that exports the callbacks; messages tell authors to write it. */
export const EXPORT_LINE = 'export * from "proxy-wasm-as/assembly/abi";';

/** @param {any} source */
export function isEntry(source) {
  // asc enters its runtime in the same way.
  return source.sourceKind === USER_ENTRY && isUsers(source);
}

/**
 * A file of the project that is built; not one of a package.
 *
 * @param {any} source
 */
export function isUsers(source) {
  return !source.internalPath.startsWith("~lib/");
}

/**
 * Code that may use the SDK: the plugin's, and that of packages. The standard library's names
 * cannot be told from a package's by their path, but it is written in names of its own.
 *
 * @param {any} source
 */
export function mayUseSdk(source) {
  return !/^~lib\/(proxy-wasm-as|json-as)(\/|$)/.test(source.internalPath);
}

/**
 * @param {readonly any[]} sources
 * @returns {string} the paths of the entries, as the user gave them
 */
export function entryNames(sources) {
  return sources
    .filter(isEntry)
    .map((source) => source.normalizedPath)
    .join(", ");
}
