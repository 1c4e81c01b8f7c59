// What to write in place of each import that no host provides.
import { higressFunctions, wasiModules } from "./host-functions.js";

/** @type {readonly (readonly [RegExp, string])[]} */
const remedies = [
  [
    /^env\.abort$/,
    'Say "extends": "proxy-wasm-as/asconfig.json" in asconfig.json: it sends abort to the log and ends the VM.',
  ],
  [/^env\.seed$/, "Instead of Math.random use proxywasm.RandomBytes(size)."],
  [/^env\.Date\.now$/, "Instead of Date.now() use proxywasm.GetCurrentTimeNanoseconds()."],
  [
    /^env\.(performance\.now|process\.hrtime)$/,
    "Instead of performance.now() use proxywasm.GetMonotonicTimeNanoseconds().",
  ],
  [/^env\.crypto\./, "Instead of crypto use proxywasm.RandomBytes(size) or proxywasm.Uuid()."],
  [
    /^env\.console\./,
    "Instead of console use proxywasm.LogInfo(text), LogWarn, LogError and so on.",
  ],
  [/^env\.trace$/, "Instead of trace() use proxywasm.LogDebug(text)."],
  [/^env\.process\./, "A plugin has no process; text goes to proxywasm.LogInfo(text)."],
  [/^env\.Math\./, "Instead of JSMath use Math, and leave --use Math=JSMath out."],
];

/**
 * @param {import("./imports.js").Import} one
 * @returns {string}
 */
export function insteadOf({ kind, module, name }) {
  if (kind === "memory") return "a plugin brings its own memory. Leave --importMemory out.";
  if (kind === "table") return "a plugin brings its own table. Leave --importTable out.";
  if (kind === "global") return "hosts provide functions, no globals.";
  const full = `${module}.${name}`;
  for (const [pattern, remedy] of remedies) if (pattern.test(full)) return remedy;
  if (wasiModules.has(module)) return "Envoy has no such WASI function.";
  if (module === "env" && higressFunctions.has(name))
    return "Only Higress has it: build with --target higress.";
  if (module === "env" && name.startsWith("proxy_")) return "ABI 0.2.1 has no such function.";
  if (module === "env") return 'A host has only the proxy_… functions of "env".';
  return 'A function of the host is declared with @external("env", "proxy_…") above "declare function".';
}
