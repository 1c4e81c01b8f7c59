import { digitCount, storeDigits } from "../memory/digits";
import { encodeInto } from "../memory/utf8";
import { LogLevel } from "./enums";
import { proxy_log } from "./proxy-log";

// The line is built in static memory: the reason may be that there is no other left.
const LINE_MAX: usize = 512;
const line: usize = memory.data(512);

/**
 * Takes the place of `env.abort`, which no host has (`--use abort=…` in asconfig.json): logs the
 * message and the place at critical, then traps. Envoy calls no export of the VM after that. A
 * message that does not fit into 512 bytes is cut.
 */
export function abortHook(
  message: string | null,
  file: string | null,
  lineNumber: u32,
  column: u32,
): void {
  let size = append(0, message === null ? "abort" : message);
  if (file !== null) {
    size = append(append(size, " at "), file);
    size = appendNumber(append(size, ":"), lineNumber);
    size = appendNumber(append(size, ":"), column);
  }
  proxy_log(LogLevel.Critical, line, size);
  unreachable();
}

function append(size: usize, text: string): usize {
  return size + encodeInto(text, line + size, LINE_MAX - size);
}

function appendNumber(size: usize, value: u32): usize {
  const count = digitCount(value);
  if (size + count > LINE_MAX) return size;
  storeDigits(line + size, value, count);
  return size + count;
}
