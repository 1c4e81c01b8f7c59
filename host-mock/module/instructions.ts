/**
 * Walks over code, instruction by instruction, as far as it takes to know which WebAssembly proposals it uses. Values
 * are skipped; whether the code is valid says the engine.
 */
import type { ByteReader } from "./byte-reader.ts";

/** A proposal beyond WebAssembly 1.0, or two forms of one. */
export type Feature =
  | "mutable-globals"
  | "sign-extension"
  | "saturating-conversion"
  | "multi-value"
  | "bulk-memory"
  | "reference-types"
  | "simd"
  | "relaxed-simd"
  | "threads"
  | "tail-calls"
  | "extended-const"
  | "exceptions"
  | "exceptions-legacy"
  | "typed-function-references"
  | "gc"
  | "multi-memory"
  | "memory64"
  | "wide-arithmetic"
  | "unknown-instructions";

/** Told of every use; the same feature comes many times. */
export type OnFeature = (feature: Feature) => void;

/** An instruction that is none of those known here: what follows it cannot be read. */
export class UnknownInstruction extends Error {}

/** Walks to the end of the reader's part. */
export function walkCode(reader: ByteReader, on: OnFeature): void {
  while (!reader.isDone) walkInstruction(reader, on);
}

/** Walks over a constant expression and its `end`; arithmetic in it is a feature. */
export function walkConstant(reader: ByteReader, on: OnFeature): void {
  for (;;) {
    const opcode = reader.bytes[reader.at];
    const isArithmetic = [0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e].includes(opcode ?? 0);
    if (isArithmetic) on("extended-const");
    walkInstruction(reader, on);
    if (opcode === 0x0b) return;
  }
}

function walkInstruction(reader: ByteReader, on: OnFeature): void {
  const opcode = reader.byte();
  if (opcode >= 0x28 && opcode <= 0x3e) walkMemoryArgument(reader, on);
  else if (opcode >= 0x45 && opcode <= 0xbf) return;
  else if (opcode >= 0xc0 && opcode <= 0xc4) on("sign-extension");
  else if (opcode >= 0x20 && opcode <= 0x24) reader.u32();
  else if (opcode < 0x20) walkControl(reader, opcode, on);
  else walkOther(reader, opcode, on);
}

/** Blocks, branches, calls. */
function walkControl(reader: ByteReader, opcode: number, on: OnFeature): void {
  switch (opcode) {
    case 0x00: // unreachable
    case 0x01: // nop
    case 0x05: // else
    case 0x0b: // end
    case 0x0f: // return
    case 0x1a: // drop
    case 0x1b: // select
      return;
    case 0x02: // block
    case 0x03: // loop
    case 0x04: // if
      walkBlockType(reader, on);
      return;
    case 0x06: // try
    case 0x07: // catch
    case 0x08: // throw
    case 0x09: // rethrow
    case 0x0a: // throw_ref
    case 0x18: // delegate
    case 0x19: // catch_all
    case 0x1f: // try_table
      walkExceptions(reader, opcode, on);
      return;
    case 0x0c: // br
    case 0x0d: // br_if
    case 0x10: // call
      reader.u32();
      return;
    case 0x0e: // br_table
      reader.list(() => reader.u32());
      reader.u32();
      return;
    case 0x11: // call_indirect
      reader.u32();
      reader.u32();
      return;
    case 0x12: // return_call
      on("tail-calls");
      reader.u32();
      return;
    case 0x13: // return_call_indirect
      on("tail-calls");
      reader.u32();
      reader.u32();
      return;
    case 0x14: // call_ref
    case 0x15: // return_call_ref
      on("typed-function-references");
      if (opcode === 0x15) on("tail-calls");
      reader.u32();
      return;
    case 0x1c: // select with types
      on("reference-types");
      reader.list(() => walkValueType(reader, on));
      return;
    default:
      throw new UnknownInstruction(`0x${opcode.toString(16)}`);
  }
}

/** Both forms of exceptions; `throw` belongs to either. */
function walkExceptions(reader: ByteReader, opcode: number, on: OnFeature): void {
  if (opcode === 0x0a || opcode === 0x1f) on("exceptions");
  else if (opcode !== 0x08) on("exceptions-legacy");
  if (opcode === 0x06 || opcode === 0x1f) walkBlockType(reader, on);
  else if (opcode !== 0x0a && opcode !== 0x19) reader.u32();
  if (opcode !== 0x1f) return;
  reader.list(() => {
    if (reader.byte() < 2) reader.u32();
    reader.u32();
  });
}

