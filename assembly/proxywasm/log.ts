import { LogLevel } from "../abi/enums";
import { hostLogLevel } from "../abi/log-level";
import { proxy_log } from "../abi/imports";
import { encodeBuffer } from "../memory/utf8";

/**
 * The level from which on the host logs, `LogLevel.Off` when it logs nothing. The host is asked
 * once per callback at most. While `_initialize` runs it cannot be asked: every line goes to the
 * host then. In: any callback.
 * @example const isVerbose = proxywasm.GetLogLevel() <= proxywasm.LogLevel.Debug;
 * Source: Envoy `context.cc`, `getLogLevel`.
 */
export function GetLogLevel(): LogLevel {
  return hostLogLevel();
}

/**
 * Logs one line. Below the host's level nothing is done: no host call, no conversion. A level
 * outside Trace to Critical logs nothing. In: any callback, and in top-level code.
 * @example proxywasm.Log(proxywasm.LogLevel.Warn, "no collector configured");
 * Source: proxy-wasm spec, `proxy_log`.
 */
export function Log(level: LogLevel, message: string): void {
  if (level < hostLogLevel()) return;
  const bytes = encodeBuffer(message);
  proxy_log(level, changetype<usize>(bytes), bytes.byteLength);
}

/** As `Log`, for a line that stands as UTF-8 in memory: without a text and its encoding. */
export function LogMemory(level: LogLevel, ptr: usize, size: usize): void {
  if (level >= hostLogLevel()) proxy_log(level, ptr, size);
}

/** `Log` at trace. @example proxywasm.LogTrace("entered"); */
export function LogTrace(message: string): void {
  Log(LogLevel.Trace, message);
}

/** `Log` at debug. @example proxywasm.LogDebug("cache miss"); */
export function LogDebug(message: string): void {
  Log(LogLevel.Debug, message);
}

/** `Log` at info. @example proxywasm.LogInfo("configured"); */
export function LogInfo(message: string): void {
  Log(LogLevel.Info, message);
}

/** `Log` at warn. @example proxywasm.LogWarn("slow collector"); */
export function LogWarn(message: string): void {
  Log(LogLevel.Warn, message);
}

/** `Log` at error. @example proxywasm.LogError("bad configuration"); */
export function LogError(message: string): void {
  Log(LogLevel.Error, message);
}

/** `Log` at critical. @example proxywasm.LogCritical("giving up"); */
export function LogCritical(message: string): void {
  Log(LogLevel.Critical, message);
}
