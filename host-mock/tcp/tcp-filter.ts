import type { Body } from "../state/body.ts";

/** Whose side ended a connection, as Envoy sees it: its own, or the client's. The numbers are the ABI's peer types. */
export const PeerType = { Unknown: 0, Local: 1, Remote: 2 } as const;

export type Closer = "local" | "remote";

/** A network filter of one connection. Answers are whether the next filter goes on with it. */
export interface TcpFilter {
  onNewConnection(): boolean;
  /** All that was read from the client and no filter behind has taken yet. */
  onDownstreamData(data: Body, isEnd: boolean): boolean;
  /** All that was read from the upstream and the client has not got yet. */
  onUpstreamData(data: Body, isEnd: boolean): boolean;
  /** The connection is over; once. */
  onClose(by: Closer): void;
}
