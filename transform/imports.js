// Refuses imports that no host provides: such a module compiles, and fails when Envoy loads it.
import { abiFunctions, higressFunctions, wasiFunctions, wasiModules } from "./host-functions.js";
import { Code } from "./nodes.js";
import { insteadOf } from "./instead-of.js";
import { findUse } from "./find-use.js";

/**
 * @typedef {{ kind: "function" | "global" | "memory" | "table", module: string, name: string }} Import
 */

/**
 * Reports each stray import at the place that causes it, if that can be found; asc then writes no
 * file.
 *
 * @param {any} program
 * @param {readonly Import[]} imports
 * @param {{ higress: boolean }} target
 */
export function reportStrayImports(program, imports, target) {
  for (const one of imports) {
    if (isProvided(one, target)) continue;
    const isFunction = one.kind === "function";
    const why = isFunction
      ? "the host does not provide this import, so the module would not load. "
      : "";
    const range = isFunction ? findUse(program.sources, one) : null;
    program.error(Code.User_defined_0, range, `${one.module}.${one.name}: ${why}${insteadOf(one)}`);
  }
}

/**
 * @param {Import} one
 * @param {{ higress: boolean }} target
 */
function isProvided({ kind, module, name }, target) {
  if (kind !== "function") return false;
  if (wasiModules.has(module)) return wasiFunctions.has(name);
  return (
    module === "env" && (abiFunctions.has(name) || (target.higress && higressFunctions.has(name)))
  );
}
