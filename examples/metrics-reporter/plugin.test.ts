import { readdirSync } from "node:fs";
import { join } from "node:path";
import { loadScenario, runScenario, toResult, type Result } from "proxy-wasm-as";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "scenarios");
const names = readdirSync(folder).map((file) => file.replace(/\.yaml$/, ""));
const results = new Map<string, Result>();

/** A scenario runs once for all tests of this file: equal input, equal result. */
function resultOf(name: string): Result {
  let result = results.get(name);
  if (result === undefined) {
    result = toResult(runScenario(loadScenario(join(folder, `${name}.yaml`))));
    results.set(name, result);
  }
  return result;
}

interface Report {
  epoch: number;
  sequence: number;
  requests: number;
  codes: Record<string, number>;
  total: number;
}

/** The reports the collector took, in the order of their arrival. */
function takenBy(result: Result): Report[] {
  return result.calls
    .filter((call) => call.answered === 204)
    .sort((a, b) => (a.arrived_ms ?? 0) - (b.arrived_ms ?? 0))
    .map((call) => JSON.parse(call.body as string) as Report);
}

/** What a collector adds up that takes each (epoch, sequence) once. */
function addUp(reports: readonly Report[]): { requests: number; codes: Record<string, number> } {
  const once = new Map(reports.map((report) => [`${report.epoch}/${report.sequence}`, report]));
  const codes: Record<string, number> = {};
  let requests = 0;
  for (const report of once.values()) {
    requests += report.requests;
    for (const [code, count] of Object.entries(report.codes))
      codes[code] = (codes[code] ?? 0) + count;
  }
  return { requests, codes };
}

/** What lies in shared data at the end: every request that any VM counted. */
function countedIn(result: Result): number {
  let sum = 0;
  for (const [key, { value }] of Object.entries(result.shared_data[""] ?? {})) {
    if (!key.startsWith("metrics-reporter:counts:")) continue;
    for (const n of Object.values(JSON.parse(value as string) as Record<string, number>)) sum += n;
  }
  return sum;
}

describe("every scenario", () => {
  test.each(names)("%s ends with the verdicts its file expects", (name) => {
    const result = resultOf(name);

    expect(result.properties.filter((verdict) => !verdict.ok)).toEqual([]);
  });

  test.each(names)("%s sends a report number with one body only, whoever sends it", (name) => {
    const bodies = new Map<string, Set<string>>();
    for (const call of resultOf(name).calls) {
      const { epoch, sequence } = JSON.parse(call.body as string) as Report;
      const key = `${epoch}/${sequence}`;
      bodies.set(key, (bodies.get(key) ?? new Set()).add(call.body as string));
    }

    expect([...bodies].filter(([, different]) => different.size > 1)).toEqual([]);
  });

  test.each(names)(
    "%s: numbers follow each other, and the last total is what was added up",
    (name) => {
      const reports = takenBy(resultOf(name));
      const lastEpoch = reports.filter((report) => report.epoch === reports.at(-1)?.epoch);
      const sequences = [...new Set(lastEpoch.map((report) => report.sequence))];

      expect(sequences).toEqual(sequences.map((_, i) => i + 1));
      expect(addUp(lastEpoch).requests).toBe(lastEpoch.at(-1)?.total);
    },
  );
});

describe("counts", () => {
  test.each(["day17", "rolling-reload", "trap-reload", "hundred-vms"])(
    "%s: every request that was counted is reported once, however often leadership moved",
    (name) => {
      const result = resultOf(name);

      const added = addUp(takenBy(result));

      expect(added.requests).toBeGreaterThan(10);
      expect(added.requests).toBe(countedIn(result));
    },
  );

  test("a response code is counted under its number, a worker's own 503 not at all while its VM is dead", () => {
    const result = resultOf("hundred-vms");
    const seen = new Map<number | null, number>();
    for (const { status } of result.requests) seen.set(status, (seen.get(status) ?? 0) + 1);

    const { codes } = addUp(takenBy(result));

    expect(codes).toEqual({ "200": seen.get(200) });
  });
});

describe("day 17", () => {
  test("the other VM leads between 67 s and 73 s, with a higher term, and one report stream goes on", () => {
    const [first, second, ...more] = resultOf("day17").elections["metrics-reporter"] ?? [];

    expect(more).toEqual([]);
    expect(first?.from_ms).toBeLessThanOrEqual(3000);
    expect(first?.end).toBe("crashed");
    expect(second?.from_ms).toBeGreaterThanOrEqual(67_000);
    expect(second?.from_ms).toBeLessThanOrEqual(73_000);
    expect(BigInt(second?.term ?? 0)).toBeGreaterThan(BigInt(first?.term ?? 0));
    expect(second?.thread).not.toBe(first?.thread);
  });
});

