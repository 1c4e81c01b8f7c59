import type { WasmExports } from "../abi/wasm-api.ts";
import { globalExportPrefix } from "../module/export-globals.ts";
import type { GuestMemory } from "./memory.ts";

/** A mutable global as the engine hands it out. */
interface Global {
  value: number | bigint;
}

/** The state of a guest that runs nothing: what differs from the first one, in blocks, and its globals. */
export interface Snapshot {
  readonly sizeBytes: number;
  /** Offset and content of each block that differs. */
  readonly blocks: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  readonly globals: readonly (number | bigint)[];
}

const blockBytes = 1024;

/**
 * Saves and restores the linear memory and the mutable globals of one instance, as differences from a base: the state
 * in which this was made.
 *
 * Memory cannot shrink: a state from before it grew is restored with zeros behind its end, which a guest can tell only by
 * asking for the memory's size. Allocators do, when they next grow, and take what they get.
 */
export class Snapshots {
  readonly #memory: GuestMemory;
  readonly #globals: readonly Global[];
  readonly #base: Buffer;
  readonly #baseGlobals: readonly (number | bigint)[];

  constructor(exports: WasmExports, memory: GuestMemory) {
    this.#memory = memory;
    this.#globals = Object.entries(exports)
      .filter(([name]) => name.startsWith(globalExportPrefix))
      .map(([, value]) => value as Global);
    this.#base = Buffer.from(this.#now());
    this.#baseGlobals = this.#globals.map(({ value }) => value);
  }

  save(): Snapshot {
    const now = this.#now();
    const blocks: { at: number; bytes: Uint8Array }[] = [];
    for (let at = 0; at < now.length; at += blockBytes) {
      const end = Math.min(at + blockBytes, now.length);
      const isNew = end > this.#base.length;
      if (!isNew && this.#base.compare(now, at, end, at, end) === 0) continue;
      blocks.push({ at, bytes: now.slice(at, end) });
    }
    return { sizeBytes: now.length, blocks, globals: this.#globals.map(({ value }) => value) };
  }

  /** Null is the base. */
  restore(snapshot: Snapshot | null): void {
    const sizeBytes = snapshot?.sizeBytes ?? this.#base.length;
    if (sizeBytes > this.#memory.sizeBytes) this.#memory.growTo(sizeBytes);
    const now = this.#now();
    now.set(this.#base);
    now.fill(0, this.#base.length);
    if (snapshot !== null) for (const { at, bytes } of snapshot.blocks) now.set(bytes, at);
    const globals = snapshot?.globals ?? this.#baseGlobals;
    for (let index = 0; index < globals.length; index++)
      this.#globals[index]!.value = globals[index]!;
  }

  #now(): Uint8Array<ArrayBuffer> {
    return this.#memory.viewBytes(0, this.#memory.sizeBytes)!;
  }
}
