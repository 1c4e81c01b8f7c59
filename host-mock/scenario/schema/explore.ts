import * as z from "zod";
import { strategyNames } from "../../schedule/strategies.ts";
import { choice, flag, name, object, positiveDuration, record, whole } from "./values.ts";

/** As many as a state of the explorer has room for. */
const budgetMax = 15;
const ticksMax = 1000;
const stateCountMax = 1_000_000_000;
/** More VMs have more choices than a number has bits. */
const vmCountMax = 9;
const wholeMs = 1_000_000;

const preemptions = z.union([z.literal("none"), whole(0, 1000)], {
  error: "this must be a number of preemptions; write 2, or none for no bound",
});

/** What `explore` looks at: a small form of the scenario, without its events. */
export const explore = object("an explore block", {
  ticks: whole(1, ticksMax).default(2),
  time_steps: whole(0, budgetMax).default(0),
  time_step: positiveDuration
    .refine((ns) => ns % wholeMs === 0, { error: "this must be whole milliseconds; write 16s" })
    .default(16_000_000_000),
  crashes: whole(0, budgetMax).default(0),
  wipes: whole(0, budgetMax).default(0),
  refusals: whole(0, budgetMax).default(0),
  corruptions: whole(0, budgetMax).default(0),
  preemptions: preemptions.default("none"),
  max_states: whole(1, stateCountMax).default(50_000_000),
  strategy: choice(strategyNames).default("exhaustive"),
  vms: record(
    name,
    whole(0, vmCountMax),
    "this must be an object of plugins and how many VMs each has; write {metrics-reporter: 2}",
  ).default({}),
  canary: flag.default(true),
});

export type ExploreBlock = z.output<typeof explore>;
