import type { RedisConnection } from "../redis/server.ts";
import { MockHostError } from "../errors.ts";
import { latin1, utf8 } from "../state/bytes.ts";
import { requireKeys } from "../did-you-mean.ts";
import type { RedisCluster } from "./redis-cluster.ts";
import type { RedisCall } from "./redis-calls.ts";

/** What `proxy_redis_init` has said, or what holds without it. */
export interface RedisSettings {
  readonly user: string;
  readonly password: string;
  /** 0: calls wait for ever. */
  readonly timeoutMs: number;
  readonly database: number;
  /** Small queries wait so long for company; 0 sends each at once. */
  readonly flushMs: number;
  /** So many bytes are sent at once. */
  readonly flushBytes: number;
}

export const withoutInit: RedisSettings = {
  user: "",
  password: "",
  timeoutMs: 0,
  database: 0,
  flushMs: 0,
  flushBytes: 0,
};

const optionNames = ["db", "buffer_flush_timeout", "max_buffer_size_before_flush"];

/**
 * A cluster's name, and what stands after its `?`. E_OPTION for an option that is unknown or no number.
 *
 *     outbound|6379||redis.dns?db=2&buffer_flush_timeout=3&max_buffer_size_before_flush=1024
 */
export function redisTarget(text: string): {
  cluster: string;
  database: number;
  flushMs: number;
  flushBytes: number;
} {
  const at = text.indexOf("?");
  const cluster = at < 0 ? text : text.slice(0, at);
  const options: Record<string, number> = {};
  for (const pair of at < 0
    ? []
    : text
        .slice(at + 1)
        .split("&")
        .filter((part) => part !== "")) {
    const [name = "", value = ""] = pair.split("=", 2);
    if (!/^\d+$/.test(value)) {
      throw new MockHostError("E_OPTION", `proxy_redis_init: ${pair} of cluster ${cluster}`, {
        remedy: "give a whole number",
      });
    }
    options[name] = Number(value);
  }
  requireKeys(`proxy_redis_init: cluster ${cluster}`, options, optionNames);
  return {
    cluster,
    database: options["db"] ?? 0,
    flushMs: options["buffer_flush_timeout"] ?? 0,
    flushBytes: options["max_buffer_size_before_flush"] ?? 0,
  };
}

/**
 * One thread's client of one cluster: a connection, made when the first query leaves, and queries that wait to leave
 * together.
 *
 * Source: Envoy `source/extensions/filters/network/common/redis/client_impl.cc` (makeRequest, flushBufferAndResetTimer).
 */
export class RedisClient {
  readonly cluster: RedisCluster;
  settings: RedisSettings = withoutInit;
  /** Queries that have not left. */
  readonly waiting: RedisCall[] = [];
  /** Calls that have left and are not answered. */
  readonly pending = new Set<RedisCall>();
  #connection: RedisConnection | undefined;

  constructor(cluster: RedisCluster) {
    this.cluster = cluster;
  }

  /** What was said in an older init does not count for the next connection. */
  configure(settings: RedisSettings): void {
    this.settings = settings;
    this.#connection = undefined;
  }

  get waitingBytes(): number {
    return this.waiting.reduce((size, { query }) => size + query.length, 0);
  }

  /** The answers to AUTH and SELECT are nobody's: a refused login shows in the next command. */
  connection(): RedisConnection {
    if (this.#connection !== undefined) return this.#connection;
    const made = this.cluster.server.connect();
    const { user, password, database } = this.settings;
    const binary = (text: string) => latin1(utf8(text));
    if (password !== "")
      made.run(["AUTH", ...(user === "" ? [] : [binary(user)]), binary(password)]);
    if (database !== 0) made.run(["SELECT", String(database)]);
    this.#connection = made;
    return made;
  }

  disconnect(): void {
    this.#connection = undefined;
  }
}
