import { memoryPagesMax } from "../abi/wasm-types.ts";
import { ByteReader } from "./byte-reader.ts";

/** A module whose own memory cannot outgrow the bound, and where its bytes came to lie elsewhere. */
export interface BoundedModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The offset in the original of an offset in these bytes. */
  originalOffset(offset: number): number;
}

const memorySection = 5;
const hasMaximumFlag = 1;
const sharedFlag = 2;
/** Bytes of 16384 as a LEB128 number. */
const maximumBytes = [0x80, 0x80, 0x01];

/**
 * Writes the bound into the module as the maximum of its memory, where that is larger or absent:
 * the engine then refuses growth beyond it, as Envoy's engine does by its own setting. An imported
 * memory is bounded by whoever makes it.
 *
 * Source: proxy-wasm-cpp-host `include/proxy-wasm/limits.h`, `src/v8/v8.cc` (wasm_max_mem_pages).
 */
export function boundMemory(bytes: Uint8Array<ArrayBuffer>): BoundedModule {
  const reader = new ByteReader(bytes);
  reader.at = 8;
  while (!reader.isDone) {
    const sectionAt = reader.at;
    const id = reader.byte();
    const body = reader.part(reader.u32());
    if (id !== memorySection) continue;
    const bounded = boundedSection(body);
    return bounded === undefined ? unchanged(bytes) : spliced(bytes, sectionAt, body.end, bounded);
  }
  return unchanged(bytes);
}

/** The section's new content; undefined when it keeps the bound as it is, or is not ours to change. */
function boundedSection(body: ByteReader): number[] | undefined {
  if (body.u32() !== 1) return undefined;
  const flags = body.byte();
  if ((flags & ~(hasMaximumFlag | sharedFlag)) !== 0) return undefined;
  const initialAt = body.at;
  body.u32();
  const initial = body.bytes.subarray(initialAt, body.at);
  if ((flags & hasMaximumFlag) !== 0 && body.u32() <= memoryPagesMax) return undefined;
  return [1, flags | hasMaximumFlag, ...initial, ...maximumBytes];
}

function spliced(
  bytes: Uint8Array<ArrayBuffer>,
  from: number,
  to: number,
  content: readonly number[],
): BoundedModule {
  const section = [memorySection, ...leb128(content.length), ...content];
  const made = new Uint8Array(bytes.length - (to - from) + section.length);
  made.set(bytes.subarray(0, from));
  made.set(section, from);
  made.set(bytes.subarray(to), from + section.length);
  const shift = section.length - (to - from);
  return {
    bytes: made,
    originalOffset: (offset) => (offset < from + section.length ? offset : offset - shift),
  };
}

function leb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(value >>> 7)];
}

function unchanged(bytes: Uint8Array<ArrayBuffer>): BoundedModule {
  return { bytes, originalOffset: (offset) => offset };
}
