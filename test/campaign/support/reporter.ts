import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultRates } from "../../../host-mock/index.ts";
import { root } from "../../support/build-guest.ts";
import { calmFromNs, type Campaign } from "./campaign.ts";

const plugin = "metrics-reporter";
const wasm = join(root, "examples/metrics-reporter/build/metrics-reporter.wasm");
const configuration = { collector: "collector", reportMs: 3000 };
const other = { collector: "collector", reportMs: 2000 };

/** T + P of the example: within this a dead leader is replaced. */
const boundNs = 18e9;

export const rates: FaultRates = {
  crash: "40s",
  pause: "20s",
  trap: "2m",
  refuse: "20s",
  delay_calls: "45s",
  lost_answers: "1m",
  late_answers: "1m",
  duplicated_calls: "45s",
  late_ticks: "1m",
  bunched_ticks: "90s",
  fail_allocation: "30s",
  cas_storm: "45s",
  wall_clock: "1m",
  reconfigure: "2m",
};

/** The example as it is shipped, with a collector that has a fence or none. */
export function reporterCampaign(
  name: string,
  options: {
    readonly rates?: FaultRates;
    readonly hasFence?: boolean;
    readonly wipes?: boolean;
  } = {},
): Campaign {
  const { hasFence = true, wipes = false } = options;
  const answer = { status: 204, delay: "5ms" };
  const fence = { header: "x-leader-term", refuse: 409 };
  const idHeader = "x-leader-id";
  const bytes = new Uint8Array(readFileSync(wasm));
  return {
    name,
    wasm,
    plugin,
    options: {
      plugins: [{ name: plugin, wasm: bytes, configuration }],
      clusters: {
        collector: hasFence ? { ...answer, fence: { ...fence, idHeader } } : answer,
      },
    },
    frame: {
      plugins: [{ name: plugin, wasm, configuration }],
      clusters: {
        collector: hasFence ? { ...answer, fence: { ...fence, id_header: idHeader } } : answer,
      },
      properties: [
        ...(wipes
          ? []
          : [
              { check: "single_winner", plugin },
              { check: "terms_grow", plugin },
            ]),
        { check: "no_stale_effect", cluster: "collector", header: "x-leader-term" },
        { check: "leader_within", plugin, bound: "18s", from: "9m" },
      ],
    },
    rates: wipes ? { ...rates, wipe: "90s" } : rates,
    names: {
      plugins: [plugin],
      clusters: ["collector"],
      keys: [`higress_wasm_vm_lease:${plugin}`],
      configurations: { [plugin]: [configuration, other] },
    },
    checks: [
      // A wipe takes the lease and the terms along: then the fence alone stands.
      ...(wipes
        ? []
        : ([
            { check: "single_winner", plugin },
            { check: "terms_grow", plugin },
          ] as const)),
      { check: "somebody_led", plugin },
      { check: "no_stale_effect", cluster: "collector", header: "x-leader-term" },
      { check: "leader_within", plugin, boundNs, fromNs: calmFromNs },
    ],
  };
}
