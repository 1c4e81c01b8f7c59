/** Output words: filled with marks before a call, so that what the host leaves alone is seen. */
import { log } from "./imports.guest";
import { roomOf, shown, shownPairs, shownValue, textAt } from "./words.guest";

/** Four words: address, size, and two more numbers; the last two also serve as one of 64 bits. */
const words = memory.data(16, 8);
const mark: u32 = 0xabcdef01;

let allocationCount: i32 = 0;
let allocationsBefore: i32 = 0;

export function allocate(size: i32): usize {
  allocationCount++;
  return heap.alloc(size);
}

/** The address of the first word, all marked. */
export function clearOut(): usize {
  for (let at: usize = 0; at < 16; at += 4) store<u32>(words + at, mark);
  allocationsBefore = allocationCount;
  return words;
}

/** The bytes that a host gave in the first two words, freed here. */
export function takeText(): string {
  const ptr = load<u32>(words);
  const size = load<u32>(words, 4);
  if (ptr == mark || ptr == 0) return "";
  const text = textAt(ptr, size);
  heap.free(ptr);
  return text;
}

/** How bytes are shown. */
export const enum Form {
  text,
  value,
  pairs,
}

/** The first two words for the log; says so when the allocator was called otherwise than once for some bytes. */
export function outBytes(form: Form = Form.text): string {
  const ptr = load<u32>(words);
  const size = load<u32>(words, 4);
  const calls = allocationCount - allocationsBefore;
  const expected = ptr == mark || ptr == 0 ? 0 : 1;
  const remark = calls == expected ? "" : " allocations=" + calls.toString();
  if (ptr == mark && size == mark) return "untouched" + remark;
  if (ptr == mark || size == mark) return "ptr=" + outWord(0) + " size=" + outWord(4) + remark;
  if (ptr == 0) return (size == 0 ? "null" : "null size=" + size.toString()) + remark;
  const text = takeText();
  if (size == 0) return "empty" + remark;
  if (form == Form.pairs) return shownPairs(text) + remark;
  return (form == Form.value ? shownValue(text) : shown(text)) + remark;
}

/** A number for the log. */
export function outWord(at: usize): string {
  const value = load<u32>(words + at);
  return value == mark ? "untouched" : value.toString();
}

export function outLong(): string {
  const value = load<u64>(words, 8);
  return value == (((<u64>mark) << 32) | mark) ? "untouched" : value.toString();
}

export function isOutSet(at: usize): bool {
  return load<u32>(words + at) != mark;
}

export function outNumber(at: usize): u32 {
  return load<u32>(words + at);
}

const infoLevel: u32 = 2;

export function say(text: string): void {
  const line = roomOf(text);
  log(infoLevel, line.ptr, line.size);
}
