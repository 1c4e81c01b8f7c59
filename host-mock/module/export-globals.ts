import { ByteReader } from "./byte-reader.ts";

/** Exports of this prefix are ours, with the global's index behind it. */
export const globalExportPrefix = "proxy-wasm-as.global.";

const Section = { import: 2, global: 6, export: 7 } as const;
const ImportKind = { global: 3 } as const;
const exportedGlobal = 3;

/**
 * The module with an export for each mutable global of its own, so that a snapshot can read and set them: linear memory
 * put back without the stack pointer and the allocator's roots is a torn state.
 *
 * E_NOT_WASM for bytes that are no module.
 */
export function exportGlobals(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const reader = new ByteReader(bytes);
  reader.at = 8;
  let importedCount = 0;
  let mutable: number[] = [];
  while (!reader.isDone) {
    const sectionAt = reader.at;
    const id = reader.byte();
    const body = reader.part(reader.u32());
    if (id === Section.import) importedCount = importedGlobals(body);
    else if (id === Section.global) mutable = mutableGlobals(body, importedCount);
    else if (id === Section.export) {
      return mutable.length === 0 ? bytes : spliced(bytes, sectionAt, body, mutable);
    }
  }
  return bytes;
}

function importedGlobals(body: ByteReader): number {
  let count = 0;
  for (let left = body.u32(); left > 0; left--) {
    body.skip(body.u32());
    body.skip(body.u32());
    const kind = body.byte();
    if (kind === ImportKind.global) count++;
    skipDescription(body, kind);
  }
  return count;
}

/** Function, table, memory, global or tag, as an import describes it. */
function skipDescription(body: ByteReader, kind: number): void {
  if (kind === 0) body.skipNumber();
  else if (kind === 1) {
    skipValueType(body);
    skipLimits(body);
  } else if (kind === 2) skipLimits(body);
  else if (kind === ImportKind.global) {
    skipValueType(body);
    body.byte();
  } else {
    body.byte();
    body.skipNumber();
  }
}

function skipLimits(body: ByteReader): void {
  const flags = body.byte();
  body.skipNumber();
  if ((flags & 1) !== 0) body.skipNumber();
}

/** `ref null HEAP` and `ref HEAP` have a heap type behind them. */
function skipValueType(body: ByteReader): void {
  const type = body.byte();
  if (type === 0x63 || type === 0x64) body.skipNumber();
}

/** Indices of the mutable ones. */
function mutableGlobals(body: ByteReader, importedCount: number): number[] {
  const found: number[] = [];
  const count = body.u32();
  for (let index = 0; index < count; index++) {
    skipValueType(body);
    if (body.byte() === 1) found.push(importedCount + index);
    skipExpression(body);
  }
  return found;
}

/** A constant expression, up to its `end`. */
function skipExpression(body: ByteReader): void {
  for (;;) {
    const opcode = body.byte();
    if (opcode === 0x0b) return;
    if (opcode === 0x43) body.skip(4);
    else if (opcode === 0x44) body.skip(8);
    else if (opcode === 0xfd) {
      body.skipNumber();
      body.skip(16);
    } else if (opcode === 0x41 || opcode === 0x42 || opcode === 0x23 || opcode === 0xd2) {
      body.skipNumber();
    } else if (opcode === 0xd0) body.skipNumber();
    // What is left are additions and the like (extended constant expressions), without operands.
  }
}

function spliced(
  bytes: Uint8Array<ArrayBuffer>,
  sectionAt: number,
  body: ByteReader,
  globals: readonly number[],
): Uint8Array<ArrayBuffer> {
  const count = body.u32();
  const entries = globals.flatMap((index) => {
    const name = new TextEncoder().encode(`${globalExportPrefix}${index}`);
    return [...leb128(name.length), ...name, exportedGlobal, ...leb128(index)];
  });
  const head = leb128(count + globals.length);
  const old = bytes.subarray(body.at, body.end);
  const size = head.length + old.length + entries.length;
  const section = [Section.export, ...leb128(size), ...head];
  const made = new Uint8Array(
    sectionAt + section.length + old.length + entries.length + bytes.length - body.end,
  );
  made.set(bytes.subarray(0, sectionAt));
  made.set(section, sectionAt);
  made.set(old, sectionAt + section.length);
  made.set(entries, sectionAt + section.length + old.length);
  made.set(bytes.subarray(body.end), sectionAt + section.length + old.length + entries.length);
  return made;
}

function leb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(value >>> 7)];
}
