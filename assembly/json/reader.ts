import { skipSpace, skipValue } from "./scan";
import { faultOffset, JsonFault, validate } from "./validate";
import { Json } from "./value";

export { Json, JsonKind } from "./value";

/**
 * Reads a JSON text, strictly by RFC 8259, of any origin: it never ends the VM. Numbers are kept as
 * they are written; at most 256 arrays and objects may be open at once. A text that is not JSON
 * gives a value of which `.Exists()` is false and `.Error()` says why. The bytes are not copied: do
 * not change them while the value is in use.
 * @example const json = wrapper.ParseJson(body); if (!json.Exists()) return json.Error();
 */
export function ParseJson(bytes: Uint8Array): Json {
  const start = bytes.dataStart;
  const fault = validate(start, bytes.byteLength);
  if (fault != JsonFault.None) return Json.missing(fault, faultOffset(start));
  const end = start + bytes.byteLength;
  const from = skipSpace(start, end);
  return Json.at(bytes, from, skipValue(from, end));
}

/**
 * Whether bytes are one JSON text, by the rules of `ParseJson`.
 * @example wrapper.JsonValid(body)
 */
export function JsonValid(bytes: Uint8Array): bool {
  return validate(bytes.dataStart, bytes.byteLength) == JsonFault.None;
}
