/** Numbers of the ABI, by wire value. Source: proxy-wasm-cpp-host `proxy_wasm_common.h`. */

/** How much a log line matters. `Off` is only ever an answer: the host logs nothing at all. */
export enum LogLevel {
  Trace = 0,
  Debug = 1,
  Info = 2,
  Warn = 3,
  Error = 4,
  Critical = 5,
  Off = 6,
}

/** What a host call returns. Anything but `Ok` means that nothing was read or changed. */
export enum Status {
  Ok = 0,
  NotFound = 1,
  BadArgument = 2,
  SerializationFailure = 3,
  ParseFailure = 4,
  BadExpression = 5,
  InvalidMemoryAccess = 6,
  Empty = 7,
  CasMismatch = 8,
  ResultMismatch = 9,
  InternalFailure = 10,
  BrokenConnection = 11,
  Unimplemented = 12,
}

/** What a callback of a stream returns. Envoy takes the wider sets below as well. */
export enum Action {
  Continue = 0,
  Pause = 1,
}

/** Results of header callbacks that Envoy tells apart. It treats 1 as 3; Higress' ABI keeps 1. */
export enum HeadersAction {
  Continue = 0,
  StopIteration = 1,
  ContinueAndEndStream = 2,
  StopAllIterationAndBuffer = 3,
  StopAllIterationAndWatermark = 4,
}

/** Results of body callbacks that Envoy tells apart. */
export enum DataAction {
  Continue = 0,
  StopIterationAndBuffer = 1,
  StopIterationAndWatermark = 2,
  StopIterationNoBuffer = 3,
}

export enum BufferType {
  HttpRequestBody = 0,
  HttpResponseBody = 1,
  DownstreamData = 2,
  UpstreamData = 3,
  HttpCallResponseBody = 4,
  GrpcReceiveBuffer = 5,
  VmConfiguration = 6,
  PluginConfiguration = 7,
  CallData = 8,
  /** Higress only. */
  RedisCallResponse = 9,
}

export enum MapType {
  HttpRequestHeaders = 0,
  HttpRequestTrailers = 1,
  HttpResponseHeaders = 2,
  HttpResponseTrailers = 3,
  GrpcReceiveInitialMetadata = 4,
  GrpcReceiveTrailingMetadata = 5,
  HttpCallResponseHeaders = 6,
  HttpCallResponseTrailers = 7,
}

export enum StreamType {
  Request = 0,
  Response = 1,
  Downstream = 2,
  Upstream = 3,
}

export enum MetricType {
  Counter = 0,
  Gauge = 1,
  Histogram = 2,
}

/** Who closed a TCP connection. */
export enum PeerType {
  Unknown = 0,
  Local = 1,
  Remote = 2,
}

/** Codes of WASI that the hosts return. Source: WASI preview 1, `errno`. */
export enum Errno {
  Success = 0,
  Fault = 21,
  Invalid = 28,
  NotSupported = 58,
  /** The host restricts this call (Envoy's capability restriction). */
  NotCapable = 76,
}
