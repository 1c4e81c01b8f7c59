/** What one drawn fault of each kind looks like. Times are whole milliseconds, and end before the calm begins. */
import type { Random } from "../random.ts";
import { formatDuration } from "../time/duration.ts";
import type { FaultKind, PlanNames } from "./plan-spec.ts";
import type { FaultSpec } from "./spec.ts";

/** Host calls at which a drawn fault strikes: those of an election, and the line that tells of it. */
export const plannedCalls = [
  "proxy_get_shared_data",
  "proxy_set_shared_data",
  "proxy_log",
] as const;

/** Statuses that the calls can answer in a real host. */
const refusals: readonly (readonly [string, readonly string[]])[] = [
  ["proxy_get_shared_data", ["InternalFailure"]],
  ["proxy_set_shared_data", ["CasMismatch", "InternalFailure"]],
  ["proxy_http_call", ["BadArgument", "InternalFailure"]],
];

const second = 1000;
const nthMax = 6;

/** One draw: its chance, what it may name, and the time left until the calm. */
export interface Draw {
  readonly random: Random;
  readonly names: PlanNames;
  readonly leftMs: number;
}

type Drawn = readonly { readonly afterMs: number; readonly fault: FaultSpec }[];

/** A fault, and what has to follow it. */
export function drawFault(kind: FaultKind, draw: Draw): Drawn {
  if (kind === "trap") return drawTrap(draw);
  return [{ afterMs: 0, fault: drawOne(kind, draw) }];
}

function drawOne(kind: Exclude<FaultKind, "trap">, draw: Draw): FaultSpec {
  const { random, names, leftMs } = draw;
  const may_miss = true as const;
  const some = (minMs: number, maxMs: number): string => span(random, minMs, maxMs, leftMs);
  switch (kind) {
    case "crash": {
      const at = point(draw, 10 * second);
      const restart_after = span(random, 1, 10 * second, lastPart(leftMs));
      return { do: kind, ...target(draw), ...at, restart_after, may_miss };
    }
    case "pause":
      return { do: kind, ...target(draw), ...point(draw, 10 * second), ...length(draw), may_miss };
    case "refuse": {
      const [call, statuses] = pick(random, refusals);
      const status = pick(random, statuses);
      return { do: kind, ...target(draw), call, status, for: some(1, 20 * second), may_miss };
    }
    case "delay_calls":
    case "late_answers":
    case "duplicated_calls": {
      const cluster = pick(random, names.clusters ?? []);
      const spans = { by: some(1, 20 * second), for: some(second, 10 * second) };
      return { do: kind, ...target(draw), cluster, ...spans, may_miss };
    }
    case "lost_answers": {
      const cluster = pick(random, names.clusters ?? []);
      return { do: kind, ...target(draw), cluster, for: some(second, 10 * second), may_miss };
    }
    case "late_ticks": {
      const spans = { by: some(1, 10 * second), for: some(second, 20 * second) };
      return { do: kind, ...target(draw), ...spans, may_miss };
    }
    case "bunched_ticks":
      return { do: kind, ...target(draw), for: some(second, 20 * second), may_miss };
    case "fail_allocation":
      return { do: kind, ...target(draw), count: 1 + random.below(3), may_miss };
    case "cas_storm": {
      const key = pick(random, names.keys ?? []);
      return { do: kind, ...target(draw), key, count: 1 + random.below(10), may_miss };
    }
    case "wall_clock":
      return { do: kind, by: `${random.below(2) === 0 ? "+" : "-"}${some(second, 3600 * second)}` };
    case "reconfigure": {
      const plugin = pick(random, Object.keys(names.configurations ?? {}));
      const configuration = pick(random, names.configurations?.[plugin] ?? []);
      return { do: kind, plugin, configuration, may_miss };
    }
    case "wipe":
      return { do: kind, vm_id: "" };
  }
}

/** Its thread is made anew: a trapped VM stays dead. */
function drawTrap(draw: Draw): Drawn {
  const { random, names, leftMs } = draw;
  const thread = pick(random, names.threads);
  const withinMs = Math.min(5 * second, leftMs - 1);
  const at =
    random.below(2) === 0
      ? { callback: "proxy_on_tick" }
      : { before: pick(random, plannedCalls), nth: nth(random), within: text(withinMs) };
  const afterMs = Math.min(withinMs + 1 + random.below(10 * second), leftMs);
  return [
    { afterMs: 0, fault: { do: "trap", thread, ...at, may_miss: true } },
    { afterMs, fault: { do: "restart", thread, may_miss: true } },
  ];
}

/** Half of the time whoever leads. */
function target({ random, names }: Draw): { thread: string } | { leader_of: string } {
  const { plugins = [], threads } = names;
  if (plugins.length > 0 && random.below(2) === 0) return { leader_of: pick(random, plugins) };
  return { thread: pick(random, threads) };
}

/** Half of the time at a host call that comes soon; what happens there has to end before the calm, too. */
function point({ random, leftMs }: Draw, maxMs: number): object {
  if (random.below(2) === 0) return {};
  const within = text(Math.max(1, Math.min(maxMs, leftMs - lastPart(leftMs))));
  return { before: pick(random, plannedCalls), nth: nth(random), within };
}

/** Mostly shorter than a lease, sometimes longer. */
function length({ random, leftMs }: Draw): { for: string } {
  const maxMs = random.below(4) === 0 ? 60 * second : 5 * second;
  return { for: span(random, 1, maxMs, lastPart(leftMs)) };
}

/** Of the time left what is not for waiting. */
function lastPart(leftMs: number): number {
  return Math.floor((2 * leftMs) / 3);
}

function nth(random: Random): number {
  return 1 + random.below(nthMax);
}

function span(random: Random, minMs: number, maxMs: number, leftMs: number): string {
  return text(Math.max(1, Math.min(minMs + random.below(maxMs - minMs + 1), leftMs)));
}

function text(ms: number): string {
  return formatDuration(ms * 1e6);
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.below(from.length)]!;
}
