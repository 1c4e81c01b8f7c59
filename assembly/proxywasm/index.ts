/** The host's calls, one function each. What the wrapper does not cover is done with these. */
export {
  Action,
  BufferType,
  DataAction,
  HeadersAction,
  LogLevel,
  MapType,
  MetricType,
  PeerType,
  Status,
  StreamType,
} from "../abi/enums";
export { HeaderPair, Headers } from "../memory/headers";
export * from "./result";
export * from "./log";
export * from "./time";
export * from "./random";
export * from "./configuration";
export * from "./buffer";
export * from "./body";
export * from "./request-headers";
export * from "./response-headers";
export * from "./trailers";
export * from "./stream";
export * from "./http-call";
export * from "./grpc-call";
export * from "./shared-data";
export * from "./shared-queue";
export * from "./metrics";
export * from "./property";
export * from "./foreign";
export * from "./tcp";
export * from "./higress";
