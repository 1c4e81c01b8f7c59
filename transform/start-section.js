// Top-level code must run from an exported function: a host call in a start section ends a real
// Envoy.
import { Refusal } from "./refusal.js";

const REMEDY =
  'Say "extends": "proxy-wasm-as/asconfig.json" in asconfig.json, or build with --exportStart _initialize';

/** What hosts call first, if the module exports it. */
const calledByHosts = ["_initialize", "_start"];

/**
 * Throws a refusal when top-level code runs in a start section, or in an export that no host calls.
 *
 * @param {any} program
 * @param {boolean} hasStartSection
 */
export function demandExportedStart(program, hasStartSection) {
  const name = program.options.exportStart;
  if (hasStartSection) {
    throw new Refusal(
      `top-level code would run in the module's start section, where a host call crashes Envoy. ${REMEDY}`,
    );
  }
  if (name !== null && !calledByHosts.includes(name)) {
    throw new Refusal(
      `top-level code would run in the export ${name}, which no host calls. ${REMEDY}`,
    );
  }
}
