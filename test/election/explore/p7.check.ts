/**
 * The published SDK's elector under every schedule. Each row prints its counts; `make explore` runs all of them, the
 * largest only with LARGE=1.
 */
import { describe, expect, it } from "vitest";
import {
  exploreScenario,
  type ExploreOptions,
  type StateProperty,
} from "../../../host-mock/index.ts";
import { readLeaseText } from "../../../host-mock/stepping/lease-text.ts";
import type { LocalState } from "../../../host-mock/stepping/local-state.ts";
import type { SteppedWorld } from "../../../host-mock/stepping/stepped-world.ts";
import { electorModule, scenarioOf } from "./scenarios.ts";

interface Row {
  readonly vms: number;
  readonly ticks: number;
  readonly timeSteps: number;
  readonly crashes?: number;
  readonly isLarge?: boolean;
}

const rows: readonly Row[] = [
  { vms: 4, ticks: 1, timeSteps: 0 },
  { vms: 2, ticks: 2, timeSteps: 1 },
  { vms: 2, ticks: 2, timeSteps: 1, crashes: 1 },
  { vms: 3, ticks: 2, timeSteps: 0 },
  { vms: 2, ticks: 3, timeSteps: 1 },
  { vms: 3, ticks: 2, timeSteps: 1, isLarge: true },
  { vms: 2, ticks: 3, timeSteps: 2, isLarge: true },
];

const minutes = 60_000;
const runsLarge = process.env["LARGE"] === "1";

function told(name: string, run: ReturnType<typeof exploreScenario>, begunMs: number): void {
  const { states, steps } = run.search;
  const seconds = (Date.now() - begunMs) / 1000;
  const count = (value: number | null): string => (value ?? 0).toLocaleString("en-US");
  console.log(`${name}: ${count(states)} states, ${count(steps)} steps, ${seconds.toFixed(1)} s`);
}

describe("the published elector holds in every schedule", () => {
  it.each(rows.filter(({ isLarge }) => runsLarge || isLarge !== true))(
    "$vms VMs × $ticks ticks, $timeSteps time steps, $crashes crashes",
    { timeout: 60 * minutes },
    async ({ vms, ticks, timeSteps, crashes = 0 }) => {
      const scenario = scenarioOf(await electorModule(), { vms, plugin: ", root_id: plain" });
      const bounds = { ticks, time_steps: timeSteps, crashes };
      const begunMs = Date.now();

      const run = exploreScenario(scenario, { bounds });

      told(
        `${vms} VMs × ${ticks} ticks, ${timeSteps} time steps, ${crashes} crashes`,
        run,
        begunMs,
      );
      expect(run.search.violations).toEqual({});
      expect(run.search.missed).toEqual([]);
      expect(run.search.complete).toBe(true);
      expect(run.ok).toBe(true);
    },
  );
});

/** Whether a guest had read, before the claim it now leads by, a record of the other whose promise still runs. */
function ignoredARunningPromise(
  world: SteppedWorld,
  local: LocalState,
  other: string,
  nowMs: number,
) {
  let at: LocalState | null = local;
  while (at !== null && at.claimed === undefined) at = at.before;
  for (; at !== null && at.before !== null; at = at.before) {
    const { op } = at.before;
    if (op?.kind !== "get" || op.key !== 0 || at.answer < 0) continue;
    const text = world.keys.entries.textOf(at.answer);
    const lease = text < 0 ? undefined : readLeaseText(world.keys.texts.textOf(text));
    const untilMs = (lease?.untilMonoMs ?? 0) - 3_600_000;
    if (lease?.holder === other && untilMs > nowMs) return true;
  }
  return false;
}

/** Two lead only where neither had seen the other's promise: a fresh VM, or one whose last reading is older. */
const onlyUnseenPromises: StateProperty = {
  name: "only_unseen_promises",
  holds(world, state, at) {
    const nowMs = state[at + world.layout.now]!;
    const leading = world.guests.flatMap((_, guest) => {
      const local = world.localAt(state, at, guest);
      const promised = local?.promised;
      return local !== null && promised && nowMs < promised.untilMs
        ? [{ local, id: promised.id }]
        : [];
    });
    return leading.every(({ local, id }) =>
      leading.every(
        (other) => other.id === id || !ignoredARunningPromise(world, local, other.id, nowMs),
      ),
    );
  },
};

describe("all shared data is lost once", () => {
  const fence = "fence: {header: x-leader-term, id_header: x-leader-id, refuse: 409}";
  const clusters = `clusters: {collector: {status: 204, ${fence}}}`;
  const staleCheck = "{check: no_stale_effect, cluster: collector, header: x-leader-term}";

  async function wiped(rest: string, options: ExploreOptions) {
    const plugin = ", root_id: reporting";
    const scenario = scenarioOf(await electorModule(), { vms: 2, plugin, rest });
    const bounds = { ticks: 2, time_steps: 1, wipes: 1, ...options.bounds };
    return exploreScenario(scenario, { ...options, bounds });
  }

  it(
    "two lead where neither had seen the other's promise, and nowhere else",
    { timeout: 20 * minutes },
    async () => {
      const begunMs = Date.now();

      const run = await wiped(`${clusters}\nproperties: [${staleCheck}]`, {
        properties: [onlyUnseenPromises],
        search: { stopAtViolation: false },
      });

      told("2 VMs × 2 ticks, 1 time step, 1 wipe, fenced", run, begunMs);
      // The fence knows the holder: nothing stale is carried out, on a tied term neither.
      expect(run.search.violations).toEqual({});
      expect(run.search.complete).toBe(true);
    },
  );

  it(
    "two leaders are found, and without a fence a stale effect",
    { timeout: 20 * minutes },
    async () => {
      const both = await wiped(`${clusters}`, { search: { stopAtViolation: false } });
      const unfenced = await wiped(
        `clusters: {collector: {status: 204}}\nproperties: [${staleCheck}]`,
        {},
      );

      expect(both.search.violations["single_winner"]).toBeGreaterThan(0);
      expect(both.search.violations["no_stale_effect"] ?? 0).toBe(0);
      expect(unfenced.search.violation?.property).toBe("no_stale_effect");
    },
  );
});
