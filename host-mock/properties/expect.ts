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
