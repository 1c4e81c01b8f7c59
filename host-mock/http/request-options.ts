import { requireKeys } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import type { RequestOptions } from "./exchange.ts";
import { pairsOf } from "./pairs.ts";

const keys = [
  "method",
  "path",
  "headers",
  "body",
  "trailers",
  "upstream",
  "expect",
] as const satisfies readonly (keyof RequestOptions)[];

const upstreamKeys = ["status", "headers", "body", "trailers", "delay", "fail"];

/** What a request's own words say. */
const named: Readonly<Record<string, string>> = { ":path": "path", ":method": "method" };

/** E_OPTION for what is no request. */
export function requireRequest(request: RequestOptions): void {
  requireKeys("a request", request, keys);
  for (const key of ["method", "path"] as const) {
    const value: unknown = request[key];
    if (value !== undefined && (typeof value !== "string" || value === "")) {
      throw new MockHostError("E_OPTION", `a request's ${key} is ${JSON.stringify(value)}`, {
        remedy: "give a text",
      });
    }
  }
  requireHeaders("a request's headers", request.headers, [":authority", ":scheme"]);
  requireHeaders("a request's trailers", request.trailers);
  const { upstream } = request;
  if (upstream === undefined) return;
  requireKeys("upstream", upstream, upstreamKeys);
  if ("fail" in upstream) return;
  requireHeaders("upstream's headers", upstream.headers);
  requireHeaders("upstream's trailers", upstream.trailers);
}

/** E_OPTION for headers that are no pairs of a text and a text or bytes, or a pseudo-header that nobody would read. */
export function requireHeaders(
  called: string,
  headers: RequestOptions["headers"],
  pseudo: readonly string[] = [],
): void {
  if (headers === undefined) return;
  if (typeof headers !== "object" || (headers as unknown) === null) throw noPairs(called);
  for (const pair of pairsOf(headers) as readonly unknown[]) {
    if (!Array.isArray(pair)) throw noPairs(called);
    const [name, value, ...more] = pair as readonly unknown[];
    const isValue = typeof value === "string" || value instanceof Uint8Array;
    if (typeof name !== "string" || !isValue || more.length > 0) throw noPairs(called);
    const lower = name.toLowerCase();
    if (!lower.startsWith(":") || pseudo.includes(lower)) continue;
    const word = named[lower] ?? (lower === ":status" ? "status" : undefined);
    throw new MockHostError("E_OPTION", `${called} cannot set the pseudo-header ${lower}`, {
      remedy: word === undefined ? "leave it out" : `give ${word} instead`,
    });
  }
}

function noPairs(called: string): MockHostError {
  return new MockHostError("E_OPTION", `${called} are no pairs of a name and a text`, {
    remedy: "give {name: value} or [[name, value], …]",
  });
}
