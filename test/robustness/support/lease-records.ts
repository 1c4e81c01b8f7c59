/** What may lie under an elector's keys, and what others make of it. */
import type { Random } from "../../../host-mock/random.ts";
import { bytesOf, changedBytes, pick, type Bytes } from "./bytes-mutation.ts";
import { changedJson, fieldsOf, objectOf, parsed, type Field } from "./json-mutation.ts";

export interface Moment {
  /** The guests' clocks. */
  readonly monoMs: number;
  readonly unixS: number;
  /** The record that lies there now; empty when there is none. */
  readonly present: string;
}

/** A record that a reader would take for sound, or nearly: its holder's clock may be off. */
export function soundRecord(random: Random, { monoMs, unixS, present }: Moment): Field[] {
  const term = pick(random, [1, 7, 1_767_225_600_000, 1_767_225_600_000 + monoMs]);
  const timestamp = unixS - pick(random, [0, 0, 1, 30, 61, 100_000, -4, -6]);
  const mono = monoMs - pick(random, [0, 0, 500, 4_999, 5_001, 60_000, -4_000, -5_001]);
  const held = { vmID: "other", timestamp, st: "held", term, mono, ttl: 5_000 };
  return pick(random, [
    () => fieldsOf(held),
    () => fieldsOf({ ...held, vmID: 'an "id" of one\'s own' }),
    () => fieldsOf({ vmID: "", timestamp: 0, st: "released", term, mono }),
    () => fieldsOf({ vmID: "", timestamp: 0, st: "boot", mono }),
    () => fieldsOf({ vmID: "go", timestamp }),
    // What lies there is a leader's own, if somebody leads.
    () => fieldsOf(objectIn(present) ?? held),
  ])();
}

/** A record that differs from every sound one by at least one change. */
export function changedRecord(random: Random, moment: Moment): Bytes {
  const sound = soundRecord(random, moment);
  const before = Buffer.from(objectOf(sound));
  for (;;) {
    const changed = changedJson(random, sound);
    if (!before.equals(changed)) return changed;
  }
}

/** What should be a term key's digits. */
export function changedTerm(random: Random): Bytes {
  const terms = ["0", "1", "1767225600000", "4503599627370495", "4503599627370496", "9".repeat(30)];
  return changedBytes(random, bytesOf(pick(random, [...terms, "-1", "1e3", "x".repeat(100_000)])));
}

/** What should be a fence cell, or a sum that a plugin keeps. */
export function changedCell(random: Random): Bytes {
  const term = pick(random, [0, 1, 1_767_225_600_000, 2 ** 52, 2 ** 52 + 1]);
  const data = pick(random, [
    null,
    17,
    { n: 2 ** 53 },
    { epoch: 1, sequence: 2, reported: { 200: 3 }, pending: { 200: 9, x: -1 } },
  ]);
  const cell = pick(random, [
    { term, by: "other", data },
    { 200: 1, 503: 2 },
  ]);
  return changedJson(random, fieldsOf(cell));
}

/** The longest lease, in ms, that a record could be believed to promise; 0 when it says none. */
export function promisedMs(record: Uint8Array): number {
  if (record.length > 16_384 || parsed(record) === undefined) return 0;
  const text = Buffer.from(record).toString();
  const all = [...text.matchAll(/"(?:t|\\u0074)tl"\s*:\s*(\d+)/gi)].map(([, ms]) => Number(ms));
  return Math.max(0, ...all.filter((ms) => ms <= 3_600_000));
}

function objectIn(text: string): object | undefined {
  // Longer is no leader's own, and may be nested deeper than it could be written again.
  if (text.length > 400) return undefined;
  const value = parsed(bytesOf(text))?.value;
  return typeof value === "object" && value !== null && "vmID" in value ? value : undefined;
}
