/** The protocols of test/guests/protocols, each as its rule says, in runs whose ticks come one after the other. */
import { describe, expect, it } from "vitest";
import { MockEnvoy } from "../../host-mock/index.ts";
import { get, set } from "./support/commands.ts";
import { history, leader, leaseKey, leaseMs, periodMs, wasmGoKey } from "./support/elections.ts";
import {
  callsOfLastTick,
  candidates,
  clock,
  electing,
  interposed,
  leaders,
  now,
  still,
  tick,
  useProtocols,
  wall,
} from "./support/protocol-runs.ts";

useProtocols();

/** When somebody leads at the latest, and after which time somebody else does when the leader has died. */
const sound: readonly (readonly [string, { readonly first: number; readonly next: number }])[] = [
  ["P0", { first: periodMs, next: leaseMs + 1_000 + periodMs }],
  ["P0-ensured", { first: periodMs, next: leaseMs + 1_000 + periodMs }],
  ["P1", { first: 2 * periodMs, next: leaseMs + periodMs }],
  ["P2", { first: 2 * periodMs, next: leaseMs + 2 * periodMs }],
  ["P3", { first: periodMs, next: leaseMs + periodMs }],
  ["P3-recreate", { first: periodMs, next: leaseMs + periodMs }],
  ["P4", { first: leaseMs + 3 * periodMs, next: leaseMs + 2 * periodMs }],
  ["P4-observe-from-r0", { first: leaseMs + 3 * periodMs, next: leaseMs + 2 * periodMs }],
  ["P4-promise-after-set", { first: leaseMs + 3 * periodMs, next: leaseMs + 2 * periodMs }],
  ["P4-short-wait", { first: leaseMs + 3 * periodMs, next: leaseMs + 2 * periodMs }],
  ["P4-flag", { first: leaseMs + 3 * periodMs, next: leaseMs + 2 * periodMs }],
  ["P5-strict", { first: leaseMs + 3 * periodMs, next: leaseMs + periodMs }],
  ["P5-strict-everywhere", { first: leaseMs + 3 * periodMs, next: leaseMs + periodMs }],
  ["P5-boot", { first: periodMs, next: leaseMs + periodMs }],
  ["P5-boot terms=key", { first: periodMs, next: leaseMs + periodMs }],
  ["P5-boot-everywhere", { first: 2 * periodMs, next: leaseMs + periodMs }],
  ["P5-boot-corrupt-at-once", { first: periodMs, next: leaseMs + periodMs }],
  ["P5-boot-term-first", { first: periodMs, next: leaseMs + periodMs }],
  ["P5-boot-term-in-record", { first: periodMs, next: leaseMs + periodMs }],
  ["P5-boot-flag", { first: periodMs, next: leaseMs + periodMs }],
  ["P6", { first: leaseMs + 2 * periodMs, next: 2 * (leaseMs + periodMs) }],
  ["P6-strict", { first: 2 * leaseMs + 4 * periodMs, next: 2 * (leaseMs + periodMs) }],
  ["P6-no-restart", { first: leaseMs + 2 * periodMs, next: 2 * (leaseMs + periodMs) }],
  ["P6-restart-at-end", { first: leaseMs + 2 * periodMs, next: 2 * (leaseMs + periodMs) }],
  ["P7", { first: periodMs, next: leaseMs + periodMs }],
  ["P7-go-by-timestamp", { first: periodMs, next: leaseMs + periodMs }],
  ["P7 go lease=15000", { first: periodMs, next: leaseMs + periodMs }],
  ["P7 terms=key lease=16000", { first: periodMs, next: 16_000 + periodMs }],
];

