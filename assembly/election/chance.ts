import { RandomBytes } from "../proxywasm/index";

/** Uniform enough for spreading; 0 when the host has no random bytes. `limit` is above 0. */
export function randomBelow(limit: i64): i64 {
  const random = RandomBytes(8).value;
  return random.byteLength == 8 ? <i64>(load<u64>(random.dataStart) % <u64>limit) : 0;
}
