import type { TcpBytes } from "./connection-options.ts";
import type { Closer } from "./tcp-filter.ts";

/** What one end of a connection has received. */
export interface TcpReceived {
  readonly received: Uint8Array;
  /** The other side has ended its direction: nothing more comes. */
  readonly hasEnd: boolean;
  /** It broke off without an end (a reset). */
  readonly isBroken: boolean;
  /** What was received as text; bytes that are not UTF-8 become U+FFFD. */
  text(): string;
}

/** The server behind Envoy. Its verbs throw E_STATE while Envoy is not connected to it. */
export interface TcpUpstream extends TcpReceived {
  readonly isConnected: boolean;
  send(bytes: TcpBytes): void;
  /** Ends its side; it can still receive. */
  finish(): void;
  /** Breaks the connection. */
  abandon(): void;
}

/**
 * A client's TCP connection and what became of it; a live object, completed as virtual time goes on. What a verb causes
 * at this very instant has happened when it returns.
 */
export interface TcpConnection extends TcpReceived {
  /** From 1, in the order of arrival. */
  readonly id: number;
  readonly thread: string;
  readonly listener: string;
  /** Nanoseconds since the start of the run. */
  readonly startedNs: number;
  /** Both directions are over for Envoy and its plugins. */
  readonly isClosed: boolean;
  /** Who ended it: Envoy, or the client; null while it lives. */
  readonly closedBy: Closer | null;
  readonly upstream: TcpUpstream;
  /** The client sends. E_STATE when it has ended its side, or Envoy the connection. */
  send(bytes: TcpBytes): void;
  /** The client ends its side (half close); it can still receive. */
  finish(): void;
  /** The client breaks the connection (a reset). Nothing when it is over already. */
  abandon(): void;
}
