/** Scenarios H1, H4 and H5: many candidates at one instant, lost races, and candidates that are preferred. */
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import { readable } from "../../host-mock/trace/values.ts";
import { before, command, get, pass, set, stateOf } from "./support/commands.ts";
import {
  electing,
  type ElectionOptions,
  history,
  latest,
  leader,
  leaseKey,
  ledBy,
  ours,
  plugin,
  record,
  running,
  second,
  termKey,
  until,
  useElections,
} from "./support/elections.ts";

useElections();

/** Threads that wrote a key since an instant, in the order of their calls. */
function writers(envoy: MockEnvoy, key: string, sinceNs: number): string[] {
  return envoy.trace
    .filter(
      ({ name, atNs, args }) => name === set && atNs >= sinceNs && readable(args["key"]) === key,
    )
    .map(({ thread }) => thread);
}

/** The candidates of one Envoy with 63 workers; in phase: no random bytes when their first ticks are drawn. */
function herd(isInPhase: boolean, options: ElectionOptions): MockEnvoy {
  const { make = "plain", ...host } = options;
  const envoy = running([ours(plugin, { make })], {
    ...{ concurrency: 63, alsoCalls: [get, set], ...host },
  });
  let isStarting = isInPhase;
  for (const thread of envoy.threads) {
    thread.rules.push({ answer: (call) => (isStarting && call === "random_get" ? 58 : undefined) });
  }
  envoy.start();
  isStarting = false;
  return envoy;
}

/**
 * How many candidates look at the dead leader's record within 10 ms of the first that finds it too old: were a claim to
 * take so long, all of them would claim.
 */
function herdAfterDeath(envoy: MockEnvoy): number {
  until(envoy, () => history(envoy).length > 0);
  envoy.advance("60s");
  envoy.thread(leader(envoy).thread).crash();
  const diedNs = envoy.nowNs;
  until(envoy, () => latest(envoy).fromNs > diedNs);
  const { fromNs } = latest(envoy);
  envoy.advance("20ms");
  const near = envoy.trace.filter(
    ({ name, atNs, args }) =>
      name === get &&
      readable(args["key"]) === leaseKey &&
      atNs >= fromNs &&
      atNs <= fromNs + 10_000_000,
  );
  return new Set(near.map(({ thread }) => thread)).size;
}

describe("a leader's death among 64 candidates", () => {
  it("H1: in phase, all the others look at its record at one instant", () => {
    expect(herdAfterDeath(herd(true, {}))).toBe(63);
  });

  it("H1: all of them claim if they all looked before the first has written, and one wins", () => {
    const envoy = electing({ concurrency: 64, retry: -1, alsoCalls: [set] });
    const threads = envoy.threads.map(({ name }) => name).filter((name) => name !== "main");
    pass(envoy, "worker_0");
    envoy.thread("worker_0").crash();
    envoy.advance("15001ms");
    const diedNs = envoy.nowNs;
    const heirs = threads.slice(1);
    heirs.slice(0, -1).forEach((thread, index) => {
      before(envoy, { thread, call: set }, () => void pass(envoy, heirs[index + 1]!));
    });

    pass(envoy, heirs[0]!);

    expect(new Set(writers(envoy, termKey, diedNs)).size).toBe(63);
    expect(history(envoy)).toHaveLength(2);
  });

  it.each([
    ["the random first pass of every elector", false, "plain"],
    ["a jittered period, though they began in phase", true, "jitter"],
  ])("H1: with %s a few do", (_how, isInPhase, make) => {
    const herds = [1, 2, 3].map((seed) => herdAfterDeath(herd(isInPhase, { make, seed })));

    expect(Math.min(...herds)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...herds)).toBeLessThanOrEqual(4);
    expect(herds.reduce((sum, n) => sum + n) / 3).toBeLessThanOrEqual(2);
  });

  it("H1: in phase, a random delay before claims has the same effect", () => {
    const size = herdAfterDeath(herd(true, { make: "claim-delay" }));

    expect(size).toBeGreaterThanOrEqual(1);
    expect(size).toBeLessThanOrEqual(4);
  });

  it("a claim that waits is made when its delay is over, not a period later", () => {
    const waits = [1, 2, 3, 4, 5].map((seed) => {
      const envoy = electing({ make: "claim-delay", kind: "singleton", alsoCalls: [get], seed });
      until(envoy, () => history(envoy).length > 0, "1ms");
      const first = envoy.trace.find(({ name }) => name === get);
      return (leader(envoy).fromNs - first!.atNs) / 1e6;
    });

    expect(Math.max(...waits)).toBeLessThanOrEqual(2001);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(new Set(waits).size).toBe(5);
  });

  it("H1: jitter leaves the leader's renewals punctual", () => {
    const envoy = ledBy("worker_0", { make: "jitter", alsoCalls: [set] });
    const fromNs = envoy.nowNs;

    envoy.advance("60s");

    const renewals = envoy.trace
      .filter(({ name, thread, atNs }) => name === set && thread === "worker_0" && atNs > fromNs)
      .map(({ atNs }) => atNs);
    const gaps = renewals.slice(1).map((atNs, index) => atNs - renewals[index]!);
    expect(renewals).toHaveLength(20);
    expect(new Set(gaps)).toEqual(new Set([3 * second]));
  });
});

