/**
 * What modules of other SDKs need of a host, each met with a real module: FP1 to FP3, FP5, FP6, FP12, FP13, FP16 and FP17.
 * A host that gets one wrong starts them all the same and goes wrong later.
 */
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import { leaderActs, mockWith, pluginName, said, second, threadsOf } from "./host.ts";

const traps = (envoy: MockEnvoy): unknown[] =>
  envoy.recorder.events.filter(({ event }) => event === "trap");
const calls = (envoy: MockEnvoy, name: string): MockEnvoy["recorder"]["events"] =>
  envoy.recorder.events.filter((event) => event.event === "call" && event.name === name);

describe("FP1 sizes are unsigned", () => {
  it.each(["rust_add_header", "rust_add_header_wasip1"] as const)(
    "%s reads all of `500`",
    (name) => {
      const envoy = mockWith(name, { configuration: "500" });
      envoy.start();

      envoy.advance("10s");

      expect(said(envoy).map(({ text }) => text)).toContain("configured period=500");
      const ticks = said(envoy).filter(
        ({ thread, text }) => thread === "main" && text.startsWith("tick "),
      );
      expect(ticks.length).toBe(20);
    },
  );

  it("an empty configuration is empty, and a wrong one is refused with its canary", () => {
    const empty = mockWith("rust_add_header", {});
    empty.start();

    expect(said(empty).map(({ text }) => text)).toContain("configured period=1000");
    expect(() => {
      mockWith("rust_add_header", { configuration: "{}" }).start();
    }).toThrow(/plugin foreign refused to start/);
  });
});

describe("FP2 poll_oneoff succeeds", () => {
  it("Go collects its garbage for more than 5,000 ticks a VM and never traps", () => {
    const envoy = mockWith("go_metrics_reporter", {
      configuration: { period_ms: 100 },
      alsoCalls: ["poll_oneoff", "proxy_on_tick"],
    });
    envoy.start();

    envoy.advance("600s");

    const ticks = envoy.recorder.events.filter(
      ({ event, name }) => event === "callback" && name === "proxy_on_tick",
    );
    expect(ticks.length).toBeGreaterThan(2 * 5_000);
    expect(calls(envoy, "poll_oneoff").length).toBeGreaterThan(0);
    expect(traps(envoy)).toEqual([]);
    expect(leaderActs(envoy).at(-1)?.atNs).toBeGreaterThan(599 * second);
  });
});

describe("FP3 Go's start asks WASI", () => {
  it("what it needs is answered with 0, and the search for folders ends with 8 at once", () => {
    const needed = ["clock_time_get", "random_get", "args_sizes_get", "environ_sizes_get"];
    const envoy = mockWith("go_hello", {
      configuration: "{}",
      alsoCalls: [...needed, "fd_prestat_get"],
    });

    envoy.start();

    for (const name of needed) {
      expect(calls(envoy, name).length).toBeGreaterThan(0);
      expect(new Set(calls(envoy, name).map(({ status }) => status))).toEqual(new Set(["Ok"]));
    }
    const folders = calls(envoy, "fd_prestat_get");
    const vms = new Set(folders.map(({ vm }) => vm));
    expect(folders.length).toBe(vms.size);
    expect(new Set(folders.map(({ status }) => status))).toEqual(new Set(["errno 8"]));
  });
});

describe("FP5 an empty value is a null pointer", () => {
  it("Go takes an empty lease record for no record, and leads", () => {
    const envoy = mockWith("go_metrics_reporter", { configuration: { period_ms: 1000 } });
    envoy.start();
    envoy.setSharedData({ key: "higress_wasm_vm_lease:", value: "" });

    envoy.advance("5s");

    expect(said(envoy).filter(({ text }) => text.includes("Failed to unmarshal"))).toEqual([]);
    expect(threadsOf(leaderActs(envoy)).length).toBe(1);
  });

  it("what is no record at all keeps Go without a leader for ever (H7)", () => {
    const envoy = mockWith("go_metrics_reporter", { configuration: { period_ms: 1000 } });
    envoy.start();
    envoy.setSharedData({ key: "higress_wasm_vm_lease:", value: "garbage" });

    envoy.advance("5m");

    expect(leaderActs(envoy)).toEqual([]);
    expect(said(envoy).some(({ text }) => text.includes("Failed to unmarshal"))).toBe(true);
  });
});

