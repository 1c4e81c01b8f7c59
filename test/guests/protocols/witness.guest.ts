// The lines that tell who leads: docs/reference/witness.md.
import { logLine } from "./host.guest";
import { ID, ID_SIZE, KEY, keySize } from "./keys.guest";
import { begin, put, putBytes, putNumber } from "./text.guest";

const NS_PER_MS: i64 = 1_000_000;
/** A flag that nothing but a later pass takes back promises for a hundred years; that pass says `stop`. */
export const FOR_EVER_MS: i64 = 3_155_760_000_000;

export function sayClaim(term: i64, atMs: i64, untilMs: i64): void {
  promise("claim", term, atMs, untilMs);
}

export function sayRenewal(term: i64, atMs: i64, untilMs: i64): void {
  promise("renew", term, atMs, untilMs);
}

export function sayStop(term: i64, atMs: i64, reason: string): void {
  opening("stop", term, atMs);
  put(" reason=");
  put(reason);
  closing();
}

function promise(event: string, term: i64, atMs: i64, untilMs: i64): void {
  opening(event, term, atMs);
  put(" until_ns=");
  putNumber(untilMs * NS_PER_MS);
  closing();
}

function opening(event: string, term: i64, atMs: i64): void {
  begin("proxy-wasm-as.election ");
  put(event);
  put(" term=");
  putNumber(term);
  put(" at_ns=");
  putNumber(atMs * NS_PER_MS);
}

function closing(): void {
  put(" id=");
  putBytes(ID, ID_SIZE);
  put(" key=");
  putBytes(KEY, keySize);
  logLine();
}
