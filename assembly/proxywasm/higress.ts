/**
 * What only Higress has. A module that calls one of these does not load in Envoy: the build says so
 * by importing the function, and only then.
 */
import { BufferType, Status } from "../abi/enums";
import {
  proxy_get_upstream_hosts,
  proxy_inject_encoded_data_to_filter_chain,
  proxy_redis_call,
  proxy_redis_init,
  proxy_set_upstream_override_host,
} from "../abi/higress";
import { OUT_PTR, OUT_SIZE, OUT_WORD } from "../memory/out";
import { encodeBuffer } from "../memory/utf8";
import { headersAnswer, tokenAnswer } from "./answers";
import { GetBuffer, TO_END } from "./buffer";
import { BytesResult, HeadersResult, TokenResult } from "./result";

/**
 * Prepares this thread's Redis client of a cluster. `timeoutMs` is in milliseconds; the cluster may
 * carry options (`redis?db=1`). Statuses: Ok; BadArgument for an unknown cluster. In: any callback.
 * @example proxywasm.RedisInit("redis", "", "secret", 1000);
 * Source: Higress' proxy-wasm-cpp-host, `redis_init`.
 */
export function RedisInit(
  cluster: string,
  username: string,
  password: string,
  timeoutMs: u32,
): Status {
  const name = encodeBuffer(cluster);
  const user = encodeBuffer(username);
  const secret = encodeBuffer(password);
  return proxy_redis_init(
    changetype<usize>(name),
    name.byteLength,
    changetype<usize>(user),
    user.byteLength,
    changetype<usize>(secret),
    secret.byteLength,
    timeoutMs,
  );
}

/**
 * Sends a command in Redis' own form (RESP). The answer comes to the Redis callback of the root.
 * Statuses: Ok; BadArgument for an unknown cluster; InternalFailure. In: any callback.
 * @example proxywasm.DispatchRedisCall("redis", wrapper.utf8.encode("*1\r\n$4\r\nPING\r\n"));
 * Source: Higress' proxy-wasm-cpp-host, `redis_call`.
 */
export function DispatchRedisCall(cluster: string, query: Uint8Array): TokenResult {
  const name = encodeBuffer(cluster);
  return tokenAnswer(
    proxy_redis_call(
      changetype<usize>(name),
      name.byteLength,
      query.dataStart,
      query.byteLength,
      OUT_WORD,
    ),
  );
}

/**
 * The answer of a Redis call, in RESP. Status: Ok (empty outside the callback). In: the Redis
 * callback.
 * @example proxywasm.GetRedisCallResponse().value
 * Source: Higress' Envoy `context.cc`.
 */
export function GetRedisCallResponse(): BytesResult {
  return GetBuffer(BufferType.RedisCallResponse, 0, TO_END);
}

/**
 * Sends bytes into the response behind this filter, at once. Statuses: Ok. In: callbacks of a
 * stream whose response body is held, or after `SetEffectiveContext`.
 * @example proxywasm.InjectEncodedDataToFilterChain(bytes, true);
 * Source: Higress' proxy-wasm-cpp-host, `inject_encoded_data_to_filter_chain`.
 */
export function InjectEncodedDataToFilterChain(body: Uint8Array, endOfStream: bool): Status {
  return proxy_inject_encoded_data_to_filter_chain(
    body.dataStart,
    body.byteLength,
    endOfStream ? 1 : 0,
  );
}

/**
 * The hosts of the route's cluster: address → text with the host's statistics. Statuses: Ok (with
 * no entry when there are none); ParseFailure. In: callbacks of a stream.
 * @example proxywasm.GetUpstreamHosts().headers.Size()
 * Source: Higress' proxy-wasm-cpp-host, `get_upstream_hosts`.
 */
export function GetUpstreamHosts(): HeadersResult {
  return headersAnswer(proxy_get_upstream_hosts(OUT_PTR, OUT_SIZE));
}

/**
 * Asks the load balancer to send this request to one host. Statuses: Ok. In: request callbacks.
 * @example proxywasm.SetUpstreamOverrideHost("10.0.0.7:8080");
 * Source: Higress' proxy-wasm-cpp-host, `set_upstream_override_host`.
 */
export function SetUpstreamOverrideHost(address: string): Status {
  const bytes = encodeBuffer(address);
  return proxy_set_upstream_override_host(changetype<usize>(bytes), bytes.byteLength);
}
