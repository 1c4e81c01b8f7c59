import { Status, statusName, type StatusCode } from "../abi/status.ts";
import type { RedisLogin } from "../abi/vm-host.ts";
import { MockHostError } from "../errors.ts";
import { decodeCommands, encodeReply } from "../redis/resp.ts";
import { fromLatin1, latin1 } from "../state/bytes.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs, TraceSubject, TraceValue } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import { RedisClient, redisTarget } from "./redis-client.ts";
import { RedisCluster } from "./redis-cluster.ts";
import { FIRST_TIE, type DueEvent, type Lane, type Scheduler } from "./scheduler.ts";

/** A root context that calls Redis. */
export interface RedisCaller {
  readonly lane: Lane;
  readonly unreachable: string | null;
  /** The root context's id. */
  readonly id: number;
  nextRedisToken(): number;
  /** `reply` is RESP; null: the call has failed. */
  onRedisAnswered(call: RedisCall, reply: Uint8Array | null): void;
}

/** A query under way. */
export interface RedisCall {
  readonly id: number;
  readonly token: number;
  readonly caller: RedisCaller;
  readonly subject: TraceSubject;
  /** A binary string. */
  readonly query: string;
  readonly sentNs: number;
  isSettled: boolean;
}

export interface RedisCallsOptions {
  readonly scheduler: Scheduler;
  readonly recorder: Recorder;
  readonly clusters: Readonly<Record<string, ClusterOptions>>;
  readonly allowUndeclared: boolean;
  /** Milliseconds since 1970 on the machines of the Redis servers. */
  readonly nowMs: () => number;
}

/** A cluster that is there and speaks something else. */
const isNoRedis = "no_redis";

/**
 * Redis calls of all VMs. Each thread has a client a cluster; its queries reach the server in the order of the calls.
 *
 *     call ──(waits for company)──▶ carried out ──(delay)──▶ proxy_on_redis_call_response
 *       └─────────────── timeout, broken connection ───────▶ the same, with status 1
 *
 * Source: Higress' fork of Envoy, `source/extensions/common/wasm/context.cc` (redisInit, redisCall, onRedisCallSuccess,
 * onRedisCallFailure), `source/common/redis/async_client_impl.cc`.
 */
export class RedisCalls {
  readonly #options: RedisCallsOptions;
  readonly #clusters = new Map<string, RedisCluster>();
  readonly #clients = new Map<Lane, Map<string, RedisClient>>();
  #callCount = 0;

  constructor(options: RedisCallsOptions) {
    this.#options = options;
    for (const [name, declared] of Object.entries(options.clusters)) {
      if (typeof declared === "object" && declared !== null && "redis" in declared)
        this.#clusters.set(name, new RedisCluster(name, declared.redis, options.nowMs));
    }
  }

  /** Undefined when the cluster has no Redis. */
  cluster(name: string): RedisCluster | undefined {
    return this.#clusters.get(name);
  }

  get clusterNames(): string[] {
    return [...this.#clusters.keys()];
  }

  /** `proxy_redis_init`. BadArgument: unknown cluster. */
  init(caller: RedisCaller, subject: TraceSubject, login: RedisLogin): StatusCode {
    const { cluster: name, ...rest } = redisTarget(login.target);
    const cluster = this.#find(subject, name);
    if (cluster === undefined) return Status.BadArgument;
    if (cluster === isNoRedis) return Status.Ok;
    const { user, password, timeoutMs } = login;
    this.#client(caller.lane, cluster).configure({ user, password, timeoutMs, ...rest });
    return Status.Ok;
  }

  /** `proxy_redis_call`. BadArgument: unknown cluster; InternalFailure: no host to send to. */
  call(
    caller: RedisCaller,
    subject: TraceSubject,
    clusterName: string,
    query: Uint8Array,
  ): { status: StatusCode; token: number; call?: RedisCall } {
    const cluster = this.#find(subject, clusterName);
    if (cluster === undefined) return this.#refuse(subject, clusterName, Status.BadArgument);
    const token = caller.nextRedisToken();
    if (cluster !== isNoRedis && cluster.failure === "no_healthy_host")
      return this.#refuse(subject, clusterName, Status.InternalFailure);
    const { thread, vm, plugin, context } = subject;
    const call: RedisCall = {
      id: ++this.#callCount,
      token,
      caller,
      subject: { thread, vm, plugin, context },
      query: latin1(query),
      sentNs: this.#options.scheduler.nowNs,
      isSettled: false,
    };
    const args = { call: call.id, root: caller.id, cluster: clusterName, query, token };
    this.#record(call, HostEvent.redisCallSent, args);
    if (cluster === isNoRedis) this.#settleAt(null, call, call.sentNs, null);
    else this.#queue(this.#client(caller.lane, cluster), call);
    return { status: Status.Ok, token, call };
  }

  /** The caller goes away: no answer. */
  cancel(call: RedisCall, reason: string): void {
    if (call.isSettled) return;
    call.isSettled = true;
    this.#record(call, HostEvent.redisCallDropped, { call: call.id, reason });
  }

  #find(subject: TraceSubject, name: string): RedisCluster | typeof isNoRedis | undefined {
    const known = this.#clusters.get(name);
    if (known !== undefined) return known;
    if (Object.hasOwn(this.#options.clusters, name)) return isNoRedis;
    if (!this.#options.allowUndeclared) {
      this.#options.recorder.record(subject, "timer", HostEvent.undeclaredCluster, {
        cluster: name,
      });
      return undefined;
    }
    const made = new RedisCluster(name, {}, this.#options.nowMs);
    this.#clusters.set(name, made);
    return made;
  }

  #client(lane: Lane, cluster: RedisCluster): RedisClient {
    const clients = this.#clients.get(lane) ?? new Map<string, RedisClient>();
    this.#clients.set(lane, clients);
    const client = clients.get(cluster.name) ?? new RedisClient(cluster);
    clients.set(cluster.name, client);
    return client;
  }

