import { callbackTypes } from "../../../host-mock/abi/callbacks.ts";
import { Random } from "../../../host-mock/random.ts";
import { bytesOf, pick, type Bytes } from "./bytes-mutation.ts";
import { hangMsMax, within } from "./deadline.ts";
import { extremes, HostileHost, tokens } from "./hostile-host.ts";

type Callback = (...args: number[]) => number | undefined;

export interface StormTally {
  /** How often each callback was called. */
  readonly callbacks: Map<string, number>;
  pages: number;
}

/** Ids of contexts: few, so that they meet, and odd ones. Mostly two are roots, and three streams. */
const roots = [1, 2];
const streams = [3, 4, 5];
const odd = [0, 0x7fffffff, 0x80000000, 0xffffffff];
const ids = [...roots, ...streams, ...odd];
const ofRoots =
  /_(vm_start|configure|tick|queue_ready|http_call_response|grpc_\w+|foreign_function)$/;
/** Half as likely as the others, or contexts would hardly live. */
const endings = new Set(["proxy_on_done", "proxy_on_delete"]);
const pageBytes = 65_536;
const batchSize = 1_000;

/**
 * Callbacks in any order, for contexts that exist or do not, with any numbers, from a host that
 * answers anything. Throws at the first trap, hang, or range outside of memory.
 */
export class Storm {
  readonly tally: StormTally = { callbacks: new Map(), pages: 0 };
  readonly host: HostileHost;
  readonly exports: Record<string, Callback>;
  readonly #random: Random;
  readonly #types: readonly (readonly [string, number])[];
  readonly #hangMs: number;
  readonly #memory: WebAssembly.Memory;
  #count = 0;
  #last = "";

  constructor(options: {
    readonly wasm: Bytes;
    readonly seed: number;
    readonly vmConfiguration?: string;
    readonly hangMs?: number;
  }) {
    this.#random = new Random(options.seed, "storm");
    this.#hangMs = options.hangMs ?? hangMsMax;
    this.host = new HostileHost(this.#random);
    const module = new WebAssembly.Module(options.wasm);
    const { exports } = new WebAssembly.Instance(module, this.host.imports);
    this.exports = exports;
    this.#memory = (exports as { readonly memory: WebAssembly.Memory }).memory;
    this.host.attach(exports);
    this.#types = [...callbackTypes("0.2.1", new Set(["proxy-wasm", "envoy"]))]
      .filter(([name]) => name in exports)
      .map(([name, { params }]) => [name, params.length] as const);
    this.calmly(bytesOf(options.vmConfiguration ?? ""), () => {
      this.exports["_initialize"]!();
      this.exports["proxy_on_context_create"]!(1, 0);
      this.exports["proxy_on_vm_start"]!(1, 1);
    });
  }

  /** Calls so many callbacks. */
  run(count: number): StormTally {
    while (this.#count < count) {
      const wanted = Math.min(count, this.#count + batchSize);
      within(
        this.#hangMs,
        () => this.#last,
        () => this.#batch(wanted),
      );
      this.tally.pages = this.#memory.buffer.byteLength / pageBytes;
    }
    return this.tally;
  }

  /** Does something while the host behaves, and answers these bytes to all that is read. */
  calmly(content: Bytes, run: () => void): void {
    this.host.calm = content;
    run();
    this.host.calm = undefined;
  }

  /** Deletes every context there may be. */
  clear(): void {
    for (const id of [...new Set(ids)].toSorted((a, b) => b - a))
      this.exports["proxy_on_delete"]!(id);
  }

  #batch(wanted: number): void {
    while (this.#count < wanted) {
      const [name, arity] = pick(this.#random, this.#types);
      if (endings.has(name) && this.#random.below(2) === 0) continue;
      const args = this.#argumentsOf(name, arity);
      this.#count++;
      this.tally.callbacks.set(name, (this.tally.callbacks.get(name) ?? 0) + 1);
      this.#last = `callback ${this.#count}, ${name}(${args.join()})`;
      try {
        this.exports[name]!(...args);
      } catch (error) {
        throw new Error(`${String(error)}: ${this.#last}`, { cause: error });
      }
    }
  }

  #argumentsOf(name: string, arity: number): number[] {
    const random = this.#random;
    const isUsual = random.below(4) > 0;
    const isRoot = name === "proxy_on_context_create" ? random.below(2) === 0 : ofRoots.test(name);
    const id = pick(random, isUsual ? (isRoot ? roots : streams) : ids);
    const rest = Array.from({ length: arity - 1 }, () => pick(random, extremes));
    // Otherwise a context may be its own parent, or a stream's child.
    if (name === "proxy_on_context_create")
      return [id, pick(random, isUsual ? (isRoot ? [0] : roots) : ids)];
    if (name === "proxy_on_http_call_response") rest[0] = pick(random, tokens);
    return [id, ...rest];
  }
}
