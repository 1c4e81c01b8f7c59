import type { HeaderList } from "./cluster-options.ts";

/** What the mock upstream answers to a proxied request. */
export type UpstreamOptions =
  | {
      /** 200 when absent. */
      readonly status?: number;
      readonly headers?: HeaderList;
      /** Several elements are several data frames. */
      readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
      readonly trailers?: HeaderList;
      /** From the request's arrival to the answer; "0ms" when absent. */
      readonly delay?: string;
    }
  | { readonly fail: "reset" };

/** A request from a client. */
export interface RequestOptions {
  /** "GET" when absent. */
  readonly method?: string;
  /** "/" when absent. */
  readonly path?: string;
  /** Names are lower-cased as Envoy's codec does; `host` is the same as `:authority`. */
  readonly headers?: HeaderList;
  /** Several elements are several data frames. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
  readonly trailers?: HeaderList;
  readonly upstream?: UpstreamOptions;
  /** Recorded for the check `expect`; decides nothing here. */
  readonly expect?: { readonly status: number };
}

/** A request and what became of it; a live object, completed as virtual time goes on. */
export interface Exchange {
  /** From 1, in the order of arrival. */
  readonly id: number;
  readonly thread: string;
  /** The instant the client sent it, nanoseconds since the start of the run. */
  readonly startedNs: number;
  /** True when the client has its answer, or a reset. */
  readonly done: boolean;
  /** Null until the answer, and for a reset. */
  readonly status: number | null;
  /** What the client got, `:status` left out; text where it is UTF-8. */
  readonly headers: readonly (readonly [name: string, value: string | Uint8Array])[];
  readonly body: Uint8Array;
  readonly trailers: readonly (readonly [name: string, value: string | Uint8Array])[];
  /** True when Envoy or a plugin answered, not the upstream. */
  readonly local: boolean;
  /** What the upstream saw; null when nothing reached it. */
  readonly upstream: {
    readonly headers: readonly (readonly [name: string, value: string | Uint8Array])[];
    readonly body: Uint8Array;
    readonly trailers: readonly (readonly [name: string, value: string | Uint8Array])[];
  } | null;
  /** The body as text; bytes that are not UTF-8 become U+FFFD. */
  text(): string;
  /** The client goes away now: log, done and delete run, no response callback. Nothing when it is done. */
  abandon(): void;
}
