import { hostSignatures, type HostSignature } from "../../../host-mock/abi/signatures.ts";
import type { Random } from "../../../host-mock/random.ts";
import { bytesOf, noise, pick, type Bytes } from "./bytes-mutation.ts";
import { changedConfiguration } from "./configurations.ts";
import { changedCell, changedRecord } from "./lease-records.ts";
import { changedBlock, soundBlock } from "./pair-blocks.ts";

interface Exports {
  readonly memory: WebAssembly.Memory;
  proxy_on_memory_allocate(size: number): number;
}

/** The type of that buffer. */
const pluginConfiguration = 7;
/** Statuses of failures, and numbers that are no status. */
const failures = [...Array.from({ length: 12 }, (_, code) => code + 1), 13, 76, -1, 0x7fffffff];
export const extremes = [0, 1, 2, 3, 4, 7, 255, 65_536, 0x7fffffff, 0x80000000, 0xffffffff];
/** Few, so that answers find calls that wait for them. */
export const tokens = [0, 1, 4, 0xffffffff];
const times = [0n, 1n, 1_767_225_600_000_000_000n, 1n << 62n, (1n << 63n) - 1n, 1n << 63n, -1n];

/**
 * A host that answers anything to every call, within its own rules only: what it points at lies in
 * the guest's memory, and blocks come from the guest's allocator. It throws when the guest passes a
 * range that is not in its memory.
 */
export class HostileHost {
  readonly imports: WebAssembly.Imports;
  /** How often each function was called. */
  readonly callCounts = new Map<string, number>();
  /** When set, every call succeeds, and what is read is this. */
  calm: Bytes | undefined;
  readonly #random: Random;
  #guest: Exports | undefined;
  #nowNs = 3_600_000_000_000n;

  constructor(random: Random) {
    this.#random = random;
    const env: Record<string, WebAssembly.ImportValue> = {};
    const wasi: Record<string, WebAssembly.ImportValue> = {};
    for (const signature of hostSignatures) {
      const where = signature.module === "env" ? env : wasi;
      where[signature.name] = (...raw: (number | bigint)[]) => this.#answer(signature, raw);
    }
    this.imports = { env, wasi_snapshot_preview1: wasi };
  }

  attach(guest: unknown): void {
    this.#guest = guest as Exports;
  }

  #answer({ name, parameters }: HostSignature, raw: readonly (number | bigint)[]): number {
    this.callCounts.set(name, (this.callCounts.get(name) ?? 0) + 1);
    const words = [...raw];
    const next = (): number => Number(words.shift()) >>> 0;
    const isPlugin = name === "proxy_get_buffer_bytes" && raw[0] === pluginConfiguration;
    const isOk = this.calm !== undefined || this.#random.below(10) < 7;
    for (const { kind } of parameters) {
      if (kind === "out-bytes" || kind === "out-pairs")
        this.#bytesOut(isOk ? this.#block(isPlugin) : undefined, next(), next());
      else if (kind === "out-u32" || kind === "out-u64") this.#wordOut(isOk, kind, next());
      else if (kind === "bytes" || kind === "pairs" || kind === "path")
        this.#require(name, next(), next());
      else words.shift();
    }
    // The block it fills is given by address and size; half the time it is left as it was.
    if (name === "random_get" && this.#random.below(2) === 0) {
      const [at = 0, size = 0] = raw.map(Number);
      this.#require(name, at >>> 0, size);
      this.#bytes.set(noise(this.#random, size), at >>> 0);
    }
    return isOk ? 0 : pick(this.#random, failures);
  }

  get #bytes(): Uint8Array {
    return new Uint8Array(this.#guest!.memory.buffer);
  }

  #require(name: string, at: number, size: number): void {
    const { byteLength } = this.#guest!.memory.buffer;
    if (at + size <= byteLength) return;
    throw new Error(`${name} was passed ${size} bytes at ${at}, memory has ${byteLength}`);
  }

  /** A failed call may leave anything behind; nobody may look at it. */
  #bytesOut(block: Bytes | undefined, pointerAt: number, sizeAt: number): void {
    const random = this.#random;
    if (block === undefined) {
      if (random.below(2) === 0) this.#write(pointerAt, 0xdeadbeef, sizeAt, random.uint32());
      return;
    }
    const oddity = this.calm === undefined ? random.below(20) : 20;
    if (block.length === 0) {
      // No bytes are pointer 0, or a block of the guest's that nothing was put into.
      const at = oddity < 10 ? this.#guest!.proxy_on_memory_allocate(oddity % 3) : 0;
      this.#write(pointerAt, at, sizeAt, 0);
      return;
    }
    if (oddity === 0) {
      this.#write(pointerAt, 0, sizeAt, random.below(100));
      return;
    }
    const at = this.#guest!.proxy_on_memory_allocate(block.length) >>> 0;
    this.#bytes.set(block, at);
    if (oddity === 1) this.#write(pointerAt, at, sizeAt, random.below(block.length));
    else this.#write(pointerAt, at, sizeAt, block.length);
  }

  #write(pointerAt: number, pointer: number, sizeAt: number, size: number): void {
    const view = new DataView(this.#guest!.memory.buffer);
    view.setUint32(pointerAt, pointer, true);
    view.setUint32(sizeAt, size, true);
  }

  #wordOut(isOk: boolean, kind: "out-u32" | "out-u64", at: number): void {
    const random = this.#random;
    const view = new DataView(this.#guest!.memory.buffer);
    if (!isOk && random.below(2) === 0) return;
    if (kind === "out-u32") {
      const numbers = random.below(2) === 0 ? tokens : extremes;
      view.setUint32(at, this.calm === undefined ? pick(random, numbers) : 4, true);
      return;
    }
    this.#nowNs += BigInt(random.below(3_000_000_000));
    const isOdd = this.calm === undefined && random.below(60) === 0;
    view.setBigUint64(at, BigInt.asUintN(64, isOdd ? pick(random, times) : this.#nowNs), true);
  }

  #block(isPlugin: boolean): Bytes {
    if (this.calm !== undefined) return this.calm;
    const random = this.#random;
    // What is accepted is what lets more of the plugin run.
    if (isPlugin && random.below(2) === 0) return changedConfiguration(random);
    const moment = { monoMs: Number(this.#nowNs / 1_000_000n), unixS: 1_767_225_600, present: "" };
    return pick(random, [
      () => new Uint8Array(0),
      () => noise(random, 1 + random.below(64)),
      () => bytesOf(pick(random, ["200", "504", "0", "-1", "upstream request timeout", "\0", "é"])),
      () => changedConfiguration(random),
      () => changedRecord(random, moment),
      () => changedCell(random),
      () => changedBlock(random),
      () => soundBlock(random),
    ])();
  }
}
