/**
 * The published metrics-reporter in a real Envoy with four workers: one leader over two lease lengths, one report
 * stream, then a new plugin configuration while the old contexts drain for minutes, then SIGTERM.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { EnvoyProcess } from "./envoy-process.ts";
import type { Ended } from "./envoy-process.ts";
import { installEnvoy } from "./install.ts";
import { upstreamCluster } from "./listeners.ts";
import type { ListenerSpec } from "./listeners.ts";
import {
  collectorCluster,
  metricsReporter,
  reports,
  requestsIn,
  timing,
} from "./metrics-reporter.ts";
import type { Report } from "./metrics-reporter.ts";
import { RecordingServer } from "./servers.ts";
import { Traffic } from "./traffic.ts";
import { leaderships, overlaps, tickSlackNs, witnessLines } from "./witness-log.ts";
import type { LogLine, ObservedLeadership } from "./witness-log.ts";

const workerCount = 4;
const leaseNs = BigInt(timing.leaseMs) * 1_000_000n;
const tickNs = BigInt(timing.tickMs) * 1_000_000n;

const listener = (reportMs: number): ListenerSpec => ({
  name: "shop",
  plugins: [metricsReporter({ reportMs })],
});

/** All that was seen, taken once the run is over. */
interface Observed {
  /** VMs of the plugin that can lead: one a worker, one on the main thread. */
  readonly candidateCount: number;
  readonly reconfiguredNs: bigint;
  readonly leaderships: readonly ObservedLeadership[];
  readonly reports: readonly Report[];
  readonly outcomes: ReadonlyMap<string, number>;
  readonly requestCount: number;
  readonly ended: Ended;
  readonly log: readonly LogLine[];
}

async function observe(envoy: EnvoyProcess, collector: RecordingServer): Promise<Observed> {
  const led = (): ObservedLeadership[] => leaderships(witnessLines(envoy.log()));
  const traffic = new Traffic(() => envoy.port("shop"), 25);
  await envoy.until("somebody leads", () => led().length > 0);
  await sleep(2 * timing.leaseMs + 2 * timing.tickMs);
  const candidateCount = ((await envoy.statistic("wasm.envoy.wasm.runtime.v8.active")) ?? 0) - 1;

  const reconfiguredNs = await envoy.update([listener(timing.reportMs - 100)]);
  await envoy.until("a new context leads", () => led().length > 1);
  const before = collector.seen.length;
  await envoy.until("the new leader reports", () => collector.seen.length > before + 2);

  await traffic.stop();
  const isReported = (): boolean => requestsIn(reports(collector.seen)) >= traffic.count;
  await envoy.until("every request is reported", isReported);
  const ended = await envoy.stop();
  return {
    candidateCount,
    reconfiguredNs,
    leaderships: led(),
    reports: reports(collector.seen),
    outcomes: traffic.outcomes,
    requestCount: traffic.count,
    ended,
    log: envoy.log(),
  };
}

describe("metrics-reporter in a real Envoy", () => {
  let envoy: EnvoyProcess | undefined;
  let collector: RecordingServer | undefined;
  let upstream: RecordingServer | undefined;
  let seen: Observed;

  beforeAll(async () => {
    const binary = installEnvoy();
    upstream = await RecordingServer.start(200);
    collector = await RecordingServer.start(204);
    const clusters = [
      { name: upstreamCluster, port: upstream.port },
      { name: collectorCluster, port: collector.port },
    ];
    const listeners = [listener(timing.reportMs)];
    envoy = await EnvoyProcess.start({ binary, concurrency: workerCount, clusters, listeners });
    seen = await observe(envoy, collector);
  });

  afterAll(async () => {
    await envoy?.stop();
    envoy?.discard();
    collector?.stop();
    upstream?.stop();
  });

  const check = (what: string, body: () => void): void => {
    it(what, () => {
      onTestFailed(() => {
        process.stderr.write(`${envoy?.lastLines(60) ?? "no Envoy ran"}\n`);
      });
      body();
    });
  };
  const first = (): ObservedLeadership => seen.leaderships[0] ?? expect.unreachable("nobody led");
  const second = (): ObservedLeadership =>
    seen.leaderships[1] ?? expect.unreachable("nobody took over");

  check("RE1 every worker and the main thread have a VM, and every request passes", () => {
    expect(seen.candidateCount).toBe(workerCount + 1);
    expect([...seen.outcomes.keys()]).toEqual(["200"]);
  });

  check("RE2 at most one VM leads at any instant, over two lease lengths and a reload", () => {
    expect(overlaps(seen.leaderships)).toEqual([]);
    expect(first().untilNs - first().fromNs).toBeGreaterThan(2n * leaseNs);
  });

  check(
    "RE3 before the reload the collector gets one report stream with one unchanged term",
    () => {
      const early = seen.reports.filter(({ atNs }) => atNs < seen.reconfiguredNs);

      const streams = new Set(early.map(({ term, id }) => `${String(term)} ${id}`));
      expect([...streams]).toEqual([`${String(first().term)} ${first().id}`]);
      expect(early.length).toBeGreaterThanOrEqual(Math.floor(timing.leaseMs / timing.reportMs));
    },
  );

  check("RE4 the reports add up to the requests sent: none lost, none twice", () => {
    expect(requestsIn(seen.reports)).toBe(seen.requestCount);
    expect(seen.reports.at(-1)?.totalCount).toBe(seen.requestCount);
    expect(seen.requestCount).toBeGreaterThan(100);
  });

  check(
    "RE5 after the reload the old context releases within a tick, though it drains for minutes",
    () => {
      const tookNs = first().untilNs - seen.reconfiguredNs;

      expect(["released", "superseded"]).toContain(first().reason);
      expect(tookNs).toBeGreaterThanOrEqual(0n);
      expect(tookNs).toBeLessThanOrEqual(tickNs + tickSlackNs(first(), tickNs));
    },
  );

  check("RE6 a new context leads within a tick of the release, with a higher term", () => {
    const gapNs = second().fromNs - first().untilNs;

    expect(second().id).not.toBe(first().id);
    expect(second().term).toBeGreaterThan(first().term);
    expect(gapNs).toBeGreaterThanOrEqual(0n);
    expect(gapNs).toBeLessThanOrEqual(tickNs + tickSlackNs(first(), tickNs));
  });

  check("RE7 the terms in the reports never go down, and the new leader's reports follow", () => {
    const terms = seen.reports.map(({ term }) => term);

    expect(terms).toEqual(
      [...terms].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0)),
    );
    expect(terms.filter((term) => term === second().term).length).toBeGreaterThanOrEqual(2);
  });

  check("RE8 SIGTERM ends Envoy in order, and no VM ever trapped", () => {
    const failures = seen.log.filter(({ text }) =>
      /Function: |Wasm VM failed|Plugin .* failed/.test(text),
    );

    expect(seen.ended).toEqual({ code: 0, signal: null });
    expect(failures.map(({ text }) => text)).toEqual([]);
    expect(seen.leaderships.at(-1)?.reason).toBe("released");
  });
});
