/** Rust's lease of 60 s fails over as wasm-go's does. */
import { expect, it } from "vitest";
import { leaderActs, mockWith, second, threadsOf } from "./host.ts";

it.each(["rust_lease", "rust_lease_wasip1"] as const)(
  "%s: another VM leads 60 to 63 s after the leader's death",
  (name) => {
    const envoy = mockWith(name, { concurrency: 2, callCost: "1us" });
    envoy.start();
    envoy.advance("10500ms");
    const leader = threadsOf(leaderActs(envoy))[0] ?? "nobody";
    const diedNs = envoy.nowNs;

    const crashed = envoy.thread(leader).crash();
    envoy.advance("70s");

    const later = leaderActs(envoy).filter(({ atNs }) => atNs > diedNs);
    const gapS = ((later[0]?.atNs ?? 0) - diedNs) / second;
    expect(crashed).toBe(true);
    expect(threadsOf(later).length).toBe(1);
    expect(threadsOf(later)).not.toEqual([leader]);
    expect(gapS).toBeGreaterThan(60);
    expect(gapS).toBeLessThanOrEqual(63);
  },
);
