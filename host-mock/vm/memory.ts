import type { WasmMemory } from "../abi/wasm-api.ts";
import { copyOf, latin1Of } from "./copies.ts";

const pageBytes = 65_536;

/**
 * The linear memory of a guest. A range is valid when ptr + size ≤ memory size; a range of zero
 * bytes is valid anywhere up to the very end. The view is taken anew after growth, which detaches
 * the old one.
 *
 * Source: proxy-wasm-cpp-host `src/v8/v8.cc` (getMemory, setMemory, setWord).
 */
export class GuestMemory {
  readonly #memory: WasmMemory;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;

  constructor(memory: WasmMemory) {
    this.#memory = memory;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#view = new DataView(memory.buffer);
  }

  get sizeBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Makes it so large, in whole pages; for snapshots. Throws when there is no more. */
  growTo(sizeBytes: number): void {
    this.#memory.grow(Math.ceil((sizeBytes - this.sizeBytes) / pageBytes));
    this.#refresh();
  }

  /** `ptr` and `size` are unsigned. */
  isRange(ptr: number, size: number): boolean {
    const end = ptr + size;
    if (end <= this.#bytes.length) return true;
    // Growth detaches the view (length 0); a shared memory grows without that.
    this.#refresh();
    return end <= this.#bytes.length;
  }

  /** A copy (perhaps part of a larger buffer); undefined when out of bounds. */
  readBytes(ptr: number, size: number): Uint8Array<ArrayBuffer> | undefined {
    if (!this.isRange(ptr, size)) return undefined;
    return copyOf(this.#bytes, ptr, ptr + size);
  }

  /** The live bytes, valid until the guest runs again; undefined when out of bounds. */
  viewBytes(ptr: number, size: number): Uint8Array<ArrayBuffer> | undefined {
    if (!this.isRange(ptr, size)) return undefined;
    return this.#bytes.subarray(ptr, ptr + size);
  }

  /** The bytes as a binary string; undefined when out of bounds. */
  readLatin1(ptr: number, size: number): string | undefined {
    if (!this.isRange(ptr, size)) return undefined;
    return latin1Of(this.#bytes, ptr, ptr + size);
  }

  readU32(ptr: number): number | undefined {
    return this.isRange(ptr, 4) ? this.#view.getUint32(ptr, true) : undefined;
  }

  readU64(ptr: number): bigint | undefined {
    return this.isRange(ptr, 8) ? this.#view.getBigUint64(ptr, true) : undefined;
  }

  /** False, and nothing written, when out of bounds. */
  writeBytes(ptr: number, bytes: Uint8Array): boolean {
    if (!this.isRange(ptr, bytes.length)) return false;
    this.#bytes.set(bytes, ptr);
    return true;
  }

  /** False, and nothing written, when out of bounds. */
  writeU32(ptr: number, value: number): boolean {
    if (!this.isRange(ptr, 4)) return false;
    this.#view.setUint32(ptr, value, true);
    return true;
  }

  /** False, and nothing written, when out of bounds. */
  writeU64(ptr: number, value: bigint): boolean {
    if (!this.isRange(ptr, 8)) return false;
    this.#view.setBigUint64(ptr, value, true);
    return true;
  }

  #refresh(): void {
    const buffer = this.#memory.buffer;
    if (buffer === this.#bytes.buffer && buffer.byteLength === this.#bytes.length) return;
    this.#bytes = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
  }
}