describe("three candidates", () => {
  it.each(sound)("%s elects one leader, which stays", (configuration, { first }) => {
    const envoy = electing(configuration);

    envoy.advance(`${first}ms`);
    const elected = leaders(envoy);
    envoy.advance("10m");

    expect(elected).toHaveLength(1);
    expect(leaders(envoy)).toEqual(elected);
    expect(history(envoy)).toHaveSingleWinner();
    expect(envoy).not.toHaveTrapped();
  });

  it.each(sound)("%s replaces a leader that has died", (configuration, { first, next }) => {
    const envoy = electing(configuration);
    envoy.advance(`${first}ms`);
    const dead = leader(envoy);

    envoy.thread(dead.thread).crash();
    envoy.advance(`${next}ms`);

    expect(leaders(envoy)).toHaveLength(1);
    expect(leaders(envoy)).not.toContain(dead.thread);
    expect(history(envoy)).toHaveSingleWinner();
    expect(history(envoy)).toHaveGrowingTerms();
  });
});

describe("a pass", () => {
  it.each<readonly [string, string, readonly string[], readonly string[]]>([
    ["P0", "5s", [wall, get, set], [wall, get]],
    ["P1", "10s", [clock, get, set], [clock, get]],
    ["P2", "10s", [clock, get, set], [clock, get]],
    ["P3", "10s", [clock, get, set], [clock, get]],
    ["P4", "40s", [clock, get, set], [clock, get, clock]],
    ["P4-observe-from-r0", "40s", [clock, get, set], [clock, get]],
    ["P4-promise-after-set", "40s", [clock, get, set, clock], [clock, get, clock]],
    ["P5-boot", "10s", [clock, get, set], [clock, get, clock]],
    ["P5-boot terms=key", "10s", [clock, get, wall, set], [clock, get, clock]],
    ["P6", "60s", [clock, get, set], [clock, get, clock]],
    ["P7", "10s", [clock, get, wall, set], [clock, get, clock]],
  ])("%s makes exactly the calls its protocol lists", (configuration, at, leading, following) => {
    const envoy = electing(configuration);

    envoy.advance(at);

    const [first] = leaders(envoy);
    const others = envoy.threads.map(({ name }) => name).filter((name) => name !== first);
    expect(callsOfLastTick(envoy, first ?? "")).toEqual(leading);
    for (const other of others) expect(callsOfLastTick(envoy, other)).toEqual(following);
  });

  it("P7 claims with six calls: clock, record, term key, wall clock, term key, record", () => {
    const envoy = electing("P7");
    envoy.advance("3s");

    const calls = callsOfLastTick(envoy, leader(envoy).thread);

    expect(calls).toEqual([clock, get, get, wall, set, set]);
  });

  it("leaves no memory behind: an hour of passes takes one page", () => {
    const envoy = electing("P7 work=cell fence=eager", { alsoCalls: [] });

    envoy.advance("1h");

    const vms = envoy.threads.flatMap(({ vms: own }) => [...own.values()]);
    expect(vms.map((vm) => vm.instance.memory.sizeBytes)).toEqual([65_536, 65_536, 65_536]);
  });

  it("refuses a protocol that it does not know", () => {
    const start = (configuration: string) => () => electing(configuration);

    for (const wrong of ["P8", "P1-boot", "P4-observe", "P7 leese=3", "P7 go=1", "P5-strict-boot"])
      expect(start(wrong), wrong).toThrow(/no such protocol/);
  });
});

describe("two first passes, the second inside the first before its set", () => {
  it.each([
    ["P0", ["worker_1", "worker_0"]],
    ["P3", ["worker_1"]],
    ["P5-boot", ["worker_1"]],
    ["P7", ["worker_1"]],
  ])("%s: %j lead", (configuration, expected) => {
    const envoy = still(configuration);

    interposed(envoy, set, () => {
      tick(envoy, "worker_1");
    });

    expect(leaders(envoy)).toEqual(expected);
    expect(
      callsOfLastTick(envoy, "worker_0").filter((name) => name === get || name === set),
    ).toEqual(configuration === "P7" ? [get, get, set] : [get, set]);
  });

  it.each(["P1", "P2", "P5-boot-everywhere"])("%s: two lead after another pass each", (name) => {
    const envoy = still(name);

    interposed(envoy, set, () => {
      tick(envoy, "worker_1");
      tick(envoy, "worker_1");
    });
    const before = leaders(envoy);
    now(envoy, () => {
      tick(envoy, "worker_0");
    });

    expect(before).toEqual(["worker_1"]);
    expect(leaders(envoy)).toEqual(["worker_1", "worker_0"]);
    envoy.advance("1ms");
    expect(history(envoy)).not.toHaveSingleWinner();
  });
});

