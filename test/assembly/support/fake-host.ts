/**
 * The smallest host an SDK guest runs in: one VM with a store, clocks and properties that the test
 * sets, a log of its host calls, and a hook before each of them. It knows nothing of Envoy's life
 * cycle.
 */
import { expect } from "vitest";
import { decodePairs, encodePairs } from "./pairs.ts";
import { NOT_FOUND, OK, SharedStore } from "./shared-store.ts";

const INTERNAL_FAILURE = 10;
const NOT_SUPPORTED = 58;
const DEBUG = 1;

export const SECOND = 1_000_000_000n;
export const MS = 1_000_000n;

/** Both clocks of one process, shared by its VMs. */
export class Clocks {
  /** 0: the host has none. */
  monotonicNs = 3_600n * SECOND;
  wallNs = 1_767_225_600n * SECOND;
  hasMonotonic = true;

  advance(ms: number): void {
    this.monotonicNs += BigInt(Math.round(ms * 1e6));
    this.wallNs += BigInt(Math.round(ms * 1e6));
  }

  get nowMs(): number {
    return Number(this.monotonicNs / MS);
  }

  /** What the guests see: the monotonic clock, or the wall clock where there is none. */
  get seenNs(): bigint {
    return this.hasMonotonic ? this.monotonicNs : this.wallNs;
  }
}

export interface HostCall {
  readonly name: string;
  /** The key, header, property or cluster the call is about. */
  readonly about: string;
}

export interface HttpCall {
  readonly token: number;
  readonly cluster: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly timeoutMs: number;
  /** The context that was in force. */
  readonly context: number;
}

export interface HostOptions {
  readonly store?: SharedStore;
  readonly clocks?: Clocks;
  readonly properties?: Record<string, string | undefined>;
  readonly logLevel?: number;
  readonly random?: (bytes: Uint8Array) => number;
  /** Runs before each host call; a number answers in the host's place. */
  readonly before?: (call: HostCall, vm: FakeVm) => number | undefined;
}

type Exports = Record<string, (...args: (number | bigint)[]) => number | bigint>;

const modules = new WeakMap<Uint8Array, WebAssembly.Module>();

