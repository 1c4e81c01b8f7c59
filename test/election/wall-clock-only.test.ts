/** Scenarios C5 and C6: hosts without a monotonic clock, where the wall clock takes its place. */
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import { askLater, pass, stateOf } from "./support/commands.ts";
import {
  history,
  latest,
  leader,
  ours,
  plugin,
  running,
  said,
  second,
  untilRenewal,
  useElections,
} from "./support/elections.ts";
import type { HostOptions, Timing } from "./support/elections.ts";

useElections();

/** What `clock_time_get` answers for a clock that a host does not have. */
const notSupported = 58;

function withoutMonotonicClock(options: HostOptions & Timing = {}): MockEnvoy {
  const { retry = 0, ...host } = options;
  const envoy = running([ours(plugin, { retry })], { concurrency: 2, ...host });
  const answer = (call: string) => (call === "clock_time_get" ? notSupported : undefined);
  for (const thread of envoy.threads) thread.rules.push({ answer });
  return envoy.start();
}

describe("a host without a monotonic clock", () => {
  it("C5: each VM says so once and falls back; a leader is elected and stays", () => {
    const envoy = withoutMonotonicClock().advance("10m");

    const warnings = said(envoy, /no monotonic clock/);
    const vms = warnings.map(({ vm }) => vm);
    expect(warnings.every(({ level }) => level === "warn")).toBe(true);
    expect(vms).toEqual(expect.arrayContaining(["main#1", "worker_0#1", "worker_1#1"]));
    expect(new Set(vms).size).toBe(vms.length);
    expect(history(envoy)).toHaveLength(1);
  });

  it.each(["+0s", "+1h", "-10m"])(
    "C5: after a death and a step of %s the heir has waited for T in its own ticks",
    (by) => {
      const envoy = withoutMonotonicClock().advance("20s");
      untilRenewal(envoy);
      const dead = leader(envoy);

      envoy.thread(dead.thread).crash();
      const diedNs = envoy.nowNs;
      // By now each of the others has seen the last record.
      envoy.advance("3s");
      envoy.shiftWallClock(by);
      envoy.advance("15m");

      const heir = latest(envoy);
      expect(heir.thread).not.toBe(dead.thread);
      expect(heir.fromNs - diedNs).toBeGreaterThan(12 * second);
      if (by !== "-10m") expect(heir.fromNs - diedNs).toBeLessThanOrEqual(21 * second);
    },
  );

  it("C6: a step back under the old promise does not make the replaced leader lead again", () => {
    const envoy = withoutMonotonicClock({ retry: -1 });
    const first = pass(envoy, "worker_0");
    envoy.advance("1s");
    expect(stateOf(envoy, "worker_0").leads).toBe(true);
    envoy.thread("worker_0").pause("30s");
    for (let i = 0; i < 7; i++) {
      pass(envoy, "worker_1");
      envoy.advance("3s");
    }
    const heir = leader(envoy);

    envoy.shiftWallClock("-20s");
    const answer = askLater(envoy, "worker_0");
    envoy.thread("worker_0").pause("1ms");
    envoy.advance("9s");

    expect(first.leads).toBe(true);
    expect(heir.thread).toBe("worker_1");
    // By its own clock the promise of 14.25 s would still run.
    expect(envoy.nowNs).toBeLessThan(34 * second);
    expect(answer().leads).toBe(false);
  });
});