describe("a lost race", () => {
  it("H4: the loser of a claim tries no second time before its next tick", () => {
    const envoy = electing({ retry: -1, alsoCalls: [get, set] });
    before(envoy, { thread: "worker_1", call: set, nth: 2 }, () => void pass(envoy, "worker_0"));

    const loser = pass(envoy, "worker_1");

    const calls = envoy.trace
      .filter(({ name, thread }) => thread === "worker_1" && [get, set].includes(name))
      .map(({ name, args, status }) => [name, readable(args["key"]), status]);
    expect(loser.leads).toBe(false);
    expect(calls).toEqual([
      [get, leaseKey, "NotFound"],
      [get, termKey, "NotFound"],
      [set, termKey, "Ok"],
      [set, leaseKey, "CasMismatch"],
    ]);
  });
});

describe("ranks", () => {
  const withoutMain = (options: ElectionOptions = {}) => {
    const envoy = electing({ make: "preference", alsoCalls: [set], ...options });
    envoy.thread("main").crash();
    envoy.thread("worker_1").pause("12s");
    envoy.advance("12s");
    expect(leader(envoy).thread).toBe("worker_0");
    return envoy;
  };

  it("H5: a worse rank waits for two periods longer before it claims", () => {
    const envoy = electing({ make: "preference", retry: -1 });
    command(envoy, "worker_1", "/rank?2");
    const led = (thread: string) => pass(envoy, thread).leads;

    const atOnce = led("worker_1");
    envoy.advance("11999ms");
    const before = led("worker_1");
    envoy.advance("1ms");
    const after = led("worker_1");

    expect([atOnce, before, after]).toEqual([false, false, true]);
  });

  it("H5: a better candidate that joins takes over within two periods, and nobody else does", () => {
    const envoy = electing({ make: "preference", concurrency: 4 });
    for (const { name } of envoy.threads) if (name !== "worker_0") envoy.thread(name).pause("12s");
    envoy.advance("12s");
    const old = leader(envoy);
    command(envoy, "worker_3", "/rank?0");
    const joinedNs = envoy.nowNs;

    envoy.advance("5m");

    const [first, second_, ...more] = history(envoy);
    expect(first).toMatchObject({ thread: "worker_0", id: old.id, end: "released" });
    expect(second_).toMatchObject({ thread: "worker_3", end: "running" });
    expect(more).toEqual([]);
    expect(second_!.fromNs - joinedNs).toBeLessThanOrEqual(9 * second);
    expect(second_!.fromNs - first!.untilNs).toBeLessThanOrEqual(3 * second);
  });

  it("H5: a leader gives way once in ten leases, however often it is asked", () => {
    const envoy = withoutMain();
    const ranks = (a: number, b: number) => {
      command(envoy, "worker_0", `/rank?${a}`);
      command(envoy, "worker_1", `/rank?${b}`);
    };
    // Twenty times the other one becomes better, then worse again.
    for (let i = 0; i < 40; i++) {
      ranks(1, i % 2 === 0 ? 0 : 2);
      envoy.advance("20s");
    }

    for (const thread of ["worker_0", "worker_1"]) {
      const gaveWay = history(envoy)
        .filter((one) => one.thread === thread && one.end === "released")
        .map(({ untilNs }) => untilNs);
      const gaps = gaveWay.slice(1).map((atNs, index) => atNs - gaveWay[index]!);
      expect(gaveWay.length).toBeGreaterThan(2);
      expect(Math.min(...gaps)).toBeGreaterThan(150 * second);
    }
  });

  it("H5: the best rank waits for a dead leader's lease as everybody does", () => {
    const envoy = withoutMain();
    command(envoy, "worker_1", "/rank?0");
    envoy.thread("worker_0").crash();
    const mono = Number(record(envoy)["mono"]);

    envoy.advance("30s");

    const heir = latest(envoy);
    expect(heir.thread).toBe("worker_1");
    expect(3_600_000 + heir.fromNs / 1e6 - mono).toBeGreaterThan(15_000);
    expect(3_600_000 + heir.fromNs / 1e6 - mono).toBeLessThanOrEqual(18_000);
  });

  it.each([
    ["garbage", "garbage"],
    ["a rank that is no number", '{"rank":"0","until":3700000}'],
    ["a negative rank", '{"rank":-1,"until":3700000}'],
    ["a time long ago", '{"rank":0,"until":1}'],
    ["a time far ahead", '{"rank":0,"until":9999999999}'],
  ])("H5: %s under the hint's key makes no leader give way", (_what, value) => {
    const envoy = withoutMain();
    envoy.thread("worker_1").crash();

    for (let i = 0; i < 10; i++) {
      envoy.setSharedData({ key: `${leaseKey}:prefer`, value });
      envoy.advance("3s");
    }

    expect(history(envoy)).toHaveLength(1);
    expect(stateOf(envoy, "worker_0").leads).toBe(true);
  });
});
