import { BufferType } from "../abi/enums.ts";
import type { StatusCode } from "../abi/status.ts";
import type { RedisLogin } from "../abi/vm-host.ts";
import type { RedisCall, RedisCaller } from "../http/redis-calls.ts";
import { Body } from "../state/body.ts";
import { noBytes, utf8 } from "../state/bytes.ts";
import type { Context } from "./context.ts";
import { RootCaller } from "./root-caller.ts";

const brokenConnection = 11;
const redisToken = 3;
const networkError = 1;

/**
 * Redis calls of one plugin context. The reply is readable, as buffer 9, in `proxy_on_redis_call_response` alone.
 *
 * Source: Higress' fork of Envoy, `source/extensions/common/wasm/context.cc` (onRedisCallSuccess, onRedisCallFailure).
 */
export class RootRedis extends RootCaller implements RedisCaller {
  readonly #calls = new Set<RedisCall>();
  #reply: Body | undefined;

  /** Tokens 7, 11, 15, … */
  nextRedisToken(): number {
    return this.root.owner.tokens.next(redisToken);
  }

  buffer(type: number): Body | undefined {
    return type === BufferType.RedisResponse ? this.#reply : undefined;
  }

  /** `proxy_redis_init`. */
  init(from: Context, login: RedisLogin): StatusCode {
    return this.root.owner.thread.world.redisCalls.init(this, from, login);
  }

  /** `proxy_redis_call`. */
  call(
    from: Context,
    cluster: string,
    query: Uint8Array,
  ): { readonly status: StatusCode; readonly token: number } {
    const { redisCalls } = this.root.owner.thread.world;
    const { status, token, call } = redisCalls.call(this, from, cluster, query);
    if (call !== undefined) this.#calls.add(call);
    return { status, token };
  }

  /** No answer any more. */
  release(reason: string): void {
    for (const call of this.#calls) this.root.owner.thread.world.redisCalls.cancel(call, reason);
    this.#calls.clear();
  }

  /** While the VM runs it waits for the end of that callback. */
  onRedisAnswered(call: RedisCall, reply: Uint8Array | null): void {
    this.#calls.delete(call);
    const { owner, id, calls } = this.root;
    if (owner.isRunning) {
      owner.defer(() => this.onRedisAnswered(call, reply));
      return;
    }
    const name = "proxy_on_redis_call_response";
    if (reply === null) {
      calls.lastFailure = { code: brokenConnection, message: utf8("reset") };
      owner.callThen(this.root, name, [id, call.token, networkError, 0], () => {
        calls.lastFailure = { code: brokenConnection, message: noBytes };
      });
      return;
    }
    this.#reply = new Body(reply, true);
    owner.callThen(this.root, name, [id, call.token, 0, reply.length], () => {
      this.#reply = undefined;
    });
  }
}
