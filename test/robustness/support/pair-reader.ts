import { Random } from "../../../host-mock/random.ts";
import { ScriptHost } from "../../support/script-host.ts";
import type { Bytes } from "./bytes-mutation.ts";
import { hangMsMax, within } from "./deadline.ts";
import { changedBlock, pairsIn, soundBlock } from "./pair-blocks.ts";

export interface PairTally {
  blocks: number;
  /** Taken as a list, or as malformed. */
  lists: number;
  malformed: number;
  /** Lists too long to be handed back. */
  long: number;
  pages: number;
}

interface Guest {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  proxy_on_context_create(id: number, parent: number): void;
  proxy_on_vm_start(id: number, size: number): number;
  proxy_on_configure(id: number, size: number): number;
  proxy_on_request_headers(id: number, count: number, end: number): number;
  proxy_on_response_headers(id: number, count: number, end: number): number;
  proxy_on_delete(id: number): void;
  lastStatus(): number;
}

const ok = 0;
const badArgument = 2;
const parseFailure = 4;
const pageBytes = 65_536;
const batchSize = 1_000;

/**
 * A guest whose host hands it lists of headers that are none. Throws at the first trap or hang, and
 * at every list that the guest understood in another way than a reader apart from it.
 */
export class PairReader {
  readonly tally: PairTally = { blocks: 0, lists: 0, malformed: 0, long: 0, pages: 0 };
  readonly #host = new ScriptHost();
  readonly #guest: Guest;
  readonly #random: Random;
  readonly #hangMs: number;
  #last: Uint8Array = new Uint8Array(0);

  constructor(options: {
    readonly wasm: Bytes;
    readonly seed: number;
    readonly vmConfiguration?: string;
    readonly hangMs?: number;
  }) {
    this.#random = new Random(options.seed, "pairs");
    this.#hangMs = options.hangMs ?? hangMsMax;
    const module = new WebAssembly.Module(options.wasm);
    const { exports } = new WebAssembly.Instance(module, this.#host.imports);
    this.#guest = exports as unknown as Guest;
    this.#host.attach(exports);
    this.#guest._initialize();
    this.#guest.proxy_on_context_create(1, 0);
    const fault = new Uint8Array(Buffer.from(options.vmConfiguration ?? ""));
    this.#host.script("proxy_get_buffer_bytes", { out: [fault] });
    this.#guest.proxy_on_vm_start(1, fault.length);
    this.#host.script("proxy_get_buffer_bytes", {});
    this.#guest.proxy_on_configure(1, 0);
  }

  /** Hands over so many mutated blocks, and a sound one after each tenth. */
  run(count: number): PairTally {
    while (this.tally.blocks < count) {
      const wanted = Math.min(count, this.tally.blocks + batchSize);
      within(
        this.#hangMs,
        () => this.#place(),
        () => this.#batch(wanted),
      );
      this.tally.pages = this.#guest.memory.buffer.byteLength / pageBytes;
    }
    return this.tally;
  }

  #batch(wanted: number): void {
    while (this.tally.blocks < wanted) {
      this.tally.blocks++;
      this.#hand(changedBlock(this.#random), 2 + (this.tally.blocks % 50));
      if (this.tally.blocks % 10 === 0) this.#hand(soundBlock(this.#random), 2);
    }
  }

  /** A stream reads the block as its request's and as its response's headers. */
  #hand(block: Bytes, stream: number): void {
    this.#last = block;
    this.#host.script("proxy_get_header_map_pairs", { out: [block] });
    try {
      this.#guest.proxy_on_context_create(stream, 1);
      this.#guest.proxy_on_request_headers(stream, 3, 1);
      this.#compare(block);
      this.#guest.proxy_on_response_headers(stream, 3, 1);
      this.#compare(block);
      this.#guest.proxy_on_delete(stream);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      throw new Error(`trapped: ${error.message}: ${this.#place()}`, { cause: error });
    }
  }

  #compare(block: Bytes): void {
    const expected = pairsIn(block);
    const status = this.#guest.lastStatus();
    const sent = this.#host.take().find(({ name }) => name === "proxy_set_header_map_pairs");
    if (status !== (expected === undefined ? parseFailure : ok)) {
      throw new Error(
        `status ${status} where ${expected?.length ?? "no"} pairs are: ${this.#place()}`,
      );
    }
    if (expected === undefined) {
      this.tally.malformed++;
      return;
    }
    this.tally.lists++;
    if (sent === undefined) {
      // The SDK does not send what the host would take for an empty list.
      if (expected.length <= 1_024 && block.length <= 1 << 20) {
        throw new Error(`status ${badArgument} for a list in bounds: ${this.#place()}`);
      }
      this.tally.long++;
    } else if (JSON.stringify(sent.args[1]) !== JSON.stringify(expected)) {
      throw new Error(`understood as ${JSON.stringify(sent.args[1])}: ${this.#place()}`);
    }
  }

  #place(): string {
    return `block ${this.tally.blocks}, ${Buffer.from(this.#last.slice(0, 200)).toString("hex")}`;
  }
}