describe("the stale leader", () => {
  test("its held report arrives after the new leader's and is refused; awake again it sends none", () => {
    const result = resultOf("stale-leader");
    const [old, next] = result.elections["metrics-reporter"] ?? [];

    const held = result.calls.filter((call) => call.answered === 409);
    const later = result.calls.filter((call) => call.thread === old?.thread && call.at_ms > 11_000);
    const firstOfNext = result.calls.find((call) => call.thread === next?.thread);

    expect(held).toHaveLength(1);
    expect(held[0]?.arrived_ms).toBeGreaterThanOrEqual(18_000);
    expect(held[0]?.arrived_ms).toBeLessThanOrEqual(19_000);
    expect(next?.from_ms).toBeLessThan(17_000);
    expect(firstOfNext?.at_ms).toBeLessThan(18_000);
    expect(later).toEqual([]);
  });
});

describe("clock jumps", () => {
  test("no leadership begins or ends at a jump", () => {
    const [first, second] = resultOf("clock-jump").elections["metrics-reporter"] ?? [];

    expect(first?.until_ms).toBe(55_000);
    expect(second?.from_ms).toBeLessThanOrEqual(73_000);
  });
});

describe("a corrupt lease", () => {
  test("each odd record costs the leader its place, and one VM leads again within a lease and a tick", () => {
    const leaderships = resultOf("corrupt-lease").elections["metrics-reporter"] ?? [];

    expect(leaderships).toHaveLength(12);
    expect(leaderships.slice(0, -1).map(({ end }) => end)).toEqual(Array(11).fill("replaced"));
    for (let at = 20_000; at <= 270_000; at += 25_000) {
      const again = leaderships.find(({ from_ms }) => from_ms > at);
      expect(again?.from_ms).toBeLessThanOrEqual(at + 21_000);
    }
  });
});

describe("wipes", () => {
  test("alone, the same leader comes back with a new term", () => {
    const [before, after, ...more] = resultOf("wipe-alone").elections["metrics-reporter"] ?? [];

    expect(more).toEqual([]);
    expect(before?.end).toBe("vanished");
    expect(after?.thread).toBe(before?.thread);
    expect(BigInt(after?.term ?? 0)).toBeGreaterThan(BigInt(before?.term ?? 0));
  });

  test("with a fresh VM, the old leader stops as replaced and its held report is refused", () => {
    const result = resultOf("wipe");
    const [old, fresh] = result.elections["metrics-reporter"] ?? [];

    expect(old).toMatchObject({ thread: "main", end: "replaced" });
    expect(fresh).toMatchObject({ thread: "worker_0", vm: "worker_0#2" });
    expect(fresh?.from_ms).toBeLessThanOrEqual(23_000);
    expect(result.calls.filter((call) => call.answered === 409)).not.toHaveLength(0);
  });
});

describe("reloads", () => {
  test("the old leader releases within a tick of each new configuration, a new context leads within a tick of that", () => {
    const leaderships = resultOf("rolling-reload").elections["metrics-reporter"] ?? [];

    expect(leaderships.map(({ end }) => end)).toEqual(["superseded", "superseded", "running"]);
    for (const [i, at] of [30_000, 70_000].entries()) {
      const released = leaderships[i]?.until_ms ?? 0;
      expect(released).toBeGreaterThanOrEqual(at);
      expect(released).toBeLessThanOrEqual(at + 3000);
      expect(leaderships[i + 1]?.from_ms).toBeLessThanOrEqual(released + 3000);
    }
  });
});

describe("traps", () => {
  test("under the default policy both VMs that trapped stay dead", () => {
    const result = resultOf("trap");
    const [main, worker, third] = result.elections["metrics-reporter"] ?? [];

    expect([main?.end, worker?.end]).toEqual(["trapped", "trapped"]);
    expect(main?.thread).toBe("main");
    expect(new Set([main?.vm, worker?.vm, third?.vm]).size).toBe(3);
    expect(result.traps).toHaveLength(2);
  });

  test("under FAIL_RELOAD a request brings the worker's VM back, the main thread's never", () => {
    const result = resultOf("trap-reload");
    const dead = result.traps.map(({ thread }) => thread);
    const worker = dead[1] ?? "";

    const answers = result.requests.filter(
      ({ thread, at_ms }) => thread === worker && at_ms > 42_000,
    );

    expect(dead[0]).toBe("main");
    expect(worker).toMatch(/^worker_/);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

describe("a hundred workers", () => {
  test("at least twenty leaders crash, and nobody waits for the next longer than a lease and a tick", () => {
    const leaderships = resultOf("hundred-vms").elections["metrics-reporter"] ?? [];

    expect(leaderships.filter(({ end }) => end === "crashed").length).toBeGreaterThanOrEqual(20);
  });
});
