/**
 * Names of the host's own events. `call`, `callback`, `return` and `trap` events carry ABI names, `log` events
 * the level ("trace" … "critical") with args `{ message: bytes, root: id }`. A trap's args are `{ message, function,
 * function_index, root, plugins }`; `root` is the id of the context's plugin context, `plugins` names all that live in the VM.
 *
 * `timer` events (what the host's loop does):
 *
 * | name                | args                                                          | status, result              |
 * | ------------------- | ------------------------------------------------------------- | --------------------------- |
 * | run_started         | { seed, profile, concurrency, start_ns: wall clock, bigint }    |                             |
 * | run_ended           | { shared_data: {vm_id: {key: {value, cas}}}, metrics: {name: n}, host_calls } |             |
 * | vm_created          | { kind: "base" | "canary" | "thread" }                          |                             |
 * | vm_gone             | { reason: "crashed" | "released" | "reloaded", plugins: [name…] } |                             |
 * | context_configured  | { root_id, vm_id, generation: n, configuration: bytes }        | "Ok" or "refused"; a refusal's last log line is result |
 * | context_draining    | {}  the plugin was reconfigured, this context is an older one   |                             |
 * | context_reused      | {}  its configuration came back before the drain was over       |                             |
 * | context_done        | {}  proxy_on_done was called on this root                       |                             |
 * | context_deleted     | {}                                                            |                             |
 * | shared_data_dropped | { vm_id, keys: n }  the last VM of the vm_id is gone, and its shared data with it |   |
 * | tick                | { late_ns }                                                    |                             |
 * | thread_paused       | { until_ns: since start of run }                                |                             |
 * | thread_resumed      | {}                                                            |                             |
 * | http_call_sent      | { call: id, root: id of the plugin context, cluster, method, path, headers: [[name, value]…], body, timeout_ms, token } |   |
 * | http_call_refused   | { cluster, reason }  the host refused the dispatch              | status name                 |
 * | http_call_arrived   | { call, refused: bool (by the fence) }                          | result: answered status or null |
 * | http_call_repeated  | { call, refused }  it arrives once more, as a fault wants it       | result: as above            |
 * | http_call_answered  | { call }  the guest is told; result is the :status, null for a reset |                        |
 * | http_call_dropped   | { call, reason }  nobody is left to be told                     |                             |
 * | grpc_sent           | { call, root, kind: "call" | "stream", cluster, path, metadata, message?, timeout_ms?, token } |     |
 * | grpc_refused        | { kind, service, reason }  the host refused the start           | status name                 |
 * | grpc_arrived        | { call }                                                       |                             |
 * | grpc_message_sent   | { call, message, end: bool }  of a stream                       |                             |
 * | grpc_closed         | { call, message }  how it ended                                | result: gRPC status         |
 * | grpc_dropped        | { call, reason }  cancelled                                     |                             |
 * | redis_call_sent     | { call: id, root, cluster, query: bytes, token }  a Higress plugin's Redis call |             |
 * | redis_call_refused  | { cluster }                                                     | status name                 |
 * | redis_call_answered | { call }  the guest is told; result is the reply, null for a failure |                        |
 * | redis_call_dropped  | { call, reason }  nobody is left to be told                     |                             |
 * | span_tag            | { request, name, value }  a Higress plugin tagged the span of the request |                     |
 * | undeclared_cluster  | { cluster }                                                    |                             |
 * | request_started     | { request: id, method, path, headers, body }                    |                             |
 * | request_upstream    | { request, headers, body }  what the upstream saw               |                             |
 * | continue_ignored    | { request, direction: "request" | "response" }  a continue of a filter that held nothing up |   |
 * | request_ended       | { request, headers, body, local: bool, expect?: status }        | result: status, null for a reset |
 * | connection_started  | { connection: id, listener }  a client's TCP connection          |                             |
 * | connection_data     | { connection, to: "client" | "upstream", bytes }                |                             |
 * | connection_ended    | { connection, by: "local" | "remote" }  Envoy closed it, or the client |                      |
 *
 * `fault` events: names as the scenario file's, `FaultName`; args as in that file, and for one before a host call `call`, the
 * call itself; status "applied" or "not_applied" (result: why), "skipped" for what may be missed. `reconfigure` has
 * status "refused" when the new configuration was refused.
 */
export const HostEvent = {
  runStarted: "run_started",
  runEnded: "run_ended",
  vmCreated: "vm_created",
  vmGone: "vm_gone",
  contextConfigured: "context_configured",
  contextDraining: "context_draining",
  contextReused: "context_reused",
  contextDone: "context_done",
  contextDeleted: "context_deleted",
  sharedDataDropped: "shared_data_dropped",
  tick: "tick",
  threadPaused: "thread_paused",
  threadResumed: "thread_resumed",
  httpCallSent: "http_call_sent",
  httpCallRefused: "http_call_refused",
  httpCallArrived: "http_call_arrived",
  httpCallRepeated: "http_call_repeated",
  httpCallAnswered: "http_call_answered",
  httpCallDropped: "http_call_dropped",
  grpcSent: "grpc_sent",
  grpcRefused: "grpc_refused",
  grpcArrived: "grpc_arrived",
  grpcMessageSent: "grpc_message_sent",
  grpcClosed: "grpc_closed",
  grpcDropped: "grpc_dropped",
  redisCallSent: "redis_call_sent",
  redisCallRefused: "redis_call_refused",
  redisCallAnswered: "redis_call_answered",
  redisCallDropped: "redis_call_dropped",
  spanTag: "span_tag",
  undeclaredCluster: "undeclared_cluster",
  requestStarted: "request_started",
  requestUpstream: "request_upstream",
  continueIgnored: "continue_ignored",
  requestEnded: "request_ended",
  connectionStarted: "connection_started",
  connectionData: "connection_data",
  connectionEnded: "connection_ended",
} as const;

export type FaultName =
  | "crash"
  | "restart"
  | "pause"
  | "trap"
  | "wipe"
  | "evict"
  | "wall_clock"
  | "set_shared_data"
  | "refuse"
  | "delay_calls"
  | "lost_answers"
  | "late_answers"
  | "duplicated_calls"
  | "late_ticks"
  | "bunched_ticks"
  | "fail_allocation"
  | "cas_storm"
  | "reconfigure"
  | "chaos"
  | "faults";
