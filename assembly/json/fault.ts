import { newText } from "../memory/bytes";
import { decimal } from "../memory/digits";
import { JsonFault } from "./validate";

// In the order of the enum, each ended by a bar: one string weighs less than eleven.
const MESSAGES =
  "the text ends early|" +
  "a value is expected|" +
  "a quoted name is expected|" +
  '":" is expected|' +
  '"," or a closing bracket is expected|' +
  "the text goes on after its value|" +
  "more than 256 levels|" +
  "malformed number|" +
  "control character in a string|" +
  "malformed escape|" +
  "not UTF-8|";

/** A fault in words, with the offset in bytes at which it is. */
export function describe(fault: JsonFault, offset: i32): string {
  // By hand, since nothing else would need the standard library's `indexOf` and `substring`.
  let start = changetype<usize>(MESSAGES);
  let end = start;
  for (let bars: i32 = fault; ; end += 2) {
    if (load<u16>(end) != 0x7c) continue;
    if (--bars == 0) break;
    start = end + 2;
  }
  const text = newText((<i32>(end - start)) >> 1);
  memory.copy(changetype<usize>(text), start, end - start);
  return text + " at byte " + decimal(offset);
}
