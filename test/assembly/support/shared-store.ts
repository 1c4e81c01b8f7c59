/** Shared data as different hosts have it, for guests that are driven without an Envoy. */
export const OK = 0;
export const NOT_FOUND = 1;
export const CAS_MISMATCH = 8;

export type Rules =
  /** Proxy-wasm-cpp-host: an absent key is created whatever the cas; cas 0 always overwrites. */
  | "envoy"
  /** The Go SDK's test host: the cas must equal the version even when it is 0. */
  | "strict"
  /** ngx_wasm_module: cas 0 means "must be absent", any other must match. */
  | "nginx"
  /** A host that refuses a cas on an absent key, and where cas 0 always overwrites. */
  | "careless";

interface Entry {
  value: Buffer;
  cas: number;
}

export class SharedStore {
  readonly entries = new Map<string, Entry>();
  /** How often a value was stored, by key. */
  readonly writes = new Map<string, number>();
  readonly #rules: Rules;
  #version = 1;

  constructor(rules: Rules = "envoy") {
    this.#rules = rules;
  }

  get(key: string): Entry | undefined {
    return this.entries.get(key);
  }

  text(key: string): string | undefined {
    return this.entries.get(key)?.value.toString();
  }

  set(key: string, value: Uint8Array, cas: number): number {
    if (!this.#accepts(this.entries.get(key), cas)) return CAS_MISMATCH;
    const version = this.#rules === "strict" ? (cas + 1) >>> 0 : this.#version++;
    this.entries.set(key, { value: Buffer.from(value), cas: version });
    this.writes.set(key, (this.writes.get(key) ?? 0) + 1);
    return OK;
  }

  /** Overwrites, as a foreign writer would with cas 0. */
  put(key: string, text: string | Uint8Array): void {
    this.entries.set(key, { value: Buffer.from(text), cas: this.#version++ });
  }

  wipe(): void {
    this.entries.clear();
  }

  #accepts(entry: Entry | undefined, cas: number): boolean {
    if (entry === undefined)
      return this.#rules === "envoy" || this.#rules === "strict" || cas === 0;
    if (this.#rules === "strict") return cas === entry.cas;
    if (this.#rules === "nginx") return cas !== 0 && cas === entry.cas;
    return cas === 0 || cas === entry.cas;
  }
}
