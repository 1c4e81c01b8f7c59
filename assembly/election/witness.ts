/**
 * The elector's own account of what it does, one debug line an event, so that a test or an operator
 * can judge it from outside: docs/reference/witness.md.
 */
import { GetLogLevel, LogLevel, LogMemory } from "../proxywasm/index";
import { begin, linePtr, lineSize, put, putNumber } from "./line";

export function witnessClaim(term: i64, atNs: i64, untilNs: i64, id: string, key: string): void {
  if (isWanted()) holding(" claim term=", term, atNs, untilNs, id, key);
}

export function witnessRenewal(term: i64, atNs: i64, untilNs: i64, id: string, key: string): void {
  if (isWanted()) holding(" renew term=", term, atNs, untilNs, id, key);
}

export function witnessStop(term: i64, atNs: i64, reason: string, id: string, key: string): void {
  if (!isWanted()) return;
  opening(" stop term=", term, atNs);
  put(" reason=");
  put(reason);
  closing(id, key);
}

function isWanted(): bool {
  return GetLogLevel() <= LogLevel.Debug;
}

function holding(event: string, term: i64, atNs: i64, untilNs: i64, id: string, key: string): void {
  opening(event, term, atNs);
  put(" until_ns=");
  putNumber(untilNs);
  closing(id, key);
}

function opening(event: string, term: i64, atNs: i64): void {
  begin("proxy-wasm-as.election");
  put(event);
  putNumber(term);
  put(" at_ns=");
  putNumber(atNs);
}

function closing(id: string, key: string): void {
  put(" id=");
  put(id);
  put(" key=");
  put(key);
  LogMemory(LogLevel.Debug, linePtr(), lineSize());
}
