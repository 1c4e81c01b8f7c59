/**
 * How many leaders does a time slot get? Every VM of a real Envoy, eight workers' and the main thread's, tries once in
 * each slot of 20 ms, all at the same edge of the monotonic clock:
 *
 *   recipe       a fresh key a slot: get; where it is absent, set with cas 0, as wasm-go creates its lease
 *   create-only  the same code, but for the cas: CREATE_ONLY
 *   elector      a fresh lease key a slot: one `DoLeaderElection` of the SDK's elector. Its key is made of the plugin's
 *                name, so the listener has a plugin for each slot, all of them in one VM a thread
 *   handed over  one lease for all slots: who leads releases it in each, and all pass at the next edge
 *
 * The first three count winners of one key; who wins keeps it to the end. The last counts leaderships that overlap.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { buildGuest } from "../support/build-guest.ts";
import { EnvoyProcess } from "./envoy-process.ts";
import { installEnvoy } from "./install.ts";
import type { Json, ListenerSpec } from "./listeners.ts";
import type { PluginSpec } from "./plugin-config.ts";
import { raceTallies } from "./race-log.ts";
import type { RaceTally } from "./race-log.ts";
import { leaderships, overlaps, witnessLines } from "./witness-log.ts";
import type { ObservedLeadership } from "./witness-log.ts";

const workerCount = 8;
const slotMs = 20;
const slotsMin = 1000;
/** Between the recipes' get and set, beside what the record takes. */
const gapUs = 20;
/** A round is a listener of its own; on a busy machine, which sleeps through slots, there are more of them. */
const slotsPerRound = 260;
const roundsMax = 7;

const keyPrefix = "higress_wasm_vm_lease:";
const handedOver = "handed-over";

function listener(round: number, wasm: string): ListenerSpec {
  const plugin = (name: string, rootId: string, configuration: Json): PluginSpec => ({
    name,
    rootId,
    wasm,
    vmId: "race",
    vmConfiguration: String(round),
    configuration,
  });
  const firstSlot = round * slotsPerRound;
  const slots = Array.from({ length: slotsPerRound }, (_, index) => firstSlot + index);
  const vmCount = workerCount + 1;
  return {
    name: `race-${String(round)}`,
    plugins: [
      ...slots.map((slot) => plugin(`slot-${String(slot)}`, "candidate", { slot })),
      plugin(handedOver, "candidate", {}),
      plugin("metronome", "metronome", {
        round,
        vmCount,
        firstSlot,
        slotCount: slotsPerRound,
        gapUs,
      }),
    ],
    directResponse: { status: 200, body: "" },
  };
}

/** Waits until every VM has passed the last slot of the round; asks seldom, for the main thread competes as well. */
async function roundOver(envoy: EnvoyProcess, round: number): Promise<void> {
  await sleep(slotsPerRound * slotMs);
  const ended = `wasmcustom.race_over_${String(round)}`;
  await envoy.until(`round ${String(round)} is over`, async () => {
    await sleep(100);
    return (await envoy.statistic(ended)) === workerCount + 1;
  });
}

interface Observed {
  readonly tallies: ReadonlyMap<string, RaceTally>;
  readonly leaderships: readonly ObservedLeadership[];
}

async function race(envoy: EnvoyProcess, wasm: string): Promise<Observed> {
  for (let round = 0; ; round++) {
    if (round > 0) await envoy.update([listener(round, wasm)]);
    await roundOver(envoy, round);
    const tallies = raceTallies(envoy.log());
    const isEnough = [...tallies.values()].every(({ wonCount }) => wonCount >= slotsMin);
    if (isEnough || round + 1 === roundsMax)
      return { tallies, leaderships: leaderships(witnessLines(envoy.log())) };
  }
}

function figures(way: string, { wonCount, doubleCount, lostCount, winnersMax }: RaceTally): string {
  const perThousand = ((1000 * doubleCount) / wonCount).toFixed(0);
  const most = doubleCount > 0 ? `, up to ${String(winnersMax)}` : "";
  return `${way} ${perThousand} (${String(doubleCount)} of ${String(wonCount)}${most}; lost races in ${String(lostCount)})`;
}

describe("a leadership that all VMs of a real Envoy try to create at the same instant", () => {
  let envoy: EnvoyProcess | undefined;
  let seen: Observed;

  beforeAll(async () => {
    const binary = installEnvoy();
    const wasm = (await buildGuest({ entry: "test/guests/race/plugin.guest.ts" })).path;
    envoy = await EnvoyProcess.start({
      binary,
      concurrency: workerCount,
      clusters: [],
      listeners: [listener(0, wasm)],
      drainSeconds: 1,
    });
    seen = await race(envoy, wasm);
    const all = [...seen.tallies].map(([way, tally]) => figures(way, tally));
    const handovers = seen.leaderships.filter(({ key }) => key === keyPrefix + handedOver);
    process.stdout.write(
      `slots with more than one leader, per 1,000 that were won: ${all.join(", ")}; ` +
        `one lease handed over ${String(handovers.length - 1)} times\n`,
    );
  });

  afterAll(async () => {
    await envoy?.stop();
    envoy?.discard();
  });

  const check = (what: string, body: () => void): void => {
    it(what, () => {
      onTestFailed(() => {
        process.stderr.write(`${envoy?.lastLines(60) ?? "no Envoy ran"}\n`);
      });
      body();
    });
  };
  const tallyOf = (way: string): RaceTally =>
    seen.tallies.get(way) ?? expect.unreachable(`nobody tried ${way}`);

  check("RE15 wasm-go's recipe, get and then set with cas 0, gives slots two leaders", () => {
    const { wonCount, doubleCount } = tallyOf("recipe");

    expect(wonCount).toBeGreaterThanOrEqual(slotsMin);
    expect(doubleCount).toBeGreaterThan(0);
  });

  check("RE16 the same recipe with CREATE_ONLY gives no slot two, whoever loses the race", () => {
    const { wonCount, doubleCount, lostCount } = tallyOf("create-only");

    expect(wonCount).toBeGreaterThanOrEqual(slotsMin);
    expect(doubleCount).toBe(0);
    expect(lostCount).toBeGreaterThan(0);
  });

  check("RE17 the SDK's elector gives no slot two leaders, and its witness says the same", () => {
    const { wonCount, doubleCount, lostCount } = tallyOf("elector");
    const claimed = seen.leaderships.filter(({ key }) => key.startsWith(`${keyPrefix}slot-`));

    expect(wonCount).toBeGreaterThanOrEqual(slotsMin);
    expect(doubleCount).toBe(0);
    expect(lostCount).toBeGreaterThan(0);
    expect(claimed.length).toBe(wonCount);
    expect(new Set(claimed.map(({ key }) => key)).size).toBe(wonCount);
  });

  check("RE18 a lease that is released in each slot is never led by two at an instant", () => {
    const led = seen.leaderships.filter(({ key }) => key === keyPrefix + handedOver);
    const terms = led.map(({ term }) => term);

    expect(led.length).toBeGreaterThanOrEqual(slotsMin / 2);
    expect(new Set(led.map(({ id }) => id)).size).toBeGreaterThan(1);
    expect(new Set(terms).size).toBe(terms.length);
    expect(overlaps(led)).toEqual([]);
  });
});