export class FakeVm {
  readonly store: SharedStore;
  readonly clocks: Clocks;
  readonly properties: Record<string, string | undefined>;
  readonly logs: { level: number; text: string }[] = [];
  readonly calls: HostCall[] = [];
  readonly httpCalls: HttpCall[] = [];
  /** Every period that was set. */
  readonly tickPeriods: number[] = [];
  readonly continued: { stream: number; context: number }[] = [];
  readonly localReplies: { status: number; body: string; context: number }[] = [];
  requestHeaders: [string, string][] = [];
  responseHeaders: [string, string][] = [];
  callHeaders: [string, string][] = [];
  callBody = "";
  configuration: Uint8Array = new Uint8Array(0);
  effective = 0;
  before: HostOptions["before"];
  dispatchStatus = OK;
  readonly #random: (bytes: Uint8Array) => number;
  readonly #logLevel: number;
  readonly #instance: WebAssembly.Instance;
  #token = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>, options: HostOptions = {}) {
    this.store = options.store ?? new SharedStore();
    this.clocks = options.clocks ?? new Clocks();
    this.properties = options.properties ?? { plugin_name: "p", plugin_root_id: "options" };
    this.before = options.before;
    this.#random = options.random ?? seededRandom();
    this.#logLevel = options.logLevel ?? DEBUG;
    let module = modules.get(bytes);
    if (module === undefined) modules.set(bytes, (module = new WebAssembly.Module(bytes)));
    this.#instance = new WebAssembly.Instance(module, {
      env: this.#env(),
      wasi_snapshot_preview1: this.#wasi(),
    });
    this.call("_initialize");
  }

  get exports(): Exports {
    return this.#instance.exports;
  }

  has(name: string): boolean {
    return name in this.#instance.exports;
  }

  call(name: string, ...args: (number | bigint)[]): number {
    const f = this.exports[name];
    if (f === undefined) throw new Error(`the guest does not export ${name}`);
    return Number(f(...args) ?? 0);
  }

  /** Makes a root context and configures it; false when it refuses. */
  configure(
    id: number,
    configuration: string | Uint8Array = "",
    root = this.properties.plugin_root_id,
  ): boolean {
    this.properties.plugin_root_id = root;
    this.call("proxy_on_context_create", id, 0);
    this.call("proxy_on_vm_start", id, 0);
    this.configuration = Buffer.from(configuration);
    this.effective = id;
    return this.call("proxy_on_configure", id, this.configuration.length) === 1;
  }

  tick(id: number): void {
    this.effective = id;
    this.call("proxy_on_tick", id);
  }

  answer(root: number, token: number, headers: [string, string][], body = ""): void {
    this.effective = root;
    this.callHeaders = headers;
    this.callBody = body;
    this.call(
      "proxy_on_http_call_response",
      root,
      token,
      headers.length,
      Buffer.from(body).length,
      0,
    );
  }

  /** Log lines of the plugin itself and warnings of the SDK, without the witness. */
  get lines(): string[] {
    return this.logs
      .map((line) => line.text)
      .filter((text) => !text.startsWith("proxy-wasm-as.election "));
  }

  get witness(): string[] {
    return this.logs
      .map((line) => line.text)
      .filter((text) => text.startsWith("proxy-wasm-as.election "));
  }

  #bytes(): Buffer {
    return Buffer.from((this.#instance.exports.memory as WebAssembly.Memory).buffer);
  }

  #read(ptr: number, size: number): Buffer {
    return Buffer.from(this.#bytes().subarray(ptr >>> 0, (ptr >>> 0) + size));
  }

  #word(ptr: number, value: number): void {
    this.#bytes().writeUInt32LE(value >>> 0, ptr >>> 0);
  }

  #give(value: Uint8Array, ptrOut: number, sizeOut: number): void {
    let ptr = 0;
    if (value.length > 0) {
      ptr = Number(this.exports.proxy_on_memory_allocate!(value.length)) >>> 0;
      this.#bytes().set(value, ptr);
    }
    this.#word(ptrOut, ptr);
    this.#word(sizeOut, value.length);
  }

  #hook(name: string, about: string): number | undefined {
    const call = { name, about };
    this.calls.push(call);
    return this.before?.(call, this);
  }

  #map(type: number): [string, string][] {
    return type === 0 ? this.requestHeaders : type === 2 ? this.responseHeaders : this.callHeaders;
  }

  #wasi(): WebAssembly.ModuleImports {
    return {
      clock_time_get: (id: number, _precision: bigint, out: number) => {
        if (id !== 1) return NOT_SUPPORTED;
        const answer = this.#hook("clock_time_get", "monotonic");
        if (answer !== undefined) return answer;
        if (!this.clocks.hasMonotonic) return NOT_SUPPORTED;
        this.#bytes().writeBigUInt64LE(this.clocks.monotonicNs, out);
        return 0;
      },
      random_get: (ptr: number, size: number) =>
        this.#random(this.#bytes().subarray(ptr, ptr + size)),
      fd_write: () => NOT_SUPPORTED,
    };
  }

  #env(): WebAssembly.ModuleImports {
    const known: Record<string, (...args: number[]) => number> = {
      ...this.#general(),
      ...this.#http(),
    };
    // What a guest links but no test needs must not pass for success.
    return new Proxy(known, {
      get: (target, name: string) =>
        target[name] ??
        (() => {
          throw new Error(`host call ${name} is not faked`);
        }),
      has: () => true,
    });
  }

  #general(): Record<string, (...args: number[]) => number> {
    return {
      proxy_log: (level, ptr, size) => {
        this.logs.push({ level: level, text: this.#read(ptr, size).toString() });
        return OK;
      },
      proxy_get_log_level: (out) => {
        this.#word(out, this.#logLevel);
        return OK;
      },
      proxy_get_current_time_nanoseconds: (out) => {
        const answer = this.#hook("proxy_get_current_time_nanoseconds", "wall");
        if (answer !== undefined) return answer;
        this.#bytes().writeBigUInt64LE(this.clocks.wallNs, out);
        return OK;
      },
      proxy_set_tick_period_milliseconds: (period) => {
        this.tickPeriods.push(period >>> 0);
        return OK;
      },
      proxy_get_property: (ptr, size, ptrOut, sizeOut) => {
        const path = this.#read(ptr, size).toString();
        const answer = this.#hook("proxy_get_property", path);
        if (answer !== undefined) return answer;
        const value = this.properties[path];
        if (value === undefined) return NOT_FOUND;
        this.#give(Buffer.from(value), ptrOut, sizeOut);
        return OK;
      },
      proxy_get_shared_data: (ptr, size, ptrOut, sizeOut, casOut) => {
        const key = this.#read(ptr, size).toString();
        const answer = this.#hook("proxy_get_shared_data", key);
        if (answer !== undefined) return answer;
        const entry = this.store.get(key);
        if (entry === undefined) return NOT_FOUND;
        this.#give(entry.value, ptrOut, sizeOut);
        this.#word(casOut, entry.cas);
        return OK;
      },
      proxy_set_shared_data: (keyPtr, keySize, ptr, size, cas) => {
        const key = this.#read(keyPtr, keySize).toString();
        const value = this.#read(ptr, size);
        const answer = this.#hook("proxy_set_shared_data", key);
        return answer ?? this.store.set(key, value, cas >>> 0);
      },
      proxy_set_effective_context: (id) => {
        this.effective = id!;
        return OK;
      },
      proxy_get_buffer_bytes: (type, start, length, ptrOut, sizeOut) => {
        const whole = type === 7 ? this.configuration : Buffer.from(this.callBody);
        if (whole.length === 0) return NOT_FOUND;
        this.#give(whole.subarray(start, start + (length >>> 0)), ptrOut, sizeOut);
        return OK;
      },
    };
  }

  #http(): Record<string, (...args: number[]) => number> {
    return {
      proxy_get_header_map_value: (type, ptr, size, ptrOut, sizeOut) => {
        const name = this.#read(ptr, size).toString();
        this.#hook("proxy_get_header_map_value", name);
        const found = this.#map(type).find(([key]) => key === name);
        if (found === undefined) return NOT_FOUND;
        this.#give(Buffer.from(found[1]), ptrOut, sizeOut);
        return OK;
      },
      proxy_get_header_map_pairs: (type, ptrOut, sizeOut) => {
        this.#give(encodePairs(this.#map(type)), ptrOut, sizeOut);
        return OK;
      },
      proxy_add_header_map_value: (type, keyPtr, keySize, ptr, size) => {
        this.#map(type).push([
          this.#read(keyPtr, keySize).toString(),
          this.#read(ptr, size).toString(),
        ]);
        return OK;
      },
      proxy_replace_header_map_value: (type, keyPtr, keySize, ptr, size) => {
        const [name, value] = [
          this.#read(keyPtr, keySize).toString(),
          this.#read(ptr, size).toString(),
        ];
        const map = this.#map(type);
        const rest = map.filter(([key]) => key !== name);
        map.splice(0, map.length, ...rest, [name, value]);
        return OK;
      },
      proxy_continue_stream: (stream) => {
        this.continued.push({ stream: stream, context: this.effective });
        return OK;
      },
      proxy_send_local_response: (status, _d, _ds, ptr, size) => {
        const body = this.#read(ptr, size).toString();
        this.localReplies.push({ status: status, body, context: this.effective });
        return OK;
      },
      proxy_http_call: (
        clusterPtr,
        clusterSize,
        headersPtr,
        headersSize,
        ptr,
        size,
        _t,
        _ts,
        timeoutMs,
        out,
      ) => {
        if (this.dispatchStatus !== OK) return this.dispatchStatus;
        const call: HttpCall = {
          token: ++this.#token,
          cluster: this.#read(clusterPtr, clusterSize).toString(),
          headers: decodePairs(this.#read(headersPtr, headersSize)),
          body: this.#read(ptr, size).toString(),
          timeoutMs: timeoutMs,
          context: this.effective,
        };
        this.httpCalls.push(call);
        this.#word(out, call.token);
        return OK;
      },
    };
  }
}

export const Status = {
  Ok: OK,
  NotFound: NOT_FOUND,
  CasMismatch: 8,
  InternalFailure: INTERNAL_FAILURE,
};

let drawingTest = "";
let drawnCount = 0;

/** From the running test's name and the number of its VMs so far: files share this module, in any order. */
function nextSeed(): number {
  const { currentTestName = "" } = expect.getState();
  drawnCount = currentTestName === drawingTest ? drawnCount + 1 : 1;
  drawingTest = currentTestName;
  return [...currentTestName].reduce((sum, letter) => sum + letter.charCodeAt(0), drawnCount);
}

/** A generator of its own for each VM, the same in every run. */
function seededRandom(): (bytes: Uint8Array) => number {
  let state = nextSeed() * 2654435761;
  return (bytes) => {
    for (let i = 0; i < bytes.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      bytes[i] = state >>> 24;
    }
    return 0;
  };
}
