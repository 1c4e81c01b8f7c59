/**
 * Host functions that only Higress has. Envoy refuses a module that imports one of them, so nothing
 * of the SDK reaches this file unless the plugin itself calls one of the Higress functions.
 * Source: the Higress fork of proxy-wasm-cpp-host, `exports.h`.
 */
import "./abort";

// @ts-ignore: decorator
@external("env", "proxy_redis_init")
export declare function proxy_redis_init(
  clusterPtr: usize,
  clusterSize: usize,
  usernamePtr: usize,
  usernameSize: usize,
  passwordPtr: usize,
  passwordSize: usize,
  timeoutMs: u32,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_redis_call")
export declare function proxy_redis_call(
  clusterPtr: usize,
  clusterSize: usize,
  queryPtr: usize,
  querySize: usize,
  tokenOut: usize,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_inject_encoded_data_to_filter_chain")
export declare function proxy_inject_encoded_data_to_filter_chain(
  bodyPtr: usize,
  bodySize: usize,
  endStream: u32,
): u32;

// @ts-ignore: decorator
@external("env", "proxy_get_upstream_hosts")
export declare function proxy_get_upstream_hosts(pairsPtrOut: usize, pairsSizeOut: usize): u32;

// @ts-ignore: decorator
@external("env", "proxy_set_upstream_override_host")
export declare function proxy_set_upstream_override_host(
  addressPtr: usize,
  addressSize: usize,
): u32;
