import type { ConnectionFact } from "../trace/connections.ts";
import type { ExchangeFact } from "../trace/exchanges.ts";
import { readable } from "../trace/values.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

/** The client of this request saw this status. */
export function expectedStatus(exchange: ExchangeFact | undefined, status: number): Judgement {
  if (exchange === undefined)
    return { holds: false, detail: "the request was never sent", atMs: null };
  if (exchange.endedNs === null) {
    const detail = `${exchange.thread} never answered ${exchange.method} ${exchange.path} of ${time(exchange.atNs)}, ${status} expected`;
    return { holds: false, detail, atMs: null };
  }
  if (exchange.status === status) return { holds: true, detail: "", atMs: null };
  const saw = exchange.status === null ? "a reset" : String(exchange.status);
  const body = readable(exchange.body);
  const said =
    body === "" ? "" : ` (${JSON.stringify(body.length > 80 ? `${body.slice(0, 79)}…` : body)})`;
  const detail = `${exchange.method} ${exchange.path} on ${exchange.thread} got ${saw}${said}, ${status} expected`;
  return { holds: false, detail, atMs: exchange.endedNs / 1e6 };
}

/** What is expected of a connection; what is not given may be anything. */
export interface ExpectedConnection {
  readonly received?: Uint8Array | undefined;
  readonly closed?: boolean | undefined;
}

/** The client of this connection got these bytes, and it was closed, or was not, at the end of the run. */
export function expectedConnection(
  connection: ConnectionFact | undefined,
  { received, closed }: ExpectedConnection,
): Judgement {
  if (connection === undefined)
    return { holds: false, detail: "the connection was never made", atMs: null };
  const where = `the connection of ${time(connection.atNs)} on ${connection.thread}`;
  const atMs = connection.endedNs === null ? null : connection.endedNs / 1e6;
  if (received !== undefined && !isEqual(received, connection.received)) {
    const detail = `${where} got ${said(connection.received)}, ${said(received)} expected`;
    return { holds: false, detail, atMs };
  }
  if (closed === undefined || closed === (connection.endedNs !== null))
    return { holds: true, detail: "", atMs: null };
  return {
    holds: false,
    detail: `${where} was ${closed ? "never" : ""} closed`.replace("  ", " "),
    atMs,
  };
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function said(bytes: Uint8Array): string {
  const text = readable(bytes);
  return bytes.length === 0
    ? "nothing"
    : JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
