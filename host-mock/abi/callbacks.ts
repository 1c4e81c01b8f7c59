/**
 * Exports that a host looks up by name, with their types. An export of such a name and another type
 * makes the module unusable; other exports are ignored.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (getFunctions), Envoy
 * `source/extensions/common/wasm/wasm.cc`.
 */
import type { AbiVersion } from "./enums.ts";
import type { HostGroup } from "./signatures.ts";
import type { FunctionType } from "./wasm-types.ts";

/** i32 arguments → whether an i32 comes back. */
function callback(count: number, answers: boolean): FunctionType {
  return { params: new Array<string>(count).fill("i32"), results: answers ? ["i32"] : [] };
}

/** In the order in which a host looks them up, which decides whose wrong type it speaks of. */
const types: Readonly<Record<string, FunctionType>> = {
  proxy_validate_configuration: callback(2, true),
  proxy_on_vm_start: callback(2, true),
  proxy_on_configure: callback(2, true),
  proxy_on_tick: callback(1, false),
  proxy_on_context_create: callback(2, false),
  proxy_on_new_connection: callback(1, true),
  proxy_on_downstream_data: callback(3, true),
  proxy_on_upstream_data: callback(3, true),
  proxy_on_downstream_connection_close: callback(2, false),
  proxy_on_upstream_connection_close: callback(2, false),
  proxy_on_request_body: callback(3, true),
  proxy_on_request_trailers: callback(2, true),
  proxy_on_request_metadata: callback(2, true),
  proxy_on_response_body: callback(3, true),
  proxy_on_response_trailers: callback(2, true),
  proxy_on_response_metadata: callback(2, true),
  proxy_on_http_call_response: callback(5, false),
  proxy_on_grpc_receive: callback(3, false),
  proxy_on_grpc_close: callback(3, false),
  proxy_on_grpc_receive_initial_metadata: callback(3, false),
  proxy_on_grpc_receive_trailing_metadata: callback(3, false),
  proxy_on_queue_ready: callback(2, false),
  proxy_on_done: callback(1, true),
  proxy_on_log: callback(1, false),
  proxy_on_delete: callback(1, false),
};

const foreignFunction = callback(3, false);

const ofGroups: Readonly<Partial<Record<HostGroup, Readonly<Record<string, FunctionType>>>>> = {
  envoy: { envoy_on_resolve_dns: callback(3, false), envoy_on_stats_update: callback(2, false) },
  higress: { proxy_on_redis_call_response: callback(4, false) },
};

/** The callbacks a host looks for in a module of this version, by name. */
export function callbackTypes(
  abi: AbiVersion,
  groups: ReadonlySet<HostGroup>,
): ReadonlyMap<string, FunctionType> {
  const found = new Map(Object.entries(types));
  const headers = abi === "0.1.0" ? callback(2, true) : callback(3, true);
  found.set("proxy_on_request_headers", headers).set("proxy_on_response_headers", headers);
  if (abi !== "0.1.0") found.set("proxy_on_foreign_function", foreignFunction);
  for (const group of groups) {
    for (const [name, type] of Object.entries(ofGroups[group] ?? {})) found.set(name, type);
  }
  return found;
}

const noArguments = callback(0, false);

/**
 * Start functions and allocator that the host looks up, given what the module exports: `main` and
 * `__main_void` only beside `_initialize`, `_start` only without it, `proxy_on_memory_allocate`
 * only without `malloc`.
 */
export function lifecycleTypes(exported: ReadonlySet<string>): ReadonlyMap<string, FunctionType> {
  const found = new Map<string, FunctionType>();
  if (exported.has("_initialize")) {
    found.set("_initialize", noArguments);
    if (exported.has("main")) found.set("main", callback(2, true));
    else found.set("__main_void", callback(0, true));
  } else {
    found.set("_start", noArguments);
  }
  found.set(exported.has("malloc") ? "malloc" : "proxy_on_memory_allocate", callback(1, true));
  return found;
}
