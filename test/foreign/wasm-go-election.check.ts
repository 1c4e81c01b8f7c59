/**
 * wasm-go's own election, compiled from its Go module, as the baseline: what it promises, and the hazards by which
 * it elects two leaders or none. Its VMs tick every 100 ms and run the election when its period has passed on the
 * wall clock; the lease is 60 s of whole seconds.
 */
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import type { HostOptions } from "./host.ts";
import { hasTwoLeaders, leaderActs, mockWith, pluginName, second, threadsOf } from "./host.ts";

/** The course's plugin runs its election every 3 s. */
const course = { period_ms: 3000 } as const;

function goElection(options: HostOptions = {}): MockEnvoy {
  const envoy = mockWith("go_metrics_reporter", {
    witness: "lease",
    configuration: course,
    concurrency: 2,
    ...options,
  });
  envoy.start();
  return envoy;
}

/** One worker half a second behind the main thread, so that their passes alternate. */
function alternating(): MockEnvoy {
  const envoy = mockWith("go_metrics_reporter", { witness: "lease", configuration: course });
  envoy.at("1ms", () => void envoy.thread("worker_0").pause("1550ms"));
  envoy.start();
  envoy.advance("5s");
  return envoy;
}

describe("wasm-go's election", () => {
  it("fails over after its lease: 61 to 64 s after the leader's death", () => {
    const envoy = goElection();
    envoy.advance("9200ms");
    const leader = envoy.election(pluginName).leader?.thread ?? "nobody";

    const crashed = envoy.thread(leader).crash();
    envoy.advance("70s");

    const { history } = envoy.election(pluginName);
    const [dead, heir] = history;
    const gapS = ((heir?.fromNs ?? 0) - (dead?.untilNs ?? 0)) / second;
    expect(crashed).toBe(true);
    expect(history.length).toBe(2);
    expect(dead?.end).toBe("crashed");
    expect(heir?.thread).not.toBe(leader);
    expect(gapS).toBeGreaterThan(61);
    expect(gapS).toBeLessThanOrEqual(64);
    expect(threadsOf(leaderActs(envoy))).toEqual([leader, heir?.thread].sort());
  });

  it("H1 a cold start without interleaving elects whoever ticks first, and one only, under every seed", () => {
    const leaders = [1, 2, 3, 4, 5, 6].map((seed) => {
      const envoy = goElection({ seed });
      envoy.advance("7s");
      const acted = threadsOf(leaderActs(envoy));
      expect(hasTwoLeaders(envoy)).toBe(false);
      expect(acted).toEqual([envoy.election(pluginName).leader?.thread]);
      return acted[0];
    });

    expect(leaders).toHaveLength(6);
  });

  it("H9 a wall clock set forward elects a second leader beside a living one", () => {
    const envoy = alternating();
    const isDoubleBefore = hasTwoLeaders(envoy);

    envoy.shiftWallClock("+1h");
    envoy.advance("7s");

    expect(isDoubleBefore).toBe(false);
    expect(hasTwoLeaders(envoy)).toBe(true);
    expect(threadsOf(leaderActs(envoy))).toEqual(["main", "worker_0"]);
  });

  it("H10 a wall clock set back leaves a dead leader without an heir for that long", () => {
    const envoy = goElection();
    envoy.advance("10s");
    const leader = envoy.election(pluginName).leader?.thread ?? "nobody";

    envoy.shiftWallClock("-10m");
    envoy.thread(leader).crash();
    envoy.advance("9m");
    const whileBack = envoy.election(pluginName).history.length;
    envoy.advance("3m");

    expect(whileBack).toBe(1);
    expect(envoy.election(pluginName).history.length).toBe(2);
  });

  it("H12 a reload makes two leaders of one VM: both contexts take its lease for their own", () => {
    const envoy = goElection();
    envoy.advance("10s");
    const leader = envoy.election(pluginName).leader?.thread ?? "nobody";
    const before = leaderActs(envoy).length;

    envoy.reconfigure(pluginName, { period_ms: 1000 });
    envoy.advance("10s");

    const acts = leaderActs(envoy).slice(before);
    expect(threadsOf(acts)).toEqual([leader]);
    expect(new Set(acts.map(({ context }) => context)).size).toBe(2);
  });

  it("H16 shared data lost under a living leader elects a second one", () => {
    const envoy = alternating();
    const isDoubleBefore = hasTwoLeaders(envoy);

    envoy.at("6400ms", () => void envoy.wipe(""));
    envoy.advance("7s");

    expect(isDoubleBefore).toBe(false);
    expect(hasTwoLeaders(envoy)).toBe(true);
  });
});
