/**
 * A guest by remote control, on raw imports: it tells of every callback it gets and does in it what a script says.
 * Scripts stand in the plugin's configuration (callbacks of the root, and of streams without request headers) and in
 * the request header `x-probe-NAME` or `x-probe` (callbacks of that stream, and answers to its calls). The words are
 * those of `test/conformance/README.md`.
 */
import {
  callerOf,
  contextOf,
  createContext,
  forgetContext,
  readHeaderScript,
  readRoot,
  useRootScript,
} from "./contexts.guest";
import { allocate } from "./out.guest";
import { run, Telling } from "./run.guest";

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return allocate(size);
}

function text(name: string, id: u32): string {
  return name + "(ctx=" + id.toString();
}

function named(label: string, value: u32): string {
  return " " + label + "=" + value.toString();
}

export function proxy_on_context_create(id: u32, parent: u32): void {
  const context = createContext(id, parent);
  const call = text("context_create", id) + named("parent", parent) + ")";
  if (parent == 0) run(context, "context_create", call);
  else run(contextOf(parent), "stream_create", call);
}

export function proxy_on_vm_start(id: u32, size: u32): i32 {
  return run(contextOf(id), "start", text("start", id) + named("size", size) + ")", 1);
}

export function proxy_validate_configuration(id: u32, size: u32): i32 {
  return run(contextOf(id), "validate", text("validate", id) + named("size", size) + ")", 1);
}

export function proxy_on_configure(id: u32, size: u32): i32 {
  const context = contextOf(id);
  readRoot(context);
  return run(context, "configure", text("configure", id) + named("size", size) + ")", 1);
}

export function proxy_on_tick(id: u32): void {
  run(contextOf(id), "tick", text("tick", id) + ")", 0, Telling.withLine);
}

export function proxy_on_queue_ready(id: u32, token: u32): void {
  run(contextOf(id), "queue_ready", text("queue_ready", id) + named("token", token) + ")");
}

export function proxy_on_foreign_function(id: u32, token: u32, size: u32): void {
  const call = text("foreign_function", id) + named("id", token) + named("size", size) + ")";
  run(contextOf(id), "foreign_function", call);
}

export function proxy_on_http_call_response(
  id: u32,
  token: u32,
  count: u32,
  size: u32,
  trailers: u32,
): void {
  const sizes = named("n", count) + named("size", size) + named("trailers", trailers);
  const call = text("http_call_response", id) + named("token", token) + sizes + ")";
  run(callerOf(token, id), "http_call_response", call);
}

function answered(name: string, id: u32, token: u32, more: string): void {
  run(callerOf(token, id), name, text(name, id) + named("token", token) + more + ")");
}

export function proxy_on_grpc_receive_initial_metadata(id: u32, token: u32, count: u32): void {
  answered("grpc_initial", id, token, named("n", count));
}

export function proxy_on_grpc_receive(id: u32, token: u32, size: u32): void {
  answered("grpc_receive", id, token, named("size", size));
}

export function proxy_on_grpc_receive_trailing_metadata(id: u32, token: u32, count: u32): void {
  answered("grpc_trailing", id, token, named("n", count));
}

export function proxy_on_grpc_close(id: u32, token: u32, status: u32): void {
  answered("grpc_close", id, token, named("status", status));
}

export function proxy_on_redis_call_response(id: u32, token: u32, status: u32, size: u32): void {
  answered("redis", id, token, named("status", status) + named("size", size));
}

export function envoy_on_resolve_dns(id: u32, token: u32, size: u32): void {
  const call = text("dns", id) + named("token", token) + named("size", size) + ")";
  run(contextOf(id), "dns", call);
}

export function envoy_on_stats_update(id: u32, _size: u32): void {
  run(contextOf(id), "stats", text("stats", id) + ")", 0, Telling.withLine);
}

function streamHeaders(name: string, id: u32, count: u32, end: u32): i32 {
  const call = text(name, id) + named("n", count) + named("end", end) + ")";
  return run(contextOf(id), name, call);
}

function streamBody(name: string, id: u32, size: u32, end: u32): i32 {
  const call = text(name, id) + named("size", size) + named("end", end) + ")";
  return run(contextOf(id), name, call);
}

function streamRest(name: string, id: u32, count: u32): i32 {
  return run(contextOf(id), name, text(name, id) + named("n", count) + ")");
}

export function proxy_on_request_headers(id: u32, count: u32, end: u32): i32 {
  readHeaderScript(contextOf(id));
  return streamHeaders("request_headers", id, count, end);
}

export function proxy_on_request_body(id: u32, size: u32, end: u32): i32 {
  return streamBody("request_body", id, size, end);
}

export function proxy_on_request_trailers(id: u32, count: u32): i32 {
  return streamRest("request_trailers", id, count);
}

export function proxy_on_request_metadata(id: u32, count: u32): i32 {
  return streamRest("request_metadata", id, count);
}

export function proxy_on_response_headers(id: u32, count: u32, end: u32): i32 {
  return streamHeaders("response_headers", id, count, end);
}

export function proxy_on_response_body(id: u32, size: u32, end: u32): i32 {
  return streamBody("response_body", id, size, end);
}

export function proxy_on_response_trailers(id: u32, count: u32): i32 {
  return streamRest("response_trailers", id, count);
}

export function proxy_on_response_metadata(id: u32, count: u32): i32 {
  return streamRest("response_metadata", id, count);
}

export function proxy_on_new_connection(id: u32): i32 {
  const context = contextOf(id);
  useRootScript(context);
  return run(context, "new_connection", text("new_connection", id) + ")");
}

export function proxy_on_downstream_data(id: u32, size: u32, end: u32): i32 {
  return streamBody("downstream_data", id, size, end);
}

export function proxy_on_upstream_data(id: u32, size: u32, end: u32): i32 {
  return streamBody("upstream_data", id, size, end);
}

function closed(name: string, id: u32, peer: u32): void {
  run(contextOf(id), name, text(name, id) + named("peer", peer) + ")");
}

export function proxy_on_downstream_connection_close(id: u32, peer: u32): void {
  closed("downstream_close", id, peer);
}

export function proxy_on_upstream_connection_close(id: u32, peer: u32): void {
  closed("upstream_close", id, peer);
}

export function proxy_on_log(id: u32): void {
  const context = contextOf(id);
  readHeaderScript(context);
  useRootScript(context);
  run(context, "log", text("log", id) + ")");
}

/** A root's own, or a stream's that shares its root's script, under names of their own. */
function ending(name: string, id: u32, answer: i32): i32 {
  const context = contextOf(id);
  const line = context.isRootScript ? "stream_" + name : name;
  return run(context, line, text(name, id) + ")", answer);
}

export function proxy_on_done(id: u32): i32 {
  return ending("done", id, 1);
}

export function proxy_on_delete(id: u32): void {
  ending("delete", id, 0);
  forgetContext(id);
}
