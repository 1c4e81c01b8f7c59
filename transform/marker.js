// One ABI marker in a module: a host reads the first it finds, and refuses a module without one.
import { dropFrom } from "./callbacks.js";
import { Refusal } from "./refusal.js";
import { EXPORT_LINE, SDK, entryNames } from "./sources.js";

/**
 * Set by `--use PROXY_WASM_HIGRESS=1`, as `asc --target higress` does with the SDK's
 * asconfig.json.
 */
const HIGRESS = "PROXY_WASM_HIGRESS";

/**
 * @param {any} program
 * @returns {boolean} whether the module is built for Higress
 */
export function isForHigress(program) {
  const value = program.options.globalAliases?.get(HIGRESS);
  return value !== undefined && value !== "0";
}

/**
 * Leaves the marker of the target in abi/index.ts: 0.2.1, or 0.2.100 for Higress.
 *
 * @param {any} parser
 * @param {any} program
 */
export function chooseMarker(parser, program) {
  const unwanted = isForHigress(program) ? "marker-0-2-1" : "marker-0-2-100";
  dropFrom(parser, (file) => file === unwanted);
}

/**
 * Throws a refusal unless the module exports exactly one marker.
 *
 * @param {any} program
 * @param {readonly string[]} exportNames
 */
export function demandOneMarker(program, exportNames) {
  const markers = exportNames.filter((name) => name.startsWith("proxy_abi_version_"));
  if (markers.length === 1) return;
  const entry = entryNames(program.sources);
  if (markers.length > 1) {
    throw new Refusal(
      `${entry}: the module exports ${markers.length} ABI markers (${markers.join(", ")}), and a host takes the first: ` +
        `keep the one that ${EXPORT_LINE} brings`,
    );
  }
  const usesSdk = program.sources.some((/** @type {any} */ source) =>
    source.internalPath.startsWith(SDK),
  );
  const nothing = usesSdk
    ? "the module exports none of the plugin's callbacks"
    : "the module exports no ABI marker";
  throw new Refusal(
    `${entry}: ${nothing}, so no host would run it. Add this line to ${entry}: ${EXPORT_LINE}`,
  );
}
