/**
 * Enumerations of the ABI, by wire value (proxy-wasm-cpp-host `proxy_wasm_common.h`,
 * `proxy_wasm_enums.h`).
 */

export const LogLevel = { trace: 0, debug: 1, info: 2, warn: 3, error: 4, critical: 5 } as const;

/** Names of log levels by value; 6, `off`, is a level of loggers, not of lines. */
export const logLevelNames = [
  "trace",
  "debug",
  "info",
  "warn",
  "error",
  "critical",
  "off",
] as const;

export const HeaderMapType = {
  RequestHeaders: 0,
  RequestTrailers: 1,
  ResponseHeaders: 2,
  ResponseTrailers: 3,
  GrpcReceiveInitialMetadata: 4,
  GrpcReceiveTrailingMetadata: 5,
  HttpCallResponseHeaders: 6,
  HttpCallResponseTrailers: 7,
} as const;

export const BufferType = {
  RequestBody: 0,
  ResponseBody: 1,
  DownstreamData: 2,
  UpstreamData: 3,
  HttpCallResponseBody: 4,
  GrpcReceive: 5,
  VmConfiguration: 6,
  PluginConfiguration: 7,
  CallData: 8,
  /** Higress only. */
  RedisResponse: 9,
} as const;

export const StreamType = { Request: 0, Response: 1, Downstream: 2, Upstream: 3 } as const;

export const HeadersAction = {
  Continue: 0,
  StopIteration: 1,
  ContinueAndEndStream: 2,
  StopAllIterationAndBuffer: 3,
  StopAllIterationAndWatermark: 4,
} as const;

export const DataAction = {
  Continue: 0,
  StopIterationAndBuffer: 1,
  StopIterationAndWatermark: 2,
  StopIterationNoBuffer: 3,
} as const;

export const MetricType = { Counter: 0, Gauge: 1, Histogram: 2 } as const;

/** Results of WASI functions that this host gives. */
export const Errno = {
  Success: 0,
  BadFile: 8,
  Fault: 21,
  Invalid: 28,
  NoEntry: 44,
  NotDirectory: 20,
  NotImplemented: 52,
  NotSupported: 58,
} as const;

/** The ABI version a module is bound to. */
export type AbiVersion = "0.1.0" | "0.2.0" | "0.2.1" | "0.2.100";
