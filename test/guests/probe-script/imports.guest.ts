/** The host's functions as they are: every one that a real Envoy links for ABI 0.2.1. */

// prettier-ignore
@external("env", "proxy_log")
export declare function log(level: u32, text: usize, textSize: usize): i32;
// prettier-ignore
@external("env", "proxy_get_log_level")
export declare function getLogLevel(level: usize): i32;
// prettier-ignore
@external("env", "proxy_get_current_time_nanoseconds")
export declare function getCurrentTime(time: usize): i32;
// prettier-ignore
@external("env", "proxy_set_tick_period_milliseconds")
export declare function setTickPeriod(ms: u32): i32;
// prettier-ignore
@external("env", "proxy_get_status")
export declare function getStatus(code: usize, message: usize, messageSize: usize): i32;
// prettier-ignore
@external("env", "proxy_set_effective_context")
export declare function setEffectiveContext(id: u32): i32;
// prettier-ignore
@external("env", "proxy_done")
export declare function done(): i32;
// prettier-ignore
@external("env", "proxy_call_foreign_function")
export declare function callForeignFunction(name: usize, nameSize: usize, argument: usize, argumentSize: usize, result: usize, resultSize: usize): i32;
// prettier-ignore
@external("env", "proxy_get_property")
export declare function getProperty(path: usize, pathSize: usize, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_set_property")
export declare function setProperty(path: usize, pathSize: usize, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_get_shared_data")
export declare function getSharedData(key: usize, keySize: usize, value: usize, valueSize: usize, cas: usize): i32;
// prettier-ignore
@external("env", "proxy_set_shared_data")
export declare function setSharedData(key: usize, keySize: usize, value: usize, valueSize: usize, cas: u32): i32;
// prettier-ignore
@external("env", "proxy_register_shared_queue")
export declare function registerQueue(name: usize, nameSize: usize, token: usize): i32;
// prettier-ignore
@external("env", "proxy_resolve_shared_queue")
export declare function resolveQueue(vmId: usize, vmIdSize: usize, name: usize, nameSize: usize, token: usize): i32;
// prettier-ignore
@external("env", "proxy_dequeue_shared_queue")
export declare function dequeue(token: u32, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_enqueue_shared_queue")
export declare function enqueue(token: u32, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_get_header_map_value")
export declare function getHeader(map: u32, key: usize, keySize: usize, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_add_header_map_value")
export declare function addHeader(map: u32, key: usize, keySize: usize, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_replace_header_map_value")
export declare function replaceHeader(map: u32, key: usize, keySize: usize, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_remove_header_map_value")
export declare function removeHeader(map: u32, key: usize, keySize: usize): i32;
// prettier-ignore
@external("env", "proxy_get_header_map_pairs")
export declare function getPairs(map: u32, pairs: usize, pairsSize: usize): i32;
// prettier-ignore
@external("env", "proxy_set_header_map_pairs")
export declare function setPairs(map: u32, pairs: usize, pairsSize: usize): i32;
// prettier-ignore
@external("env", "proxy_get_header_map_size")
export declare function getHeaderMapSize(map: u32, size: usize): i32;
// prettier-ignore
@external("env", "proxy_get_buffer_bytes")
export declare function getBuffer(buffer: u32, start: u32, length: u32, data: usize, dataSize: usize): i32;
// prettier-ignore
@external("env", "proxy_set_buffer_bytes")
export declare function setBuffer(buffer: u32, start: u32, length: u32, data: usize, dataSize: usize): i32;
// prettier-ignore
@external("env", "proxy_get_buffer_status")
export declare function getBufferStatus(buffer: u32, size: usize, flags: usize): i32;
// prettier-ignore
@external("env", "proxy_continue_stream")
export declare function continueStream(stream: u32): i32;
// prettier-ignore
@external("env", "proxy_close_stream")
export declare function closeStream(stream: u32): i32;
// prettier-ignore
@external("env", "proxy_send_local_response")
export declare function sendLocalResponse(status: u32, details: usize, detailsSize: usize, body: usize, bodySize: usize, headers: usize, headersSize: usize, grpcStatus: i32): i32;
// prettier-ignore
@external("env", "proxy_http_call")
export declare function httpCall(cluster: usize, clusterSize: usize, headers: usize, headersSize: usize, body: usize, bodySize: usize, trailers: usize, trailersSize: usize, timeoutMs: u32, token: usize): i32;
// prettier-ignore
@external("env", "proxy_grpc_call")
export declare function grpcCall(service: usize, serviceSize: usize, name: usize, nameSize: usize, method: usize, methodSize: usize, metadata: usize, metadataSize: usize, message: usize, messageSize: usize, timeoutMs: u32, token: usize): i32;
// prettier-ignore
@external("env", "proxy_grpc_stream")
export declare function grpcStream(service: usize, serviceSize: usize, name: usize, nameSize: usize, method: usize, methodSize: usize, metadata: usize, metadataSize: usize, token: usize): i32;
// prettier-ignore
@external("env", "proxy_grpc_send")
export declare function grpcSend(token: u32, message: usize, messageSize: usize, end: u32): i32;
// prettier-ignore
@external("env", "proxy_grpc_cancel")
export declare function grpcCancel(token: u32): i32;
// prettier-ignore
@external("env", "proxy_grpc_close")
export declare function grpcClose(token: u32): i32;
// prettier-ignore
@external("env", "proxy_define_metric")
export declare function defineMetric(type: u32, name: usize, nameSize: usize, id: usize): i32;
// prettier-ignore
@external("env", "proxy_increment_metric")
export declare function incrementMetric(id: u32, offset: i64): i32;
// prettier-ignore
@external("env", "proxy_record_metric")
export declare function recordMetric(id: u32, value: i64): i32;
// prettier-ignore
@external("env", "proxy_get_metric")
export declare function getMetric(id: u32, value: usize): i32;
// prettier-ignore
@external("env", "envoy_resolve_dns")
export declare function resolveDns(address: usize, addressSize: usize, token: usize): i32;

// prettier-ignore
@external("wasi_snapshot_preview1", "clock_time_get")
export declare function clockTimeGet(id: u32, precision: i64, time: usize): i32;
// prettier-ignore
@external("wasi_snapshot_preview1", "random_get")
export declare function randomGet(buffer: usize, size: usize): i32;
// prettier-ignore
@external("wasi_snapshot_preview1", "fd_write")
export declare function fdWrite(fd: u32, vectors: usize, vectorCount: usize, written: usize): i32;
// prettier-ignore
@external("wasi_snapshot_preview1", "environ_sizes_get")
export declare function environSizesGet(count: usize, size: usize): i32;
// prettier-ignore
@external("wasi_snapshot_preview1", "environ_get")
export declare function environGet(pointers: usize, buffer: usize): i32;
// prettier-ignore
@external("wasi_snapshot_preview1", "args_sizes_get")
export declare function argsSizesGet(count: usize, size: usize): i32;
// prettier-ignore
@external("wasi_snapshot_preview1", "proc_exit")
export declare function procExit(code: u32): void;
