import { encodeBuffer } from "../memory/utf8";
import { LogLevel } from "./enums";
import { hostLogLevel } from "./log-level";
import { proxy_log } from "./imports";

const PREFIX = "proxy-wasm-as: ";

/** A line of the SDK about what the host did, which no plugin expects. */
export function logLine(level: LogLevel, message: string): void {
  if (level < hostLogLevel()) return;
  const bytes = encodeBuffer(PREFIX + message);
  proxy_log(level, changetype<usize>(bytes), bytes.byteLength);
}
