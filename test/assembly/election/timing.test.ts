import { beforeAll, describe, expect, it } from "vitest";
import type { Candidate } from "../support/candidates.ts";
import { candidateBytes, ROOT, world } from "../support/candidates.ts";

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  bytes = await candidateBytes();
});

function configured(timing: object, make = "self-ticking"): Candidate {
  const { join } = world(bytes);
  return join(make, { configuration: JSON.stringify({ timing }) });
}

const refusal = (candidate: Candidate): string | undefined =>
  candidate.accepted ? undefined : candidate.vm.lines.at(-1);

const REFUSED: [string, object, string][] = [
  ["a lease below 1 s", { LeaseDuration: 999 }, "LeaseDuration must be 1 s to 1 h"],
  ["a lease above 1 h", { LeaseDuration: 3_600_001 }, "LeaseDuration must be 1 s to 1 h"],
  ["a lease below zero", { LeaseDuration: -15_000 }, "LeaseDuration must be 1 s to 1 h"],
  [
    "a deadline as long as the lease",
    { RenewDeadline: 15_000 },
    "RenewDeadline must be 0 to LeaseDuration",
  ],
  ["a deadline below zero", { RenewDeadline: -1 }, "RenewDeadline must be 0 to LeaseDuration"],
  [
    "no time for a retry after the deadline",
    { RenewDeadline: 12_000, RetryPeriod: 3_000 },
    "LeaseDuration must be more than RenewDeadline + RetryPeriod",
  ],
  [
    "a deadline of 1.2 retries",
    { RenewDeadline: 3_600, RetryPeriod: 3_000 },
    "RenewDeadline must be more than 1.2 x RetryPeriod",
  ],
  [
    "a retry above a fifth of the lease",
    { RetryPeriod: 3_001 },
    "RetryPeriod must be -1, or 0 to LeaseDuration / 5",
  ],
  [
    "a retry beyond all numbers",
    { RetryPeriod: Number.MAX_SAFE_INTEGER },
    "RetryPeriod must be -1, or 0 to LeaseDuration / 5",
  ],
  ["a retry of -2", { RetryPeriod: -2 }, "RetryPeriod must be -1, or 0 to LeaseDuration / 5"],
  ["a guard of half the lease", { Guard: 7_500 }, "Guard must be 0 to LeaseDuration / 2"],
  ["a guard below zero", { Guard: -1 }, "Guard must be 0 to LeaseDuration / 2"],
];

describe("a timing that cannot work", () => {
  it.each(REFUSED)("%s refuses the configuration with the rule", (_what, timing, rule) => {
    expect(refusal(configured(timing))).toBe(`[self-ticking] configuration refused: ${rule}`);
  });

  it("a lease of other than 60 s cannot be shared with wasm-go", () => {
    expect(refusal(configured({ LeaseDuration: 59_000, RetryPeriod: -1 }, "wasm-go"))).toBe(
      "[wasm-go] configuration refused: LeaseDuration must be 60 s with WasmGoKey",
    );
  });

  it("starts no tick and elects nobody", () => {
    const refused = configured({ LeaseDuration: 1 });
    refused.pass();

    expect(refused.vm.tickPeriods).toEqual([]);
    expect(refused.leads()).toBe(false);
  });
});

describe("a timing that can", () => {
  it.each([
    ["the shortest lease", { LeaseDuration: 1_000 }, 750],
    ["the longest lease", { LeaseDuration: 3_600_000 }, 3_420_000],
    ["a deadline just above 1.2 retries", { RenewDeadline: 3_601, RetryPeriod: 3_000 }, 14_250],
    ["a guard just below half", { Guard: 7_499 }, 7_501],
    ["retry rules aside when the plugin ticks", { RenewDeadline: 14_999, RetryPeriod: -1 }, 14_250],
  ])("%s is accepted", (_what, timing, promiseMs) => {
    const accepted = configured(timing).pass();

    expect(refusal(accepted)).toBeUndefined();
    expect(accepted.remainingMs()).toBe(promiseMs);
  });

  it("stands field by field over that of WithLeaderElection, whose RetryPeriod of -1 stays", () => {
    const accepted = configured({ LeaseDuration: 30_000 }, "options").pass();

    expect(accepted.remainingMs()).toBe(28_500);
    expect(accepted.vm.tickPeriods).toEqual([]);
  });

  it("with a RetryPeriod makes the elector tick by itself, also without WithLeaderElection", () => {
    const accepted = configured({ RetryPeriod: 2_000 }, "plain");

    expect(accepted.vm.tickPeriods).toHaveLength(1);
    accepted.vm.clocks.advance(accepted.vm.tickPeriods[0]!);
    accepted.vm.tick(ROOT);
    expect(accepted.leads()).toBe(true);
  });
});

describe("an elector that ticks by itself", () => {
  it("starts after a random part of its period and then keeps the period exactly", () => {
    const { join, clocks } = world(bytes);
    const a = join("self-ticking");
    const first = a.vm.tickPeriods[0]!;

    for (let i = 0; i < 5; i++) {
      clocks.advance(a.vm.tickPeriods.at(-1));
      a.vm.tick(ROOT);
    }

    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(3_000);
    expect(a.vm.tickPeriods.slice(1)).toEqual([3_000]);
    expect(a.vm.witness).toHaveLength(5);
  });
});
