import type { PropertyOverrides } from "./property-overrides.ts";
import type { HeaderList } from "./cluster-options.ts";

/** Several elements are several data frames. */
export type BodyOptions = string | Uint8Array | readonly (string | Uint8Array)[];

/** What the mock upstream answers to a proxied request. */
export interface UpstreamAnswerOptions {
  /** 200 when absent. 101 answers an upgrade: what follows are data frames in both directions. */
  readonly status?: number;
  /** A length or `transfer-encoding: chunked` is added where the body needs one and none is given. */
  readonly headers?: HeaderList;
  readonly body?: BodyOptions;
  readonly trailers?: HeaderList;
  /** From the request's arrival to the answer; "0ms" when absent. */
  readonly delay?: string;
  /** Between the frames of the body, and before trailers or a break; "0ms" when absent. */
  readonly frameGap?: string;
  /** The connection breaks when so many frames are out; 0: right after the headers. */
  readonly breakAfter?: number;
  /** What it waits for before it answers: the whole "request" (default), or its "headers" alone. */
  readonly answersAfter?: "request" | "headers";
}

export interface UpstreamFailureOptions {
  /**
   * `timeout`: the request is received and never answered; the client sees Envoy's 504 when the route's timeout is over.
   * `reset`: the connection breaks when the request's headers have come. `refuse_connection`: nobody listens.
   */
  readonly fail: "timeout" | "reset" | "refuse_connection";
  /** `reset`: from the arrival of the headers to the break; "0ms" when absent. */
  readonly delay?: string;
}

export type UpstreamOptions = UpstreamAnswerOptions | UpstreamFailureOptions;

export type HttpProtocol = "HTTP/1.1" | "HTTP/2";

/** A request from a client. */
export interface RequestOptions {
  /** The name of a listener; the first one when absent. */
  readonly listener?: string;
  /** "HTTP/1.1" when absent. */
  readonly protocol?: HttpProtocol;
  /** "GET" when absent. */
  readonly method?: string;
  /** "/" when absent. */
  readonly path?: string;
  /** Names are lower-cased as Envoy's codec does; `host` is the same as `:authority`. */
  readonly headers?: HeaderList;
  readonly body?: BodyOptions;
  readonly trailers?: HeaderList;
  /** Between the frames of the body, and before trailers; "0ms" when absent. */
  readonly frameGap?: string;
  readonly upstream?: UpstreamOptions;
  /** Values of properties of this stream, by path; before those of its listener. */
  readonly properties?: PropertyOverrides;
  /** Recorded for the check `expect`; decides nothing here. */
  readonly expect?: { readonly status: number };
}

type Pairs = readonly (readonly [name: string, value: string | Uint8Array])[];

/** A request and what became of it; a live object, completed as virtual time goes on. */
export interface Exchange {
  /** From 1, in the order of arrival. */
  readonly id: number;
  readonly thread: string;
  readonly listener: string;
  readonly protocol: HttpProtocol;
  /** The instant the client sent it, nanoseconds since the start of the run. */
  readonly startedNs: number;
  /** True when the client has its answer, or a reset. */
  readonly done: boolean;
  /** Null until the answer, and for a reset. */
  readonly status: number | null;
  /** The status that came, even when the answer broke off later; null when none came. */
  readonly receivedStatus: number | null;
  /** The connection (HTTP/1.1) or the stream (HTTP/2) ended before the answer did. */
  readonly isReset: boolean;
  /** What the client got on the wire, `:status` left out; text where it is UTF-8. */
  readonly headers: Pairs;
  readonly body: Uint8Array;
  readonly trailers: Pairs;
  /** True when Envoy or a plugin answered, not the upstream. */
  readonly local: boolean;
  /** What the upstream saw on the wire, request line as pseudo-headers; null when nothing reached it. */
  readonly upstream: {
    readonly headers: Pairs;
    readonly body: Uint8Array;
    readonly trailers: Pairs;
    /** The whole request came. */
    readonly isComplete: boolean;
  } | null;
  /** The body as text; bytes that are not UTF-8 become U+FFFD. */
  text(): string;
  /** The client goes away now: log, done and delete run, no response callback. Nothing when it is done. */
  abandon(): void;
}