  /** A query that is large enough, or need not wait, takes those along that wait. */
  #queue(client: RedisClient, call: RedisCall): void {
    const { flushMs, flushBytes } = client.settings;
    client.waiting.push(call);
    const isFirst = client.waiting.length === 1;
    const { nowNs } = this.#options.scheduler;
    if (flushMs === 0 || client.waitingBytes >= flushBytes) this.#flushAt(client, nowNs);
    else if (isFirst) this.#flushAt(client, nowNs + flushMs * 1e6);
  }

  #flushAt(client: RedisClient, dueNs: number): void {
    const flush = (): void => {
      for (const call of client.waiting.splice(0)) this.#arrive(client, call);
    };
    const event: DueEvent = { lane: null, class: EventClass.answer, run: flush };
    this.#options.scheduler.schedule(event, dueNs, FIRST_TIE);
  }

  #arrive(client: RedisClient, call: RedisCall): void {
    if (call.isSettled) return;
    const { nowNs } = this.#options.scheduler;
    const { cluster, settings } = client;
    client.pending.add(call);
    if (cluster.failure === "refuse_connection" || cluster.failure === "no_healthy_host") {
      this.#break(client);
      return;
    }
    const reply = this.#carriedOut(client, call);
    if (cluster.failure === "reset") {
      this.#break(client);
      return;
    }
    const isAnswered = cluster.failure !== "timeout" && reply !== null;
    const dueNs = isAnswered ? nowNs + cluster.delayNs : Infinity;
    const deadlineNs = settings.timeoutMs === 0 ? Infinity : call.sentNs + settings.timeoutMs * 1e6;
    if (dueNs <= deadlineNs) {
      if (dueNs !== Infinity) this.#settleAt(client, call, dueNs, reply);
    } else {
      const event: DueEvent = {
        lane: null,
        class: EventClass.answer,
        run: () => {
          if (!call.isSettled) this.#break(client);
        },
      };
      this.#options.scheduler.schedule(event, deadlineNs, FIRST_TIE);
    }
  }

  /** The connection is gone, and with it every answer that was to come: also when one has come too late. */
  #break(client: RedisClient): void {
    client.disconnect();
    const { nowNs } = this.#options.scheduler;
    for (const call of client.pending) this.#settleAt(client, call, nowNs, null);
    client.pending.clear();
  }

  /** Null: the query is the beginning of a command, and the server waits for the rest. */
  #carriedOut(client: RedisClient, { query }: RedisCall): Uint8Array | null {
    const { commands, error } = decodeCommands(query);
    if (error !== null) return fromLatin1(encodeReply({ kind: "error", text: error }));
    const [command] = commands;
    if (command === undefined) return null;
    if (commands.length > 1) {
      throw new MockHostError("E_UNSUPPORTED", "a Redis query with several commands", {
        remedy: "send one command a call: Envoy takes the second reply for the next call's",
      });
    }
    return fromLatin1(encodeReply(client.connection().run(command)));
  }

  /** Replies of one instant come in the order of the calls. */
  #settleAt(
    client: RedisClient | null,
    call: RedisCall,
    dueNs: number,
    reply: Uint8Array | null,
  ): void {
    const event: DueEvent = {
      lane: call.caller.lane,
      class: EventClass.answer,
      run: () => {
        client?.pending.delete(call);
        this.#settle(call, reply);
      },
    };
    this.#options.scheduler.schedule(event, dueNs, FIRST_TIE);
  }

  #settle(call: RedisCall, reply: Uint8Array | null): void {
    if (call.isSettled) return;
    const reason = call.caller.unreachable;
    if (reason !== null) {
      this.cancel(call, reason);
      return;
    }
    call.isSettled = true;
    this.#record(call, HostEvent.redisCallAnswered, { call: call.id }, reply);
    call.caller.onRedisAnswered(call, reply);
  }

  #refuse(subject: TraceSubject, cluster: string, status: StatusCode) {
    const { recorder } = this.#options;
    recorder.record(subject, "timer", HostEvent.redisCallRefused, { cluster }, statusName(status));
    return { status, token: 0 };
  }

  #record(call: RedisCall, name: string, args: TraceArgs, result: TraceValue = null): void {
    this.#options.recorder.record(call.subject, "timer", name, args, null, result);
  }
}
