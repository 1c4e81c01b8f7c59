/**
 * The WASI functions the SDK uses. Unlike all of `proxy_*` but the log, the host allows them while
 * `_initialize` runs. Source: proxy-wasm-cpp-host `exports.cc`.
 */
import "./abort";

/** Nanoseconds since 1970. */
export const CLOCK_REALTIME: u32 = 0;
/** Nanoseconds since an instant of the host's choice; never set back. */
export const CLOCK_MONOTONIC: u32 = 1;
/** The host refuses longer requests with `Errno.Invalid`. */
export const RANDOM_BYTES_MAX: u32 = 65536;

// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "clock_time_get")
export declare function clock_time_get(clockId: u32, precision: u64, timeOut: usize): u32;

// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "random_get")
export declare function random_get(bufferPtr: usize, bufferSize: usize): u32;
