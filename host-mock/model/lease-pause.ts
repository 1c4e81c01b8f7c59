import { MockHostError } from "../errors.ts";
import {
  earlyShare,
  electionShare,
  lateFenceShare,
  latencyQuantile,
  outlivedShare,
  restMin,
  splitShare,
} from "./closed-forms.ts";
import { drawPause, drawTrial, type ElectedTrial } from "./election-trial.ts";
import { fencePolicies, wakingWrites, type FencePolicy, type WakingWrites } from "./fencing.ts";
import { generatorNames, generatorOf, type GeneratorName } from "./generator.ts";
import { proportion, type Proportion } from "./proportion.ts";
import { quantile, type Quantile } from "./quantile.ts";

export interface LeasePauseOptions {
  /** Default `go`. */
  readonly generator?: GeneratorName;
  /** A whole number; default 42. Each lease begins the stream anew. */
  readonly seed?: number;
  /** For each lease; 1 to 100,000,000, default 200,000. */
  readonly trials?: number;
  /** Lengths of the lease in milliseconds, 1,000 to 29,000; default 3,000, 5,000 and 10,000. */
  readonly ttlsMs?: readonly number[];
}

/** What the trials of one lease gave. */
export interface LeasePauseRow {
  readonly ttlMs: number;
  /** Trials in which the pause outlived the lease, so that another was elected. */
  readonly elections: Proportion;
  /** Elections after which the old leader wrote over a newer write. */
  readonly split: Proportion;
  /** From the beginning of the pause to the election; null without any. */
  readonly latency: { readonly p50: Quantile; readonly p99: Quantile } | null;
  readonly fencing: Readonly<Record<FencePolicy, WakingWrites>>;
  /** Waking writes ahead of the election, of all elections. */
  readonly early: Proportion;
  /** Waking writes that a lazy fence took, of all elections. */
  readonly lateFence: Proportion;
  /** Effects whose pause came between asking `IsLeader()` and the effect, and outlived the rest of the lease. */
  readonly outlived: Proportion;
}

export interface LeasePauseModel {
  readonly generator: GeneratorName;
  readonly seed: number;
  readonly trials: number;
  readonly rows: readonly LeasePauseRow[];
}

/**
 * Simulates leaders that pause while they hold a lease, as in the published table: how often the lease runs out
 * meanwhile, how long an election takes, how often the old leader then writes over the new one's work, and what a
 * fence changes. A function of its options alone. E_OPTION for a wrong one.
 *
 *     const { rows } = modelLeasePause({ generator: "mulberry32", seed: 42 });
 */
export function modelLeasePause(options: LeasePauseOptions = {}): LeasePauseModel {
  const {
    generator = "go",
    seed = 42,
    trials = trialsDefault,
    ttlsMs = [3_000, 5_000, 10_000],
  } = options;
  requireOptions({ generator, seed, trials, ttlsMs });
  const rows = ttlsMs.map((ttlMs) => rowOf(ttlMs, { generator, seed, trials }));
  return { generator, seed, trials, rows };
}

const trialsDefault = 200_000;
const trialsMax = 100_000_000;
const ttlMinMs = 1_000;
const ttlMaxMs = 29_000;

type Drawing = Required<Omit<LeasePauseOptions, "ttlsMs">>;

function rowOf(ttlMs: number, drawing: Drawing): LeasePauseRow {
  const ttl = ttlMs / 1000;
  const elected = electedTrials(ttl, drawing);
  const latencies = Float64Array.from(elected, ({ latency }) => latency).sort();
  const fencing = Object.fromEntries(
    fencePolicies.map((policy) => [policy, wakingWrites(elected, policy)]),
  ) as Record<FencePolicy, WakingWrites>;
  const ofElections = (count: number, expected: number): Proportion =>
    proportion(count, elected.length, expected);
  const latency = (share: number): Quantile =>
    quantile(latencies, share, (part) => latencyQuantile(ttl, part));
  return {
    ttlMs,
    elections: proportion(elected.length, drawing.trials, electionShare(ttl)),
    split: ofElections(fencing.none.overwriting, splitShare(ttl)),
    latency: elected.length === 0 ? null : { p50: latency(0.5), p99: latency(0.99) },
    fencing,
    early: ofElections(fencing.none.beforeElection, earlyShare(ttl)),
    lateFence: ofElections(fencing.lazy.accepted, lateFenceShare(ttl)),
    outlived: proportion(outlivedCount(ttl, drawing), drawing.trials, outlivedShare(ttl)),
  };
}

function electedTrials(ttl: number, { generator, seed, trials }: Drawing): ElectedTrial[] {
  const stream = generatorOf(generator, seed);
  const elected: ElectedTrial[] = [];
  for (let i = 0; i < trials; i++) {
    const trial = drawTrial(stream, ttl);
    if (trial !== undefined) elected.push(trial);
  }
  return elected;
}

/** In a stream of its own, so that the published one stays as it is. Draws: the rest of the lease, then the pause. */
function outlivedCount(ttl: number, { generator, seed, trials }: Drawing): number {
  const stream = generatorOf(generator, seed);
  let count = 0;
  for (let i = 0; i < trials; i++) {
    const rest = ttl * (restMin + (1 - restMin) * stream.unit());
    if (drawPause(stream) > rest) count++;
  }
  return count;
}

function requireOptions({ generator, seed, trials, ttlsMs }: Required<LeasePauseOptions>): void {
  if (!generatorNames.includes(generator))
    throw wrong("generator", generator, `there are ${generatorNames.join(", ")}`);
  if (!Number.isSafeInteger(seed))
    throw wrong("seed", seed, `give a whole number up to ${Number.MAX_SAFE_INTEGER}`);
  if (!Number.isInteger(trials) || trials < 1 || trials > trialsMax)
    throw wrong("trials", trials, `give a whole number from 1 to ${trialsMax}`);
  if (ttlsMs.length === 0) throw wrong("ttlsMs", ttlsMs, "give at least one length");
  for (const ttlMs of ttlsMs) {
    if (ttlMs >= ttlMinMs && ttlMs <= ttlMaxMs) continue;
    const remedy =
      "give 1s to 29s: short pauses are shorter than that and none is longer than 30s, " +
      "so that outside it there is nothing to elect or nobody who wakes in time";
    throw wrong("ttl", `${ttlMs}ms`, remedy);
  }
}

function wrong(name: string, value: unknown, remedy: string): MockHostError {
  return new MockHostError("E_OPTION", `${name} cannot be ${JSON.stringify(value)}`, {
    place: "lease-pause",
    remedy,
  });
}
