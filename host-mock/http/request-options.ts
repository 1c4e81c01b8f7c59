import { isRecord, kindOf, requireKeys, shown } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { parseDuration } from "../time/duration.ts";
import type { RequestOptions, UpstreamAnswerOptions, UpstreamFailureOptions } from "./exchange.ts";
import { requireBytes } from "./pairs.ts";
import { resolveProperties } from "./property-overrides.ts";

const keys = [
  "listener",
  "protocol",
  "method",
  "path",
  "headers",
  "body",
  "trailers",
  "frameGap",
  "upstream",
  "properties",
  "expect",
] as const satisfies readonly (keyof RequestOptions)[];

const answerKeys = [
  "status",
  "headers",
  "body",
  "trailers",
  "delay",
  "frameGap",
  "breakAfter",
  "answersAfter",
] as const satisfies readonly (keyof UpstreamAnswerOptions)[];

const failureKeys = ["fail", "delay"] as const satisfies readonly (keyof UpstreamFailureOptions)[];

const upstreamKeys: readonly string[] = [...answerKeys, "fail"];
const protocols: readonly string[] = ["HTTP/1.1", "HTTP/2"];
const failures: readonly string[] = ["timeout", "reset", "refuse_connection"];
const answerMoments: readonly string[] = ["request", "headers"];
const texts = ["listener", "method", "path"] as const;
const ownPseudo: readonly string[] = [":authority", ":scheme"];
const noPseudo: readonly string[] = [];

/** What a request's own words say. */
const named: Readonly<Record<string, string>> = { ":path": "path", ":method": "method" };

/** E_OPTION for what is no request. */
export function requireRequest(request: RequestOptions): void {
  requireKeys("a request", request, keys);
  for (const key of texts) {
    const value: unknown = request[key];
    if (value !== undefined && (typeof value !== "string" || value === "")) {
      throw new MockHostError("E_OPTION", `a request's ${key} is ${shown(value)}`, {
        remedy: "give a text",
      });
    }
  }
  requireOneOf("a request's protocol", request.protocol, protocols);
  requireHeaders("a request's headers", request.headers, ownPseudo);
  requireHeaders("a request's trailers", request.trailers);
  if (request.body !== undefined) requireBytes("a request's body", request.body);
  if (request.frameGap !== undefined) parseDuration(request.frameGap, "a request's frameGap");
  if (request.upstream !== undefined) requireUpstream(request.upstream);
  resolveProperties("a request's properties", request.properties);
}

function requireUpstream(upstream: NonNullable<RequestOptions["upstream"]>): void {
  requireKeys("upstream", upstream, upstreamKeys);
  if (upstream.delay !== undefined) parseDuration(upstream.delay, "upstream's delay");
  if ("fail" in upstream) {
    requireKeys("an upstream that fails", upstream, failureKeys);
    requireOneOf("upstream's fail", upstream.fail, failures);
    return;
  }
  requireHeaders("upstream's headers", upstream.headers);
  requireHeaders("upstream's trailers", upstream.trailers);
  if (upstream.body !== undefined) requireBytes("upstream's body", upstream.body);
  requireOneOf("upstream's answersAfter", upstream.answersAfter, answerMoments);
  if (upstream.frameGap !== undefined) parseDuration(upstream.frameGap, "upstream's frameGap");
  requireWhole("upstream's status", upstream.status, 101, 999);
  requireWhole("upstream's breakAfter", upstream.breakAfter, 0, Number.MAX_SAFE_INTEGER);
}

function requireWhole(called: string, value: unknown, min: number, max: number): void {
  if (value === undefined) return;
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return;
  throw new MockHostError("E_OPTION", `${called} is ${shown(value)}`, {
    remedy: `give an integer of ${min} … ${max}`,
  });
}

function requireOneOf(called: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value as string)) return;
  throw new MockHostError("E_OPTION", `${called} is ${shown(value)}`, {
    remedy: `write one of ${choices.join(", ")}`,
  });
}

/** E_OPTION for headers that are no pairs of a text and a text or bytes, or a pseudo-header that nobody would read. */
export function requireHeaders(
  called: string,
  headers: RequestOptions["headers"],
  pseudo: readonly string[] = noPseudo,
): void {
  if (headers === undefined) return;
  if (!Array.isArray(headers) && !isRecord(headers)) {
    throw noPairs(called, `: ${kindOf(headers)}`);
  }
  if (!Array.isArray(headers)) {
    const values = headers as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(values)) requireHeader(called, name, values[name], pseudo);
    return;
  }
  for (const pair of headers as readonly unknown[]) {
    if (!Array.isArray(pair) || pair.length > 2) throw noPairs(called);
    requireHeader(called, pair[0], pair[1], pseudo);
  }
}

function requireHeader(
  called: string,
  name: unknown,
  value: unknown,
  pseudo: readonly string[],
): void {
  const isValue = typeof value === "string" || value instanceof Uint8Array;
  if (typeof name !== "string" || !isValue) throw noPairs(called);
  const lower = name.toLowerCase();
  if (!lower.startsWith(":") || pseudo.includes(lower)) return;
  const word = named[lower] ?? (lower === ":status" ? "status" : undefined);
  throw new MockHostError("E_OPTION", `${called} cannot set the pseudo-header ${lower}`, {
    remedy: word === undefined ? "leave it out" : `give ${word} instead`,
  });
}

function noPairs(called: string, what = ""): MockHostError {
  return new MockHostError("E_OPTION", `${called} are no pairs of a name and a text${what}`, {
    remedy: "give {name: value} or [[name, value], …], as [...headers] of a Map or Headers",
  });
}
