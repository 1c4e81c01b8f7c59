import type { TraceArgs } from "../trace/event.ts";

/** Names of what a callback is given, in order; the first is the context it is for. */
const argumentNames: Readonly<Record<string, readonly string[]>> = {
  proxy_on_context_create: ["parent"],
  proxy_on_vm_start: ["size"],
  proxy_on_configure: ["size"],
  proxy_on_request_headers: ["headers", "end_of_stream"],
  proxy_on_response_headers: ["headers", "end_of_stream"],
  proxy_on_request_body: ["size", "end_of_stream"],
  proxy_on_response_body: ["size", "end_of_stream"],
  proxy_on_request_trailers: ["trailers"],
  proxy_on_response_trailers: ["trailers"],
  proxy_on_http_call_response: ["token", "headers", "body_size", "trailers"],
  proxy_on_redis_call_response: ["token", "status", "size"],
  proxy_on_grpc_receive_initial_metadata: ["token", "headers"],
  proxy_on_grpc_receive: ["token", "size"],
  proxy_on_grpc_receive_trailing_metadata: ["token", "trailers"],
  proxy_on_grpc_close: ["token", "status"],
  envoy_on_resolve_dns: ["token", "size"],
  proxy_on_queue_ready: ["token"],
};

export const noArguments: TraceArgs = {};

/** Arguments of a callback by name, without the context it is for. */
export function callbackArgs(callback: string, args: readonly number[]): TraceArgs {
  const names = argumentNames[callback];
  if (names === undefined) return noArguments;
  return Object.fromEntries(names.map((name, index) => [name, args[index + 1] ?? 0]));
}
