import { OUT_WORD } from "../memory/out";
import { LogLevel, Status } from "./enums";
import { proxy_get_log_level } from "./imports";

// The host's level may be changed while the VM runs, but hardly within a callback: it is asked for
// at most once in each. During `_initialize` the question itself is forbidden, and would trap.
const UNKNOWN: i32 = -1;
let level: i32 = LogLevel.Trace;

/** To be called first in every callback. */
export function forgetLogLevel(): void {
  level = UNKNOWN;
}

/**
 * The host's level. A host that does not answer gets every line, and drops what it does not want.
 */
export function hostLogLevel(): LogLevel {
  if (level == UNKNOWN) level = askLogLevel();
  return level;
}

function askLogLevel(): LogLevel {
  return proxy_get_log_level(OUT_WORD) == Status.Ok ? load<u32>(OUT_WORD) : LogLevel.Trace;
}
