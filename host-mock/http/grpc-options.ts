/** What a gRPC cluster answers, as users declare it. Durations are text with a unit (`5ms`, `2s`). */
import type { HeaderList } from "./cluster-options.ts";

/** One answer: messages and how the call ends. */
export interface GrpcAnswerOptions {
  /** Initial metadata beside `:status` and `content-type`. */
  readonly metadata?: HeaderList;
  /** None when absent: a unary call that gets none ends as Internal (13). */
  readonly messages?: readonly (string | Uint8Array)[];
  /** The gRPC status, 0 … 16; 0 when absent. */
  readonly status?: number;
  /** The status message, sent as it is: gRPC has it percent-encoded, and Envoy does not decode it. */
  readonly message?: string;
  /** Trailing metadata beside the status. */
  readonly trailers?: HeaderList;
  /** Status and trailing metadata stand in the headers, as servers send them that have nothing else to say. */
  readonly trailersOnly?: boolean;
  /** Between arrival at the receiver and the initial metadata; "0ms" when absent. */
  readonly delay?: string;
  /** Between messages; "0ms" when absent. The first one leaves with the initial metadata. */
  readonly frameGap?: string;
  /** The connection breaks once so many messages are out; 0: right after the initial metadata. */
  readonly breakAfter?: number;
}

/**
 * How a call fails: `timeout` received and never answered; `reset` received, and the connection closed without an
 * answer; `refuse_connection` never received; `no_healthy_host` the call fails where it is made (only for a cluster as a
 * whole).
 */
export const grpcFailures = ["timeout", "reset", "refuse_connection", "no_healthy_host"] as const;

export type GrpcFailure = (typeof grpcFailures)[number];

export interface GrpcFailureOptions {
  readonly fail: GrpcFailure;
}

/** How a script ends a call. */
export interface GrpcEnd {
  readonly status?: number;
  readonly message?: string;
  readonly trailers?: HeaderList;
}

/** The answering side of a call, for scripts. What is sent keeps its order; `after` counts from now. */
export interface GrpcServerStream {
  readonly call: GrpcRequest;
  /** Initial metadata; without it the first message or the end sends it. At most once, and first. */
  sendMetadata(headers: HeaderList, after?: string): void;
  send(message: string | Uint8Array, after?: string): void;
  /** Trailing metadata and status; nothing can follow. */
  close(end?: GrpcEnd, after?: string): void;
  /** The connection breaks. */
  reset(after?: string): void;
}

/** A receiver that answers message by message. */
export interface GrpcScript {
  /** The call has arrived, its messages not. */
  onStart?(stream: GrpcServerStream): void;
  onMessage?(message: Uint8Array, stream: GrpcServerStream): void;
  /** The plugin sends nothing more. */
  onEnd?(stream: GrpcServerStream): void;
  /** The plugin has cancelled the call, or its context is gone. */
  onCancel?(): void;
}

export type GrpcReplyOptions =
  GrpcAnswerOptions | GrpcFailureOptions | { readonly script: GrpcScript };

/** A call or a stream as the receiver sees it; live: messages grow as they arrive. */
export interface GrpcRequest {
  readonly cluster: string;
  /** `package.Service`. */
  readonly service: string;
  readonly method: string;
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly authority: string;
  /** All headers but pseudo headers, Envoy's own included; names in lower case, U+FFFD for what is not UTF-8. */
  readonly metadata: readonly (readonly [name: string, value: string])[];
  /** Arrived so far; of a unary call its one message, from the beginning. */
  readonly messages: readonly Uint8Array[];
  /** The plugin's side is closed: of a unary call from the beginning. */
  readonly isEnded: boolean;
  readonly isCancelled: boolean;
  /** The first value of a header, any case; undefined when absent. */
  header(name: string): string | undefined;
}

/** `{ grpc: … }`: one answer for every call, or a function asked at each arrival. */
export interface GrpcClusterOptions {
  readonly grpc: GrpcReplyOptions | ((call: GrpcRequest) => GrpcReplyOptions);
}
