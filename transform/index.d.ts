import { Transform } from "assemblyscript/transform";

/**
 * The asc transform of the SDK; `proxy-wasm-as/asconfig.json` lists it. It exports only the callbacks that the plugin
 * answers, chooses the ABI marker, and refuses modules that no host would load or that would do nothing.
 *
 * Loading this module sets the environment variable `JSON_CACHE` to `128` when it is unset.
 *
 * Usage, in asconfig.json: `{ "extends": "proxy-wasm-as/asconfig.json" }`
 */
export default class ProxyWasmTransform extends Transform {}
