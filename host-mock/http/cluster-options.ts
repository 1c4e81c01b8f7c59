/** What an upstream cluster answers, as users declare it. Durations are text with a unit (`5ms`, `2s`). */
import type { GrpcClusterOptions } from "./grpc-options.ts";
import type { RedisClusterOptions } from "./redis-options.ts";

/** Header lists: an object, or pairs where order or repetition matters. */
export type HeaderList =
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string | Uint8Array])[];

/** A receiver that refuses effects of old leaders. */
export interface FenceOptions {
  /** The header with the term, an integer. */
  readonly header: string;
  /** The header with the leader's id; where given, an equal term of another id is refused too. */
  readonly idHeader?: string;
  /** The status of a refusal. */
  readonly refuse: number;
}

export interface AnswerOptions {
  /** 200 when absent. */
  readonly status?: number;
  readonly headers?: HeaderList;
  /** Several elements are several data frames. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
  readonly trailers?: HeaderList;
  /** Between arrival at the receiver and the answer's headers; "0ms" when absent. */
  readonly delay?: string;
  /** Between data frames; "0ms" when absent. The first one leaves with the headers. */
  readonly frameGap?: string;
  /**
   * The receiver's connection breaks once so many frames are out; 0: right after the headers. The guest is told of no
   * headers at all then, and `proxy_get_status` says "reset".
   */
  readonly breakAfter?: number;
}

/**
 * How a call fails:
 *
 * - `timeout`: received and never answered; the guest sees Envoy's 504 at its timeout.
 * - `reset`: broken right after the headers; the guest sees no headers.
 * - `disconnect`: received, and the connection closed without an answer; the guest sees Envoy's 503.
 * - `refuse_connection`: never received; the guest sees Envoy's 503.
 * - `no_healthy_host`: the cluster has no host to send to, so `proxy_http_call` itself answers InternalFailure. Only
 *   for a cluster as a whole, not as the answer of a function.
 */
export const failures = [
  "timeout",
  "reset",
  "disconnect",
  "refuse_connection",
  "no_healthy_host",
] as const;

export type Failure = (typeof failures)[number];

export interface FailureOptions {
  readonly fail: Failure;
}

export type ReplyOptions = AnswerOptions | FailureOptions;

/** A call as the receiver sees it, at the instant of its arrival. */
export interface CallRequest {
  readonly cluster: string;
  readonly method: string;
  readonly path: string;
  readonly authority: string;
  /**
   * As they come from Envoy: what it adds to the plugin's own included (`x-envoy-internal`,
   * `x-envoy-expected-rq-timeout-ms`, `content-length`), pseudo headers not. Names in lower case; bytes that are not
   * UTF-8 are shown as U+FFFD.
   */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The same, values byte for byte: text where it is UTF-8. */
  readonly rawHeaders: readonly (readonly [name: string, value: string | Uint8Array])[];
  readonly body: Uint8Array;
  /** The first value of a header, any case; undefined when absent. */
  header(name: string): string | undefined;
  /** The body as text; bytes that are not UTF-8 become U+FFFD. */
  text(): string;
}

/** An HTTP receiver: one answer for every call, or a function asked at each arrival. */
export type HttpClusterOptions =
  | (AnswerOptions & { readonly fence?: FenceOptions })
  | FailureOptions
  | ((request: CallRequest) => ReplyOptions);

/** A receiver of HTTP calls, of gRPC calls and streams, or of Redis commands. */
export type ClusterOptions = HttpClusterOptions | GrpcClusterOptions | RedisClusterOptions;
