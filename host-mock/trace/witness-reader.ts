import type { TraceEvent, TraceValue } from "./event.ts";
import type { LeadershipEnd, WitnessStatement } from "./leadership.ts";
import { leaseKeyPrefix, leaseRecord, wasmGoLeaseNs } from "./lease-record.ts";
import { readable, textOf } from "./values.ts";

/** Reads one event of the plugin; `ownId` is the id under which its context now leads, if it does. */
export type WitnessReader = (
  event: TraceEvent,
  ownId: string | undefined,
) => WitnessStatement | null;

/** Lines that begin so are the elector's testimony, not the author's words. */
export const witnessPrefix = "proxy-wasm-as.election ";

const promiseLine = /^(claim|renew) term=(-?\d+) at_ns=(-?\d+) until_ns=(-?\d+) id=(\S*) key=/;
const stopLine = /^stop term=(-?\d+) at_ns=-?\d+ reason=([a-z]+) id=\S* key=/;
const reasons: ReadonlySet<string> = new Set<LeadershipEnd>([
  "expired",
  "replaced",
  "vanished",
  "fenced",
  "released",
  "superseded",
  "error",
]);

/** The SDK's own lines; docs/reference/trace.md has their form. */
export function logClaim(event: TraceEvent): WitnessStatement | null {
  if (event.event !== "log" || !isWitnessLine(event.args["message"])) return null;
  const rest = readable(event.args["message"]).slice(witnessPrefix.length);
  const promise = promiseLine.exec(rest);
  if (promise !== null) {
    const [, kind, term, since, until, id] = promise as unknown as readonly string[];
    return {
      kind: kind === "claim" ? "claim" : "renew",
      id: id ?? "",
      term: BigInt(term ?? 0),
      ...onRunClock(event, BigInt(since ?? 0), BigInt(until ?? 0)),
    };
  }
  const stop = stopLine.exec(rest);
  if (stop === null) return null;
  const reason = stop[2] ?? "";
  return {
    kind: "stop",
    term: BigInt(stop[1] ?? 0),
    reason: reasons.has(reason) ? (reason as LeadershipEnd) : "error",
  };
}

/** No lease is longer, so no promise was begun longer ago. */
const leaseMaxNs = 3_600_000_000_000n;

/**
 * Lines carry the guest's monotonic clock; the event's two times tell how far it is from the run's. On a host without
 * one they carry the wall clock, of which only differences can be used: the promise then counts from the line.
 */
function onRunClock(event: TraceEvent, since: bigint, until: bigint) {
  const agoNs = event.monoNs - since;
  const isMonotonic = agoNs >= 0n && agoNs <= leaseMaxNs;
  const zero = isMonotonic ? event.monoNs : since;
  const toRunNs = (ns: bigint): number => event.atNs + Number(ns - zero);
  return { sinceNs: toRunNs(since), untilNs: toRunNs(until) };
}

export function isWitnessLine(message: TraceValue | undefined): boolean {
  const text = textOf(message);
  if (typeof text === "string") return text.startsWith(witnessPrefix);
  if (text.length < witnessPrefix.length) return false;
  for (let index = 0; index < witnessPrefix.length; index++) {
    if (text[index] !== witnessPrefix.charCodeAt(index)) return false;
  }
  return true;
}

/**
 * wasm-go's lease: a successful set under an id leads for 60 s, and ends at the context's next get that answers
 * another id. A set that names nobody is a release.
 */
export function leaseClaim(event: TraceEvent, ownId: string | undefined): WitnessStatement | null {
  if (event.event !== "call" || event.status !== "Ok") return null;
  const isSet = event.name === "proxy_set_shared_data";
  if (!isSet && event.name !== "proxy_get_shared_data") return null;
  if (!readable(event.args["key"]).startsWith(leaseKeyPrefix)) return null;
  const holder = leaseRecord(isSet ? event.args["value"] : valueOf(event.result))?.holder;
  if (holder === undefined) return null;
  if (isSet && holder !== "") {
    return {
      kind: "claim",
      id: holder,
      term: null,
      sinceNs: event.atNs,
      untilNs: event.atNs + wasmGoLeaseNs,
    };
  }
  if (ownId === undefined || holder === ownId) return null;
  return { kind: "stop", term: null, reason: isSet ? "released" : "replaced" };
}

function valueOf(result: TraceValue): TraceValue | undefined {
  if (
    result === null ||
    typeof result !== "object" ||
    result instanceof Uint8Array ||
    Array.isArray(result)
  )
    return undefined;
  return (result as { readonly [name: string]: TraceValue })["value"];
}
