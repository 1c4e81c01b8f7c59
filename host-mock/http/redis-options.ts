/** How a Redis cluster fails its calls: the plugin is told status 1, and `proxy_get_status` says 11, "reset". */
export const redisFailures = ["timeout", "reset", "refuse_connection", "no_healthy_host"] as const;

/**
 * - `timeout`: commands are carried out and never answered; the plugin is told at the client's timeout.
 * - `reset`: commands are carried out, and the connection breaks in place of the answer.
 * - `refuse_connection`: nothing arrives.
 * - `no_healthy_host`: `proxy_redis_call` itself answers InternalFailure.
 */
export type RedisFailure = (typeof redisFailures)[number];

export interface RedisOptions {
  /** What `AUTH` must give; absent: nobody has to log in. */
  readonly password?: string;
  /** Whose password it is; "default" when absent. */
  readonly user?: string;
  /** Between a command's arrival and its answer; "0ms" when absent. */
  readonly delay?: string;
  readonly fail?: RedisFailure;
  /** Carried out before everything else, in database 0: `[["SET", "key", "value"]]`. */
  readonly commands?: readonly (readonly string[])[];
}

/** A cluster with one Redis server in memory, for Higress' `proxy_redis_call`. */
export interface RedisClusterOptions {
  readonly redis: RedisOptions;
}

/** A reply for a test: `+OK` and bulk strings as text (U+FFFD for what is not UTF-8), errors as `{ error }`, integers
 * as numbers, those beyond 2^53 − 1 as bigints. */
export type RedisAnswer =
  string | number | bigint | null | { readonly error: string } | readonly RedisAnswer[];

/** The server of a cluster as a test sees it. */
export interface RedisHandle {
  /** Carries out a command now, in database 0, past latency, login and failure. */
  command(...words: readonly string[]): RedisAnswer;
  /** How calls fail from now on; null: they don't. */
  failure: RedisFailure | null;
}
