// json-as reads its settings once, when Node loads it; this transform must have been loaded, and
// must run, before it.
import { Refusal } from "./refusal.js";

/**
 * Room for json-as's string cache, which json-as 1.6.0 does not use: unset, it takes 1 MiB of each
 * VM.
 */
export const CACHE_BYTES = "128";

/** json-as registers these constants on the program it is about to work for. */
const MARK = "JSON_MODE";
const CACHE_MARK = "JSON_CACHE";

const REMEDY =
  'asconfig.json needs only "extends": "proxy-wasm-as/asconfig.json", which lists both transforms in the right order';

/** Must be called while this transform is loaded: json-as is loaded next. */
export function chooseCacheSize() {
  process.env["JSON_CACHE"] ??= CACHE_BYTES;
}

/**
 * Watches one compilation, so that the order of another in the same process does not matter.
 */
export class JsonAsOrder {
  /** @type {Set<string>} */
  #registered = new Set();

  /**
   * Throws a refusal when json-as ran before; from now on, when a second json-as runs.
   *
   * @param {any} program
   */
  watch(program) {
    if (
      program.elementsByName.has(`${program.nativeFile.internalName}/${MARK}`) ||
      program.lookup(MARK) !== null
    ) {
      throw new Refusal(
        `json-as runs before proxy-wasm-as/transform: take json-as out of your own list of transforms and off the ` +
          `command line (--transform). ${REMEDY}`,
      );
    }
    const register = program.registerConstantInteger;
    program.registerConstantInteger = (/** @type {[string, any, any]} */ ...args) => {
      const [name] = args;
      if (name === MARK && this.#registered.has(MARK)) {
        throw new Refusal(`json-as runs twice, from two installations or two listings. ${REMEDY}`);
      }
      this.#registered.add(name);
      register.apply(program, args);
    };
  }

  /**
   * Throws a refusal when the program uses a json-as that never saw our setting: something loaded
   * it in this process before this transform was.
   *
   * @param {any} program
   */
  demandCacheSize(program) {
    if (!this.#registered.has(MARK) || this.#registered.has(CACHE_MARK)) return;
    if (process.env["JSON_CACHE"] !== CACHE_BYTES || !usesJsonAs(program)) return;
    throw new Refusal(
      "json-as was loaded in this process before proxy-wasm-as/transform, and would take 1 MiB of each VM: set the " +
        `environment variable JSON_CACHE=${CACHE_BYTES} before anything loads it`,
    );
  }
}

/** @param {any} program */
function usesJsonAs(program) {
  return program.sources.some((/** @type {any} */ source) =>
    source.internalPath.startsWith("~lib/json-as/"),
  );
}
