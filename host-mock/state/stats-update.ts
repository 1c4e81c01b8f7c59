import { fromLatin1 } from "./bytes.ts";
import type { Statistic } from "./stats-page.ts";

/** A counter or gauge at a flush; the name is a binary string. */
export interface FlushedStatistic {
  readonly kind: "counter" | "gauge";
  readonly name: string;
  readonly value: bigint;
  /** Of a counter: what was added since the flush before. */
  readonly delta: bigint;
  /** It was written to; others are counted and not listed. */
  readonly isUsed: boolean;
}

/** Remembers what counters were at the flush before. Histograms are in no update. */
export class StatsDeltas {
  readonly #ofMetrics = new WeakMap<object, bigint>();
  readonly #ofNames = new Map<string, bigint>();

  /** The counters and gauges of this flush. */
  flushed(statistics: readonly Statistic[]): FlushedStatistic[] {
    const found: FlushedStatistic[] = [];
    for (const statistic of statistics) {
      if (statistic.kind === "histogram") continue;
      const { kind, name, value, isUsed } = statistic;
      const delta = BigInt.asUintN(64, value - this.#before(statistic));
      found.push({ kind, name, value, delta, isUsed });
    }
    return found;
  }

  #before({ kind, name, value, metric }: Exclude<Statistic, { kind: "histogram" }>): bigint {
    const before =
      metric === undefined ? this.#ofNames.get(`${kind} ${name}`) : this.#ofMetrics.get(metric);
    if (metric === undefined) this.#ofNames.set(`${kind} ${name}`, value);
    else this.#ofMetrics.set(metric, value);
    return before ?? 0n;
  }
}

const blockTypes = { counter: 1, gauge: 2 } as const;
const headerBytes = 12;
const alignment = 8;

/**
 * What a stats sink is given, counters first. `count` is that of all statistics, those included that are not listed
 * because nobody has written to them.
 *
 *     | u32 block size | u32 type: 1 counter, 2 gauge | u32 count | metric … |
 *     metric: | u32 name size | name | padding to 8 | u64 value | u64 delta: counters only |
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (onStatsUpdate).
 */
export function statsUpdate(statistics: readonly FlushedStatistic[]): Uint8Array {
  const blocks = (["counter", "gauge"] as const).map((kind) =>
    block(
      kind,
      statistics.filter((one) => one.kind === kind),
    ),
  );
  const all = new Uint8Array(blocks.reduce((size, bytes) => size + bytes.length, 0));
  let at = 0;
  for (const bytes of blocks) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}

function block(kind: keyof typeof blockTypes, statistics: readonly FlushedStatistic[]): Uint8Array {
  const numbersBytes = kind === "counter" ? 16 : 8;
  const listed = statistics.filter(({ isUsed }) => isUsed);
  const sizeBytes = listed.reduce(
    (at, { name }) => padded(at + 4 + name.length) + numbersBytes,
    headerBytes,
  );
  const bytes = new Uint8Array(sizeBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, sizeBytes, true);
  view.setUint32(4, blockTypes[kind], true);
  view.setUint32(8, statistics.length, true);
  let at = headerBytes;
  for (const { name, value, delta } of listed) {
    view.setUint32(at, name.length, true);
    bytes.set(fromLatin1(name), at + 4);
    at = padded(at + 4 + name.length);
    view.setBigUint64(at, value, true);
    if (kind === "counter") view.setBigUint64(at + 8, delta, true);
    at += numbersBytes;
  }
  return bytes;
}

/** The next multiple of eight in the block, which begins at one. */
function padded(at: number): number {
  return Math.ceil(at / alignment) * alignment;
}
