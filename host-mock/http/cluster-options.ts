/** What an upstream cluster answers, as users declare it. Durations are text with a unit (`5ms`, `2s`). */

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
  readonly body?: string | Uint8Array;
  /** Between arrival at the receiver and the answer; "0ms" when absent. */
  readonly delay?: string;
}

export interface FailureOptions {
  /**
   * `timeout`: received and never answered; the guest sees Envoy's 504 at its timeout. `reset`: broken after
   * headers; the guest sees no headers. `refuse_connection`: never received; the guest sees Envoy's 503.
   */
  readonly fail: "timeout" | "reset" | "refuse_connection";
}

export type ReplyOptions = AnswerOptions | FailureOptions;

/** A call as the receiver sees it, at the instant of its arrival. */
export interface CallRequest {
  readonly cluster: string;
  readonly method: string;
  readonly path: string;
  readonly authority: string;
  /** Without pseudo headers; names in lower case; bytes that are not UTF-8 are shown as U+FFFD. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** The first value of a header, any case; undefined when absent. */
  header(name: string): string | undefined;
  /** The body as text; bytes that are not UTF-8 become U+FFFD. */
  text(): string;
}

/** One answer for every call, or a function asked at each arrival. */
export type ClusterOptions =
  | (AnswerOptions & { readonly fence?: FenceOptions })
  | FailureOptions
  | ((request: CallRequest) => ReplyOptions);