describe("FP6 memory grows inside host calls", () => {
  it.each(["go_hello", "go_hello_stock"] as const)(
    "%s takes a configuration larger than its memory",
    (name) => {
      const padding = "x".repeat(12 * 1024 * 1024);
      const envoy = mockWith(name, { configuration: { name: "x-big", value: "yes", padding } });
      envoy.start();

      const exchange = envoy.thread("worker_0").request({});

      expect(exchange.upstream?.headers).toContainEqual(["x-big", "yes"]);
    },
  );

  it.each(["rust_lease", "rust_lease_wasip1"] as const)(
    "%s takes a value larger than its memory",
    (name) => {
      const envoy = mockWith(name);
      envoy.start();
      envoy.setSharedData({ key: "rust.lease", value: `somebody ${"9".repeat(4 * 1024 * 1024)}` });

      envoy.advance("3s");

      expect(traps(envoy)).toEqual([]);
      expect(said(envoy).length).toBeGreaterThan(0);
    },
  );
});

describe("FP12 Rust panics on a status it does not expect", () => {
  it("one refused set kills that VM alone, and its last words are kept", () => {
    const envoy = mockWith("rust_lease", { concurrency: 2 });
    envoy.start();
    envoy.advance("1500ms");
    const leader = threadsOf(leaderActs(envoy))[0] ?? "nobody";

    envoy
      .thread(leader)
      .refuse({ call: "proxy_set_shared_data", status: "InternalFailure", count: 1 });
    envoy.advance("2s");

    const dead = envoy.recorder.events.filter(({ event }) => event === "trap");
    expect(dead.map(({ thread }) => thread)).toEqual([leader]);
    const last = said(envoy).find(({ thread, level }) => thread === leader && level === "critical");
    expect(last?.text).toContain("panicked");
  });
});

describe("FP13 what a module writes to fd 2 is kept", () => {
  it("a panic that cannot be logged is still told", () => {
    const envoy = mockWith("rust_lease_wasip1", { concurrency: 1 });
    envoy.start();
    envoy.advance("1500ms");
    const leader = threadsOf(leaderActs(envoy))[0] ?? "nobody";

    envoy.thread(leader).refuse({ call: "proxy_log", status: "InternalFailure" });
    envoy.advance("2s");

    const words = said(envoy).filter(({ thread, text }) => {
      return thread === leader && text.includes("panicked at");
    });
    expect(words.length).toBeGreaterThan(0);
    expect(words.every(({ level }) => level === "error")).toBe(true);
    expect(traps(envoy).length).toBe(1);
  });
});

describe("FP16 identities of VMs differ", () => {
  it("wasm-go's vmID comes from random_get and is another one in every VM, also after a restart", () => {
    const envoy = mockWith("go_metrics_reporter", {
      witness: "lease",
      configuration: { period_ms: 1000 },
    });
    envoy.start();
    envoy.advance("3s");
    const leader = envoy.election(pluginName).leader?.thread ?? "nobody";

    envoy.thread(leader).restart();
    envoy.advance("70s");

    const ids = envoy.election(pluginName).history.map(({ id }) => id);
    expect(ids.length).toBe(2);
    expect(new Set(ids).size).toBe(2);
  });

  it("rust_lease_wasip1 has random_get: one leader, though all VMs start at one reading of the clock", () => {
    const envoy = mockWith("rust_lease_wasip1", { concurrency: 3 });
    envoy.start();

    envoy.advance("10s");

    expect(threadsOf(leaderActs(envoy)).length).toBe(1);
  });

  it("rust_lease has the clock alone: one leader where host calls take time, everybody where they do not", () => {
    const leadersWith = (callCost: string): string[] => {
      const envoy = mockWith("rust_lease", { concurrency: 3, callCost });
      envoy.start();
      envoy.advance("10s");
      return threadsOf(leaderActs(envoy));
    };

    expect(leadersWith("1us").length).toBe(1);
    expect(leadersWith("0us").length).toBe(4);
  });
});

describe("FP17 wasm-go's tick functions follow the wall clock", () => {
  it("the first runs at the first tick, the next ones when the period has passed", () => {
    const envoy = mockWith("go_metrics_reporter", { configuration: { period_ms: 1000 } });
    envoy.start();

    envoy.advance("3500ms");

    const acts = leaderActs(envoy).map(({ atNs }) => atNs / second);
    expect(acts).toEqual([0.1, 1.1, 2.1, 3.1]);
  });

  it("a wall clock set back stops them until it has caught up", () => {
    const envoy = mockWith("go_metrics_reporter", { configuration: { period_ms: 1000 } });
    envoy.start();
    envoy.advance("3500ms");
    const before = leaderActs(envoy).length;

    envoy.shiftWallClock("-1m");
    envoy.advance("59s");
    const whileBack = leaderActs(envoy).length;
    envoy.advance("3s");

    expect(whileBack).toBe(before);
    expect(leaderActs(envoy).length).toBeGreaterThan(before);
  });
});
