import { Errno, Status } from "../abi/enums";
import { RANDOM_BYTES_MAX, random_get } from "../abi/wasi";
import { newBytes, newText, noBytes } from "../memory/bytes";
import { BytesResult } from "./result";

/**
 * `size` bytes from the host's secure generator. Statuses: Ok; `BadArgument` when the host
 * restricts the call and for a negative size; `InternalFailure`. In: any callback, and in top-level
 * code.
 * @example const salt = proxywasm.RandomBytes(16);
 * Source: WASI `random_get`; proxy-wasm-cpp-host `exports.cc`, which gives at most 64 KiB a call.
 */
export function RandomBytes(size: i32): BytesResult {
  if (size < 0) return new BytesResult(Status.BadArgument, noBytes());
  const bytes = newBytes(size);
  for (let at = 0; at < size;) {
    const part = min(size - at, <i32>RANDOM_BYTES_MAX);
    const errno = random_get(bytes.dataStart + at, part);
    if (errno != Errno.Success) {
      const status = errno == Errno.NotCapable ? Status.BadArgument : Status.InternalFailure;
      return new BytesResult(status, noBytes());
    }
    at += part;
  }
  return new BytesResult(Status.Ok, bytes);
}

/**
 * A random UUID (version 4, RFC 9562), or "" when the host gives no random bytes: there is nothing
 * else in a VM that would make it unique. In: any callback, and in top-level code.
 * @example const id = proxywasm.Uuid(); // "3b241101-e2bb-4255-8caf-4136c566a962"
 */
export function Uuid(): string {
  const random = RandomBytes(16);
  if (random.status != Status.Ok) return "";
  const bytes = random.value;
  unchecked((bytes[6] = 0x40 | (bytes[6] & 0x0f)));
  unchecked((bytes[8] = 0x80 | (bytes[8] & 0x3f)));
  const text = newText(36);
  let to = changetype<usize>(text);
  for (let i = 0; i < 16; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      store<u16>(to, 0x2d);
      to += 2;
    }
    const byte: u32 = unchecked(bytes[i]);
    store<u16>(to, hexDigit(byte >> 4));
    store<u16>(to, hexDigit(byte & 15), 2);
    to += 4;
  }
  return text;
}

function hexDigit(value: u32): u32 {
  return value < 10 ? 0x30 + value : 0x57 + value;
}
