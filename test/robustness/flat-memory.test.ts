/** Guest memory over ticks and reports: a million and a hundred thousand in a soak. */
import { beforeAll, describe, expect, it } from "vitest";
import { MockEnvoy, type PluginOptions } from "../../host-mock/index.ts";
import { buildGuest } from "../support/build-guest.ts";
import { hangMsMax, within } from "./support/deadline.ts";
import { checkAlive, pagesOf } from "./support/vital-signs.ts";
import { rounds } from "../support/soak.ts";

const guests: Record<string, Uint8Array> = {};

beforeAll(async () => {
  const entries = {
    lease: "test/guests/lease/plugin.guest.ts",
    reporter: "examples/metrics-reporter/assembly/plugin.ts",
    trapper: "test/guests/robust-trapper/plugin.guest.ts",
  };
  for (const [name, entry] of Object.entries(entries)) {
    guests[name] = (await buildGuest({ entry })).bytes;
  }
});

/** Memory of each VM, in pages. */
interface Course {
  readonly warm: readonly number[];
  readonly end: readonly number[];
}

interface Work {
  readonly envoy: MockEnvoy;
  readonly step: string;
  readonly count: () => number;
  readonly target: number;
  /** Done before each step. */
  readonly also?: () => void;
}

/** Lets time pass until `count()` says so many; the first step is the warm-up. */
function course({ envoy, step, count, target, also }: Work): Course {
  let warm: readonly number[] = [];
  while (count() < target) {
    also?.();
    within(
      hangMsMax,
      () => `after ${count()} of ${target}`,
      () => envoy.advance(step),
    );
    checkAlive(envoy, () => `after ${count()} of ${target}`);
    if (warm.length === 0) warm = pagesOf(envoy);
    // What was recorded would take more memory than all guests together.
    envoy.forget();
  }
  return { warm, end: pagesOf(envoy) };
}

/** Counts the passes of elections: each reads the lease once, and little else reads shared data. */
function countReads(envoy: MockEnvoy): () => number {
  let reads = 0;
  for (const thread of envoy.threads) {
    thread.rules.push({
      answer: (call) => {
        if (call === "proxy_get_shared_data") reads++;
        return undefined;
      },
    });
  }
  return () => reads;
}

function ticking(plugin: PluginOptions): MockEnvoy {
  return new MockEnvoy({ concurrency: 1, logLevel: "warn", plugins: [plugin] });
}

describe("guest memory", () => {
  it("of a leader and a follower is the same after ticks: a million in a soak", () => {
    const configuration = { tickMs: 1000, leaseMs: 5000 };
    const envoy = ticking({ name: "lease", wasm: guests["lease"]!, configuration });
    const passes = countReads(envoy);

    const { warm, end } = course({
      envoy,
      step: "10000s",
      count: passes,
      target: rounds(1_000_000),
    });

    expect(passes()).toBeGreaterThanOrEqual(rounds(1_000_000));
    // Two VMs with a tick a second: nothing but their ticks was counted.
    expect(envoy.nowMs).toBeGreaterThanOrEqual(rounds(490_000_000));
    expect(end).toEqual(warm);
    expect(Math.max(...end)).toBeLessThanOrEqual(4);
  }, 120_000);

  it("of a leader is the same after reports: a hundred thousand in a soak", () => {
    let reports = 0;
    const configuration = { collector: "collector", leaseMs: 5000, tickMs: 1000, reportMs: 1000 };
    const envoy = new MockEnvoy({
      concurrency: 1,
      logLevel: "error",
      plugins: [{ name: "metrics-reporter", wasm: guests["reporter"]!, configuration }],
      clusters: {
        collector: () => {
          reports++;
          if (reports % 11 === 0) return { fail: "reset" };
          return { status: reports % 7 === 0 ? 503 : 204, body: "x".repeat(reports % 100) };
        },
      },
    });

    const { warm, end } = course({
      envoy,
      step: "1000s",
      count: () => reports,
      target: rounds(100_000),
      // Counted by the worker, reported by whoever leads.
      also: () => envoy.thread("worker_0").request({ path: "/" }),
    });

    expect(reports).toBeGreaterThanOrEqual(rounds(100_000));
    expect(end).toEqual(warm);
    expect(Math.max(...end)).toBeLessThanOrEqual(4);
  }, 120_000);

  it("of a plugin that keeps each record it reads is not", () => {
    const plugin = { name: "robust-trapper", wasm: guests["trapper"]!, configuration: {} };
    const envoy = ticking({ ...plugin, vmConfiguration: "leak" });
    envoy.setSharedData({ key: "higress_wasm_vm_lease:robust-trapper", value: "x".repeat(100) });

    const { warm, end } = course({ envoy, step: "500s", count: countReads(envoy), target: 10_000 });

    expect(end).not.toEqual(warm);
  });
});
