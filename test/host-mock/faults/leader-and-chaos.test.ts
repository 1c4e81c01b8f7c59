import { beforeAll, describe, expect, test } from "vitest";
import { applyFault, type FaultSpec } from "../../../host-mock/faults/index.ts";
import { hostEvents, rawGuest } from "../envoy/guests.ts";
import { outcome, tickingOf } from "./support.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

const ticking = (words = "", options: Parameters<typeof tickingOf>[2] = {}) =>
  tickingOf(life, words, options);

describe("leader_of", () => {
  test("nobody leads: the fault does not happen and says so", () => {
    const envoy = ticking();
    envoy.advance("1s");

    const isApplied = applyFault(envoy, { do: "pause", leader_of: "life", for: "1s" });

    expect(isApplied).toBe(false);
    expect(outcome(envoy, "pause")).toEqual([
      {
        status: "not_applied",
        result: "nobody leads life",
        args: { leader_of: "life", for: "1s" },
        thread: "",
      },
    ]);
  });

  test("one of thread and leader_of must stand, and both name what exists", () => {
    const envoy = ticking();
    const faults: FaultSpec[] = [
      { do: "crash" },
      { do: "crash", thread: "main", leader_of: "life" },
      { do: "crash", thread: "worker_9" },
      { do: "crash", leader_of: "lief" },
    ];

    const codes = faults.map((fault) => {
      try {
        return applyFault(envoy, fault);
      } catch (error) {
        return (error as { code: string }).code;
      }
    });

    expect(codes).toEqual(["E_OPTION", "E_OPTION", "E_UNKNOWN_NAME", "E_UNKNOWN_NAME"]);
  });
});

describe("chaos", () => {
  const spec: FaultSpec = {
    do: "chaos",
    until: "10m",
    crash_every: "30s",
    restart_after: "5s",
    threads: "all",
  };

  test("crashes living threads at gaps of 0.5 … 1.5 of the mean and restarts each later, until its end", () => {
    const envoy = ticking("", { concurrency: 4 });
    envoy.start();
    applyFault(envoy, spec);

    envoy.advance("20m");

    const crashes = hostEvents(envoy, "crash");
    const gaps = crashes.slice(1).map((event, index) => (event.atNs - crashes[index]!.atNs) / 1e9);
    expect(crashes.length).toBeGreaterThan(13);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(15);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(45);
    expect(crashes.at(-1).atNs).toBeLessThanOrEqual(600e9);
    expect(new Set(crashes.map(({ thread }) => thread)).size).toBeGreaterThan(3);
    expect(
      hostEvents(envoy, "restart").map(({ atNs, thread }) => `${thread} ${atNs - 5e9}`),
    ).toEqual(crashes.map(({ atNs, thread }) => `${thread} ${atNs}`));
    expect(envoy.threads.every((thread) => thread.alive)).toBe(true);
    expect(
      hostEvents(envoy, "crash", "restart", "chaos").every(({ status }) => status === "applied"),
    ).toBe(true);
  });

  test("with leader_of, a draw while nobody leads is skipped and counted, and is no failure", () => {
    const envoy = ticking();
    envoy.start();

    applyFault(envoy, { ...spec, threads: { leader_of: "life" } });
    envoy.advance("2m");

    const [first, ...skips] = hostEvents(envoy, "chaos");
    expect(first!.status).toBe("applied");
    expect(skips.length).toBeGreaterThan(1);
    expect(skips.map(({ status, args }) => [status, args["skipped"]])).toEqual(
      skips.map((_, index) => ["skipped", index + 1]),
    );
    expect(hostEvents(envoy, "crash")).toEqual([]);
  });

  test("keeps to the threads it is given, and is the same for the same seed", () => {
    const run = (seed: number) => {
      const envoy = ticking("", { concurrency: 3, seed });
      envoy.start();
      applyFault(envoy, { ...spec, threads: ["worker_1", "worker_2"] });
      envoy.advance("10m");
      return hostEvents(envoy, "crash").map(({ atNs, thread }) => `${thread} ${atNs}`);
    };

    const first = run(1);

    expect(run(1)).toEqual(first);
    expect(run(2)).not.toEqual(first);
    expect(new Set(first.map((text) => text.split(" ")[0]))).toEqual(
      new Set(["worker_1", "worker_2"]),
    );
  });

  test("equal chaos events of one instant strike apart", () => {
    const envoy = ticking("", { concurrency: 4 });
    envoy.start();
    applyFault(envoy, spec);
    applyFault(envoy, spec);

    envoy.advance("10m");

    const instants = hostEvents(envoy, "crash").map(({ atNs }) => atNs);
    expect(instants.length).toBeGreaterThan(26);
    expect(new Set(instants).size).toBe(instants.length);
  });
});
