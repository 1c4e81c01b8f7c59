/**
 * Two listeners with a VM of their own each compete for one lease; the leader's listener is removed. Its contexts
 * are done after a short drain, so this is the release that `on_done` makes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { EnvoyProcess } from "./envoy-process.ts";
import { installEnvoy } from "./install.ts";
import { upstreamCluster } from "./listeners.ts";
import type { ListenerSpec } from "./listeners.ts";
import { collectorCluster, metricsReporter, timing } from "./metrics-reporter.ts";
import { RecordingServer } from "./servers.ts";
import { leaderships, overlaps, tickSlackNs, witnessLines } from "./witness-log.ts";
import type { ObservedLeadership } from "./witness-log.ts";

const tickNs = BigInt(timing.tickMs) * 1_000_000n;
const drainNs = 1_000_000_000n;
const sides = ["left", "right"] as const;

/** The root id stands in Envoy's log prefix and tells the two apart; the VM configuration keeps the VMs apart. */
const listener = (side: string): ListenerSpec => ({
  name: side,
  plugins: [metricsReporter({ rootId: side, vmConfiguration: side })],
});

const sideOf = ({ prefix }: ObservedLeadership): string =>
  sides.find((side) => prefix.includes(` ${side} `)) ?? prefix;

describe("a listener that goes away in a real Envoy", () => {
  let envoy: EnvoyProcess | undefined;
  let server: RecordingServer | undefined;
  let removedNs: bigint;
  let led: ObservedLeadership[];

  beforeAll(async () => {
    const binary = installEnvoy();
    server = await RecordingServer.start(204);
    const clusters = [upstreamCluster, collectorCluster].map((name) => ({
      name,
      port: server?.port ?? 0,
    }));
    const listeners = sides.map(listener);
    const running = await EnvoyProcess.start({
      binary,
      concurrency: 2,
      clusters,
      listeners,
      drainSeconds: 1,
    });
    envoy = running;
    const now = (): ObservedLeadership[] => leaderships(witnessLines(running.log()));
    await running.until("somebody leads", () => now().length > 0);
    await sleep(2 * timing.tickMs);
    const staying = sides.filter((side) => side !== now().map(sideOf)[0]);
    removedNs = await running.update(staying.map(listener));
    await running.until("the other one leads", () => now().length > 1);
    led = now();
  });

  afterAll(async () => {
    await envoy?.stop();
    envoy?.discard();
    server?.stop();
  });

  const check = (
    what: string,
    body: (first: ObservedLeadership, second: ObservedLeadership) => void,
  ): void => {
    it(what, () => {
      onTestFailed(() => {
        process.stderr.write(`${envoy?.lastLines(60) ?? "no Envoy ran"}\n`);
      });
      const [first, second] = led;
      if (first === undefined || second === undefined)
        expect.unreachable("two leaderships were awaited");
      else body(first, second);
    });
  };

  check(
    "RE9 the leader releases when it is done, not before its drain and long before its promise ends",
    (first) => {
      expect(first.reason).toBe("released");
      expect(first.untilNs - removedNs).toBeGreaterThanOrEqual((drainNs * 9n) / 10n);
    },
  );

  check(
    "RE10 a VM of the other listener leads within a tick of that, with a higher term",
    (first, second) => {
      const gapNs = second.fromNs - first.untilNs;

      expect(sideOf(second)).not.toBe(sideOf(first));
      expect(second.term).toBeGreaterThan(first.term);
      expect(gapNs).toBeGreaterThanOrEqual(0n);
      expect(gapNs).toBeLessThanOrEqual(tickNs + tickSlackNs(first, tickNs));
      expect(overlaps(led)).toEqual([]);
    },
  );
});
