/** Scenario R7: whatever happens, each context is told of starts and stops in turn. */
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import { Random } from "../../host-mock/random.ts";
import { rounds } from "../support/soak.ts";
import { get, set } from "./support/commands.ts";
import { electing, history, leaseKey, plugin, said, useElections } from "./support/elections.ts";

useElections();

/** One of the things that go wrong, on a thread drawn before. */
function happening(envoy: MockEnvoy, random: Random, thread: string): void {
  const span = `${1 + random.below(20)}s`;
  const lane = envoy.thread(thread);
  switch (random.below(9)) {
    case 0:
      lane.crash();
      break;
    case 1:
      lane.restart();
      break;
    case 2:
      lane.pause(span);
      break;
    case 3:
      if (thread !== "main") lane.request({ path: "/release" });
      break;
    case 4:
      lane.refuse({
        call: random.below(2) === 0 ? get : set,
        status: "InternalFailure",
        for: span,
      });
      break;
    case 5:
      lane.refuse({ call: set, status: "CasMismatch", count: 1 + random.below(2) });
      break;
    case 6:
      // One that is equal to the present one would change nothing.
      envoy.reconfigure(plugin, { lease: 5000, change: random.below(1_000_000) });
      break;
    case 7:
      envoy.shiftWallClock(random.below(2) === 0 ? "+1h" : "-30s");
      break;
    default:
      envoy.setSharedData({ key: leaseKey, value: random.below(2) === 0 ? "" : "garbage" });
  }
}

function play(seed: number): MockEnvoy {
  const random = new Random(seed, "happenings");
  const alsoCalls = [set];
  const envoy = electing({ seed, lease: 5000, drain: "20s", needsLeader: false, alsoCalls });
  const threads = envoy.threads.map(({ name }) => name);
  for (let i = 0; i < 12; i++) {
    envoy.advance(`${100 + random.below(6000)}ms`);
    happening(envoy, random, threads[random.below(threads.length)]!);
  }
  return envoy.advance("20s");
}

/** "started" and "stopped" by context, as they were told. */
function told(envoy: MockEnvoy): Map<string, string[]> {
  const byContext = new Map<string, string[]>();
  for (const { vm, context, text } of said(envoy, /^(started|stopped)/)) {
    const key = `${vm} ${context}`;
    byContext.set(key, [...(byContext.get(key) ?? []), text.split(" ")[0]!]);
  }
  return byContext;
}

describe("random runs, a thousand in a soak", () => {
  it.each(Array.from({ length: rounds(10) }, (_, i) => [i * 100, i * 100 + 99] as const))(
    "R7: starts and stops alternate in each context (runs %i to %i)",
    (first, last) => {
      let starts = 0;
      let stops = 0;
      const ends = new Set<string>();
      for (let seed = first; seed <= last; seed++) {
        const envoy = play(seed);
        for (const [context, events] of told(envoy)) {
          const isAlternating = events.every(
            (event, n) => event === (n % 2 === 0 ? "started" : "stopped"),
          );
          expect(isAlternating, `run ${seed}, ${context}: ${events.join(" ")}`).toBe(true);
          starts += Math.ceil(events.length / 2);
          stops += Math.floor(events.length / 2);
        }
        const all = history(envoy);
        if (all.length > 0) {
          // What the plugin was told and what the elector's lines say are the same.
          expect(envoy).toHavePairedCallbacks();
          expect(envoy).toHaveNoForeignWrite();
        }
        for (const { end } of all) ends.add(end);
      }

      expect(starts).toBeGreaterThan(200);
      expect(stops).toBeGreaterThan(100);
      expect([...ends]).toEqual(
        expect.arrayContaining([
          "crashed",
          "error",
          "expired",
          "released",
          "replaced",
          "superseded",
        ]),
      );
    },
  );
});