/** Tables, memories, constants, references, and what has a prefix. */
function walkOther(reader: ByteReader, opcode: number, on: OnFeature): void {
  switch (opcode) {
    case 0x25: // table.get
    case 0x26: // table.set
    case 0xd2: // ref.func
      on("reference-types");
      reader.u32();
      return;
    case 0x3f: // memory.size
    case 0x40: // memory.grow
      if (reader.u32() !== 0) on("multi-memory");
      return;
    case 0x41: // i32.const
    case 0x42: // i64.const
      reader.skipNumber();
      return;
    case 0x43: // f32.const
      reader.skip(4);
      return;
    case 0x44: // f64.const
      reader.skip(8);
      return;
    case 0xd0: // ref.null
      on("reference-types");
      reader.skipNumber();
      return;
    case 0xd1: // ref.is_null
      on("reference-types");
      return;
    case 0xd3: // ref.eq
      on("gc");
      return;
    case 0xd4: // ref.as_non_null
      on("typed-function-references");
      return;
    case 0xd5: // br_on_null
    case 0xd6: // br_on_non_null
      on("typed-function-references");
      reader.u32();
      return;
    case 0xfb:
      on("gc");
      walkGc(reader);
      return;
    case 0xfc:
      walkMiscellaneous(reader, on);
      return;
    case 0xfd:
      walkVector(reader, on);
      return;
    case 0xfe:
      on("threads");
      if (reader.u32() === 3) reader.byte();
      else walkMemoryArgument(reader, on);
      return;
    default:
      throw new UnknownInstruction(`0x${opcode.toString(16)}`);
  }
}

/** Alignment, with a flag for a memory's index, and offset. */
function walkMemoryArgument(reader: ByteReader, on: OnFeature): void {
  if ((reader.u32() & 0x40) !== 0 && reader.u32() !== 0) on("multi-memory");
  reader.skipNumber();
}

/** Nothing, a value type, or a type's index, which stands for several values or parameters. */
function walkBlockType(reader: ByteReader, on: OnFeature): void {
  const byte = reader.bytes[reader.at] ?? 0;
  if (byte === 0x40) reader.byte();
  else if (byte > 0x40 && byte < 0x80) walkValueType(reader, on);
  else {
    on("multi-value");
    reader.skipNumber();
  }
}

/** References to types of one's own, nullable or not, have a heap type behind them. */
export function walkValueType(reader: ByteReader, on: OnFeature): void {
  const byte = reader.byte();
  if (byte === 0x63 || byte === 0x64) {
    on("typed-function-references");
    reader.skipNumber();
  } else if (byte === 0x7b) on("simd");
  else if (byte === 0x6f || byte === 0x70) on("reference-types");
  else if (byte < 0x7b) on("gc");
}

/** Saturating conversions, memory and table operations, wide arithmetic. */
function walkMiscellaneous(reader: ByteReader, on: OnFeature): void {
  const operation = reader.u32();
  if (operation < 8) {
    on("saturating-conversion");
    return;
  }
  if (operation >= 19 && operation <= 22) {
    on("wide-arithmetic");
    return;
  }
  if (operation > 17) throw new UnknownInstruction(`0xfc ${operation}`);
  on(operation < 15 ? "bulk-memory" : "reference-types");
  reader.u32();
  // memory.init, memory.copy, table.init and table.copy have two.
  if ([8, 10, 12, 14].includes(operation)) reader.u32();
}

function walkVector(reader: ByteReader, on: OnFeature): void {
  const operation = reader.u32();
  on(operation < 0x100 ? "simd" : "relaxed-simd");
  if (operation < 12 || operation === 92 || operation === 93) walkMemoryArgument(reader, on);
  else if (operation === 12 || operation === 13) reader.skip(16);
  else if (operation >= 21 && operation <= 34) reader.byte();
  else if (operation >= 84 && operation <= 91) {
    walkMemoryArgument(reader, on);
    reader.byte();
  } else if (operation > 0x13f) throw new UnknownInstruction(`0xfd ${operation}`);
}

/** How many numbers follow each operation of the GC proposal: its types, fields, sizes, segments. */
const gcNumbers = [
  ...[1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 2, 1, 1, 1, 1, 0],
  ...[1, 2, 2, 2, 1, 1, 1, 1, 4, 4, 0, 0, 0, 0, 0],
];

function walkGc(reader: ByteReader): void {
  const operation = reader.u32();
  const count = gcNumbers[operation];
  if (count === undefined) throw new UnknownInstruction(`0xfb ${operation}`);
  // br_on_cast: flags, label and two heap types; numbers all.
  for (let index = 0; index < count; index++) reader.skipNumber();
}
