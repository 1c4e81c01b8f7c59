/**
 * Where older versions of Envoy do something else than the recorded one. What they do stands in
 * `expected/VERSION/SUITE.txt`: the blocks that differ, and no others.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readBlocks } from "./expected.ts";

/** Versions that are looked at besides the recorded one. */
export const otherVersions = ["1.36.2", "1.39.3"] as const;

export interface VersionDifference {
  /** A sentence. */
  readonly why: string;
  /** The first of the versions looked at that does as recorded. */
  readonly since: string;
  readonly suite: string;
  /** Ids of cases, `start` among them. */
  readonly cases: readonly string[];
}

export const versionDifferences: readonly VersionDifference[] = [
  {
    why: "A VM configuration is told apart by its list of capabilities; before, the first plugin's list counted for all.",
    since: "1.40.0",
    suite: "capabilities",
    cases: ["start", "founder", "joiner", "free-joiner"],
  },
  {
    why: "Environment variables are part of what tells VM configurations apart.",
    since: "1.39.3",
    suite: "capabilities",
    cases: ["env-a", "env-b"],
  },
  {
    why: "There are more objects of filter state that a plugin can make: a hashable string, a network namespace.",
    since: "1.39.3",
    suite: "foreign-functions",
    cases: ["filter-state-spans", "after-the-request"],
  },
  {
    why: "`envoy.tcp_proxy.cluster` cannot be made twice in one stream's life.",
    since: "1.39.3",
    suite: "foreign-functions",
    cases: ["filter-state-others"],
  },
  {
    why: "The object `envoy.ai.model.request` is new.",
    since: "1.40.0",
    suite: "foreign-functions",
    cases: ["filter-state-texts"],
  },
  {
    why: "Keys are taken as PEM as well, and signing is new.",
    since: "1.39.3",
    suite: "foreign-functions",
    cases: ["verify-signature", "verify-with-bad-keys", "sign", "sign-with-bad-keys"],
  },
  {
    why: "The text for a refused connection is shorter than it was.",
    since: "1.39.3",
    suite: "http-calls",
    cases: ["refused-connection"],
  },
  {
    why: "The text for a refused connection is shorter than it was.",
    since: "1.39.3",
    suite: "grpc-calls",
    cases: ["refused-connection"],
  },
  {
    why: "The text for a refused connection is shorter than it was.",
    since: "1.39.3",
    suite: "grpc-streams",
    cases: ["refused-connection"],
  },
  {
    why: "A frame that is held in mid-body and let go is passed on; before, it was lost.",
    since: "1.39.3",
    suite: "bodies",
    cases: ["resumed-in-mid-body", "answer-resumed-in-mid-body"],
  },
  {
    why: "A stream that breaks off is reset with a code that says so.",
    since: "1.39.3",
    suite: "http2",
    cases: ["resets"],
  },
  {
    why: "Places in the threads' tables are given out again from the youngest; before, from the oldest.",
    since: "1.39.3",
    suite: "life-cycle",
    cases: ["shutdown"],
  },
  {
    why: "`wasm.wasm_vm_count` is new.",
    since: "1.39.3",
    suite: "life-cycle-workers",
    cases: ["counts", "reconfigured", "removed", "added"],
  },
  {
    why: "`wasm.wasm_vm_count` is new.",
    since: "1.39.3",
    suite: "stats-pages",
    cases: ["vms", "reloads", "removed"],
  },
  {
    why: "`wasm.wasm_vm_count` is new.",
    since: "1.39.3",
    suite: "stats-sink",
    cases: ["first-flush", "counters-and-gauges", "a-sink-traps", "next-delta", "shutdown"],
  },
  {
    why: "Histograms count a sample as the middle of its bucket; before, buckets were filled evenly.",
    since: "1.39.3",
    suite: "stats-pages",
    cases: ["histograms"],
  },
  {
    why: "The version that Envoy says it has.",
    since: "1.40.0",
    suite: "properties",
    cases: ["start", "root", "node"],
  },
  {
    why: "`request.headers_bytes` and `response.headers_bytes` are new.",
    since: "1.39.3",
    suite: "properties",
    cases: ["sizes-of-binary-values", "response-body"],
  },
  {
    why: "`keep-alive` of an answer is taken away before plugins see it.",
    since: "1.39.3",
    suite: "streams",
    cases: ["answer-with-envoys-names"],
  },
  {
    why: "A client's reset is passed on as a reset; before, as an end.",
    since: "1.40.0",
    suite: "tcp",
    cases: ["client-resets", "held-data-grows", "continue-and-close-other-streams"],
  },
  {
    why: "V8's words for a wrong type of function, and its back trace of a deep stack.",
    since: "1.39.3",
    suite: "traps",
    cases: ["wrong-signature", "null-function", "deep", "stack-overflow"],
  },
];

/** What is known to be different there. */
export function differencesAt(
  version: string,
  place: { readonly suite: string; readonly id: string },
): readonly VersionDifference[] {
  return versionDifferences.filter(
    ({ suite, cases, since }) =>
      suite === place.suite && cases.includes(place.id) && isOlder(version, since),
  );
}

export function versionPath(version: string, suite: string): string {
  return join(import.meta.dirname, "expected", version, `${suite}.txt`);
}

/** Blocks of that version that differ from the recorded ones. */
export function readDifferences(version: string, suite: string): Map<string, readonly string[]> {
  const path = versionPath(version, suite);
  return existsSync(path) ? readBlocks(path, version) : new Map();
}

/** A block as that version of Envoy writes it. */
export function ofVersion(
  version: string,
  place: { readonly suite: string; readonly id: string },
  recorded: readonly string[] | undefined,
): readonly string[] | undefined {
  if (differencesAt(version, place).length === 0) return recorded;
  return readDifferences(version, place.suite).get(place.id);
}

function isOlder(version: string, other: string): boolean {
  const numbers = (text: string): number[] => text.split(".").map(Number);
  const [one, two] = [numbers(version), numbers(other)];
  const at = one.findIndex((number, index) => number !== two[index]);
  return at >= 0 && (one[at] ?? 0) < (two[at] ?? 0);
}
