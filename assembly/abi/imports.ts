/**
 * Every host function of ABI 0.2.1, as the host defines it: pointers and sizes in, `Status` out. A
 * module imports only those that its code can reach. Plugin authors call `proxywasm` instead.
 * Source: proxy-wasm spec 0.2.1, proxy-wasm-cpp-host `exports.h`.
 */
import "./abort"; // asconfig.json names its hook, so it is in every program that can call the host.

export { proxy_log } from "./proxy-log";

// Integration

// @ts-ignore: decorator
@external("env", "proxy_set_effective_context")
export declare function proxy_set_effective_context(contextId: u32): u32;

// @ts-ignore: decorator
@external("env", "proxy_done")
export declare function proxy_done(): u32;

// @ts-ignore: decorator
@external("env", "proxy_get_status")
export declare function proxy_get_status(
  codeOut: usize,
  messagePtrOut: usize,
  messageSizeOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_call_foreign_function")
export declare function proxy_call_foreign_function(
  namePtr: usize,
  nameSize: usize,
  argumentPtr: usize,
  argumentSize: usize,
  resultPtrOut: usize,
  resultSizeOut: usize,
): u32;

// Logging and time

// @ts-ignore: decorator
@external("env", "proxy_get_log_level")
export declare function proxy_get_log_level(levelOut: usize): u32;

// @ts-ignore: decorator
@external("env", "proxy_get_current_time_nanoseconds")
export declare function proxy_get_current_time_nanoseconds(timeOut: usize): u32;

// @ts-ignore: decorator
@external("env", "proxy_set_tick_period_milliseconds")
export declare function proxy_set_tick_period_milliseconds(periodMs: u32): u32;

// Header maps

// @ts-ignore: decorator
@external("env", "proxy_get_header_map_value")
export declare function proxy_get_header_map_value(
  mapType: u32,
  keyPtr: usize,
  keySize: usize,
  valuePtrOut: usize,
  valueSizeOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_add_header_map_value")
export declare function proxy_add_header_map_value(
  mapType: u32,
  keyPtr: usize,
  keySize: usize,
  valuePtr: usize,
  valueSize: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_replace_header_map_value")
export declare function proxy_replace_header_map_value(
  mapType: u32,
  keyPtr: usize,
  keySize: usize,
  valuePtr: usize,
  valueSize: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_remove_header_map_value")
export declare function proxy_remove_header_map_value(
  mapType: u32,
  keyPtr: usize,
  keySize: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_get_header_map_pairs")
export declare function proxy_get_header_map_pairs(
  mapType: u32,
  pairsPtrOut: usize,
  pairsSizeOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_set_header_map_pairs")
export declare function proxy_set_header_map_pairs(
  mapType: u32,
  pairsPtr: usize,
  pairsSize: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_get_header_map_size")
export declare function proxy_get_header_map_size(mapType: u32, sizeOut: usize): u32;

// Buffers

// @ts-ignore: decorator
@external("env", "proxy_get_buffer_bytes")
export declare function proxy_get_buffer_bytes(
  bufferType: u32,
  start: u32,
  length: u32,
  bytesPtrOut: usize,
  bytesSizeOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_set_buffer_bytes")
export declare function proxy_set_buffer_bytes(
  bufferType: u32,
  start: u32,
  length: u32,
  bytesPtr: usize,
  bytesSize: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_get_buffer_status")
export declare function proxy_get_buffer_status(
  bufferType: u32,
  sizeOut: usize,
  flagsOut: usize,
): u32;

// Streams

// @ts-ignore: decorator
@external("env", "proxy_continue_stream")
export declare function proxy_continue_stream(streamType: u32): u32;

// @ts-ignore: decorator
@external("env", "proxy_close_stream")
export declare function proxy_close_stream(streamType: u32): u32;

// @ts-ignore: decorator
@external("env", "proxy_send_local_response")
export declare function proxy_send_local_response(
  statusCode: u32,
  detailsPtr: usize,
  detailsSize: usize,
  bodyPtr: usize,
  bodySize: usize,
  headersPtr: usize,
  headersSize: usize,
  grpcStatus: i32,
): u32;

// HTTP and gRPC calls

// @ts-ignore: decorator
@external("env", "proxy_http_call")
export declare function proxy_http_call(
  clusterPtr: usize,
  clusterSize: usize,
  headersPtr: usize,
  headersSize: usize,
  bodyPtr: usize,
  bodySize: usize,
  trailersPtr: usize,
  trailersSize: usize,
  timeoutMs: u32,
  tokenOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_grpc_call")
export declare function proxy_grpc_call(
  upstreamPtr: usize,
  upstreamSize: usize,
  servicePtr: usize,
  serviceSize: usize,
  methodPtr: usize,
  methodSize: usize,
  metadataPtr: usize,
  metadataSize: usize,
  messagePtr: usize,
  messageSize: usize,
  timeoutMs: u32,
  tokenOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_grpc_stream")
export declare function proxy_grpc_stream(
  upstreamPtr: usize,
  upstreamSize: usize,
  servicePtr: usize,
  serviceSize: usize,
  methodPtr: usize,
  methodSize: usize,
  metadataPtr: usize,
  metadataSize: usize,
  tokenOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_grpc_send")
export declare function proxy_grpc_send(
  token: u32,
  messagePtr: usize,
  messageSize: usize,
  endStream: u32,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_grpc_cancel")
export declare function proxy_grpc_cancel(token: u32): u32;

// @ts-ignore: decorator
@external("env", "proxy_grpc_close")
export declare function proxy_grpc_close(token: u32): u32;

// Shared data and queues

// @ts-ignore: decorator
@external("env", "proxy_get_shared_data")
export declare function proxy_get_shared_data(
  keyPtr: usize,
  keySize: usize,
  valuePtrOut: usize,
  valueSizeOut: usize,
  casOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_set_shared_data")
export declare function proxy_set_shared_data(
  keyPtr: usize,
  keySize: usize,
  valuePtr: usize,
  valueSize: usize,
  cas: u32,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_register_shared_queue")
export declare function proxy_register_shared_queue(
  namePtr: usize,
  nameSize: usize,
  tokenOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_resolve_shared_queue")
export declare function proxy_resolve_shared_queue(
  vmIdPtr: usize,
  vmIdSize: usize,
  namePtr: usize,
  nameSize: usize,
  tokenOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_dequeue_shared_queue")
export declare function proxy_dequeue_shared_queue(
  token: u32,
  valuePtrOut: usize,
  valueSizeOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_enqueue_shared_queue")
export declare function proxy_enqueue_shared_queue(
  token: u32,
  valuePtr: usize,
  valueSize: usize,
): u32;

// Metrics and properties

// @ts-ignore: decorator
@external("env", "proxy_define_metric")
export declare function proxy_define_metric(
  metricType: u32,
  namePtr: usize,
  nameSize: usize,
  metricIdOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_increment_metric")
export declare function proxy_increment_metric(metricId: u32, offset: i64): u32;

// @ts-ignore: decorator
@external("env", "proxy_record_metric")
export declare function proxy_record_metric(metricId: u32, value: u64): u32;

// @ts-ignore: decorator
@external("env", "proxy_get_metric")
export declare function proxy_get_metric(metricId: u32, valueOut: usize): u32;

// @ts-ignore: decorator
@external("env", "proxy_get_property")
export declare function proxy_get_property(
  pathPtr: usize,
  pathSize: usize,
  valuePtrOut: usize,
  valueSizeOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_set_property")
export declare function proxy_set_property(
  pathPtr: usize,
  pathSize: usize,
  valuePtr: usize,
  valueSize: usize,
): u32;
