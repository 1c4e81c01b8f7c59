/**
 * What elections do when another VM acts between two host calls of one: nested orders on one clock, with Envoy's rules
 * for shared data (a token of 0 sets an absent key, whoever set it meanwhile).
 */
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import { aiProxyConfiguration } from "./checks/ai.ts";
import {
  hasTwoLeaders,
  higressWith,
  leaderActs,
  mockWith,
  pluginName,
  said,
  threadsOf,
} from "./host.ts";
import type { ForeignName } from "./build.ts";

const [a, b] = ["worker_0", "worker_1"] as const;

/** Two workers that tick, and a main thread that stands still. */
function twoWorkers(module: ForeignName, configuration?: string): MockEnvoy {
  const envoy = mockWith(module, {
    concurrency: 2,
    ...(configuration === undefined ? {} : { configuration }),
  });
  envoy.start();
  envoy.thread("main").pause("1h");
  return envoy;
}

const textsOf = (envoy: MockEnvoy, thread: string): string[] =>
  said(envoy)
    .filter((line) => line.thread === thread)
    .map(({ text }) => text);

describe("a lease set with token 0 on an absent key", () => {
  it.each(["go_metrics_reporter", "rust_lease", "rust_lease_wasip1"] as const)(
    "%s: B's tick inside A's set makes both leaders",
    (module) => {
      const envoy = twoWorkers(module, module.startsWith("go") ? "{}" : undefined);
      envoy.advance("1ms");

      envoy.thread(a).interpose({
        call: "proxy_set_shared_data",
        run: () => void envoy.thread(b).tick(pluginName),
      });
      const hasTicked = envoy.thread(a).tick(pluginName);

      expect(hasTicked).toBe(true);
      expect(threadsOf(leaderActs(envoy))).toEqual([a, b]);
      expect(textsOf(envoy, a).some((text) => text.includes("leader report=1"))).toBe(true);
      expect(textsOf(envoy, b).some((text) => text.includes("leader report=1"))).toBe(true);
    },
  );

  it("go_metrics_reporter: in the next round A renews and leads, and B follows", () => {
    const envoy = twoWorkers("go_metrics_reporter", '{"period_ms": 3000}');
    envoy.thread(a).interpose({
      call: "proxy_set_shared_data",
      run: () => void envoy.thread(b).tick(pluginName),
    });
    envoy.thread(a).tick(pluginName);
    const firstRound = leaderActs(envoy).length;

    envoy.advance("3s");
    envoy.thread(a).tick(pluginName);
    envoy.thread(b).tick(pluginName);

    const secondRound = leaderActs(envoy).slice(firstRound);
    expect(firstRound).toBe(2);
    expect(threadsOf(secondRound)).toEqual([a]);
    expect(textsOf(envoy, b).at(-1)).toContain("follower");
  });

  it("go_metrics_reporter: one after the other there is one leader", () => {
    const envoy = twoWorkers("go_metrics_reporter", "{}");

    envoy.thread(a).tick(pluginName);
    envoy.thread(b).tick(pluginName);

    expect(threadsOf(leaderActs(envoy))).toEqual([a]);
    expect(textsOf(envoy, b).at(-1)).toContain("follower");
  });
});

describe("rust_add_header's counter", () => {
  it("loses one count when B's tick comes inside A's first set, and none later", () => {
    const envoy = twoWorkers("rust_add_header", "500");
    const inside = (): void => {
      envoy.thread(a).interpose({
        call: "proxy_set_shared_data",
        run: () => void envoy.thread(b).tick(pluginName),
      });
      envoy.thread(a).tick(pluginName);
    };

    inside();
    inside();

    const ticks = (thread: string) =>
      textsOf(envoy, thread).filter((text) => text.startsWith("tick"));
    expect(ticks(a)).toEqual(["tick own=1 total=1 attempt=1", "tick own=2 total=3 attempt=2"]);
    expect(ticks(b)).toEqual(["tick own=1 total=1 attempt=1", "tick own=2 total=2 attempt=1"]);
  });
});

/** Not started: which of the two workers comes up first is drawn by the seed. */
function aiProxy(): MockEnvoy {
  return higressWith(
    [{ name: pluginName, module: "gpustack-ai-proxy", configuration: aiProxyConfiguration }],
    { concurrency: 2, seed: 3 },
    { isStarted: false },
  );
}

describe("gpustack-ai-proxy's lease", () => {
  const lease = (envoy: MockEnvoy): string =>
    envoy.sharedData().get("openai-p1-vmLease")?.text() ?? "";
  const isHolder = (text: string): boolean => text.includes("Successfully acquired");

  it("is safe when B's tick comes inside A's set: its key exists, and the loser is told so", () => {
    const envoy = aiProxy().start();
    envoy.thread("main").pause("1h");

    envoy.thread(a).interpose({
      call: "proxy_set_shared_data",
      run: () => void envoy.thread(b).tick(pluginName),
    });
    envoy.thread(a).tick(pluginName);

    expect(textsOf(envoy, b).filter(isHolder)).toHaveLength(1);
    expect(textsOf(envoy, a).filter(isHolder)).toHaveLength(0);
    expect(
      textsOf(envoy, a).some((text) => /Failed to set or renew lease: .*cas mismatch/.test(text)),
    ).toBe(true);
  });

  it("two threads that start together refuse each other: B's start between A's get and set of the keys", () => {
    const envoy = aiProxy();
    const starts = (first: string, second: string): void => {
      // The seven sets that empty the keys, then the get and set that fill one.
      envoy.thread(first).interpose({
        call: "proxy_set_shared_data",
        nth: 8,
        run: () => void envoy.thread(second).startNow(),
      });
    };
    starts(a, b);
    starts(b, a);

    envoy.start();

    const refused = envoy.trace.filter(
      ({ name, status, thread }) =>
        name === "context_configured" && status === "refused" && thread !== "main",
    );
    expect(refused).toHaveLength(1);
    const loser = refused[0]?.thread ?? "nobody";
    const words = textsOf(envoy, loser).join("\n");
    expect(words).toMatch(/failed to init apiTokens: .*cas mismatch/);
    expect(words).toContain("plugin start failed");
  });

  it("is wiped by the start of another thread: two VMs take themselves for the holder", () => {
    const envoy = aiProxy();
    envoy.thread(b).pause("2s");
    envoy.start();
    envoy.thread("main").pause("1h");
    envoy.thread(a).tick(pluginName);
    const before = lease(envoy);

    envoy.thread(a).pause("5s");
    envoy.advance("2s");
    const wiped = lease(envoy);
    envoy.thread(b).tick(pluginName);

    expect(before).toContain("vmID");
    expect(textsOf(envoy, a).filter(isHolder)).toHaveLength(1);
    expect(textsOf(envoy, b).filter(isHolder).length).toBeGreaterThan(0);
    expect(wiped).not.toBe(before);
  });
});

it("two leaders at one instant are seen by the witness of the lease", () => {
  const envoy = mockWith("go_metrics_reporter", {
    concurrency: 2,
    configuration: "{}",
    witness: "lease",
  });
  envoy.start();
  envoy.thread("main").pause("1h");

  envoy.thread(a).interpose({
    call: "proxy_set_shared_data",
    run: () => void envoy.thread(b).tick(pluginName),
  });
  envoy.thread(a).tick(pluginName);
  envoy.advance("50ms");

  expect(hasTwoLeaders(envoy)).toBe(true);
});