describe("a corrupt record", () => {
  const corrupt = (envoy: MockEnvoy, key: string) => {
    envoy.setSharedData({ key, value: "not json" });
  };

  it("stops P0 for ever", () => {
    const envoy = electing("P0");
    envoy.advance("10s");
    corrupt(envoy, wasmGoKey);

    envoy.advance("1h");

    expect(leaders(envoy)).toEqual([]);
  });

  it.each(["P4", "P5-boot", "P7"])("is claimed by %s once it has stood for a lease", (name) => {
    const envoy = electing(name);
    envoy.advance("40s");
    corrupt(envoy, leaseKey);

    envoy.advance(`${leaseMs}ms`);
    const before = leaders(envoy);
    envoy.advance(`${2 * periodMs}ms`);

    expect(before).toEqual([]);
    expect(leaders(envoy)).toHaveLength(1);
    expect(history(envoy)).toHaveSingleWinner();
  });

  it("is claimed by P5-boot-corrupt-at-once beside its leader", () => {
    const envoy = still("P5-boot-corrupt-at-once");
    now(envoy, () => {
      tick(envoy, "worker_0");
    });
    corrupt(envoy, leaseKey);

    now(envoy, () => {
      tick(envoy, "worker_1");
    });

    expect(leaders(envoy)).toEqual(["worker_0", "worker_1"]);
  });
});

describe("beside wasm-go", () => {
  it.each(["P5-boot go", "P7 go"])("%s is obeyed by P0 while it renews", (configuration) => {
    const plugins = [
      candidates(configuration),
      candidates("P0 lease=60000 period=7000", { name: "go", vmConfiguration: "go" }),
    ];
    const envoy = new MockEnvoy({ plugins }).start();

    envoy.advance("10m");

    expect(history(envoy)).toHaveLength(1);
    expect(history(envoy, "go")).toEqual([]);
  });

  it.each([
    ["P5-boot go terms=key", true],
    ["P7 go", true],
    ["P5-boot go", true],
    ["P5-boot-term-in-record go", false],
  ])(
    "%s takes over from a dead wasm-go after its 60 s; a larger term: %s",
    (configuration, grows) => {
      const envoy = electing(configuration);
      envoy.advance("10s");
      const value = { vmID: "dead", timestamp: Date.UTC(2026, 0, 1) / 1000 + 10 };
      envoy.setSharedData({ key: wasmGoKey, value: JSON.stringify(value) });

      envoy.advance("60s");
      const before = leaders(envoy);
      envoy.advance(`${1_000 + 2 * periodMs}ms`);

      expect(before).toEqual([]);
      expect(history(envoy)).toHaveLength(2);
      expect(history(envoy)).toHaveSingleWinner();
      const [first, second] = history(envoy);
      expect(second!.term! > first!.term!).toBe(grows);
    },
  );
});

describe("release", () => {
  it.each(["P5-boot release=3", "P7 release=3"])("%s hands over within a period", (name) => {
    const envoy = electing(name);
    envoy.advance("8s");
    const first = leader(envoy);

    envoy.advance("4s");

    const [released, next] = history(envoy);
    expect(released).toMatchObject({ thread: first.thread, end: "released" });
    expect(next?.thread).not.toBe(first.thread);
    expect(next!.fromNs - released!.untilNs).toBeLessThanOrEqual(periodMs * 1e6);
  });
});
