import * as z from "zod";
import { Status } from "../../abi/status.ts";
import type { StatusName } from "../../abi/status.ts";
import { faultKinds, type FaultKind } from "../../faults/index.ts";
import { frames, upstream } from "./clusters.ts";
import {
  bytes,
  choice,
  configuration,
  duration,
  flag,
  headers,
  missing,
  name,
  object,
  positiveDuration,
  requestHeaders,
  shown,
  signedDuration,
  text,
  whole,
  wordOr,
} from "./values.ts";

/** What cannot happen is skipped instead of failing `events_applied`. */
const misses = { may_miss: flag.optional() };
/** When an event happens: once, or again every so often. */
const repeats = {
  at: duration,
  every: positiveDuration.optional(),
  until: duration.optional(),
  ...misses,
};
const when = { ...repeats, count: whole(1, Number.MAX_SAFE_INTEGER).optional() };
/** Where it happens. Which of the two must stand is one of the rules. */
const where = { thread: text.optional(), leader_of: text.optional() };
/** At which host call of the VMs there; else at once. */
const atCall = {
  ...where,
  before: name.optional(),
  nth: whole(1, Number.MAX_SAFE_INTEGER).optional(),
  within: positiveDuration.optional(),
};

const statusNames = Object.keys(Status) as [StatusName, ...StatusName[]];

const bytesList = z.array(bytes, {
  error: "this must be a list of texts or bytes; write [hello]",
});

const crash = object("a crash event", {
  ...when,
  do: z.literal("crash"),
  ...atCall,
  restart_after: duration.optional(),
});
const restart = object("a restart event", { ...when, do: z.literal("restart"), ...where });
const pause = object("a pause event", {
  ...when,
  do: z.literal("pause"),
  ...atCall,
  for: positiveDuration,
});
const trap = object("a trap event", {
  ...when,
  do: z.literal("trap"),
  ...atCall,
  callback: name.optional(),
  plugin: text.optional(),
});
const wipe = object("a wipe event", {
  ...when,
  do: z.literal("wipe"),
  ...atCall,
  vm_id: text.default(""),
});
const wallClock = object("a wall_clock event", {
  ...when,
  do: z.literal("wall_clock"),
  ...atCall,
  by: signedDuration,
});
const setSharedData = object("a set_shared_data event", {
  ...when,
  do: z.literal("set_shared_data"),
  ...atCall,
  vm_id: text.default(""),
  key: text,
  value: bytes,
  cas: whole(0, 0xffffffff).default(0),
});
/** `count` is how many calls are refused, so that repetition ends by `until` alone. */
const refuse = object("a refuse event", {
  ...repeats,
  do: z.literal("refuse"),
  ...atCall,
  call: name.optional(),
  status: choice(statusNames),
  for: positiveDuration.optional(),
  count: whole(1, Number.MAX_SAFE_INTEGER).optional(),
});
const callsInTime = { ...when, ...where, cluster: text, for: positiveDuration };
const delayCalls = object("a delay_calls event", {
  ...callsInTime,
  do: z.literal("delay_calls"),
  by: positiveDuration,
});
const lateAnswers = object("a late_answers event", {
  ...callsInTime,
  do: z.literal("late_answers"),
  by: positiveDuration,
});
const duplicatedCalls = object("a duplicated_calls event", {
  ...callsInTime,
  do: z.literal("duplicated_calls"),
  by: duration.default(0),
});
const lostAnswers = object("a lost_answers event", {
  ...callsInTime,
  do: z.literal("lost_answers"),
});
const lateTicks = object("a late_ticks event", {
  ...when,
  do: z.literal("late_ticks"),
  ...where,
  by: positiveDuration,
  for: positiveDuration,
});
const bunchedTicks = object("a bunched_ticks event", {
  ...when,
  do: z.literal("bunched_ticks"),
  ...where,
  for: positiveDuration,
});
/** `count` is how many gifts find no memory, so that repetition ends by `until` alone. */
const failAllocation = object("a fail_allocation event", {
  ...repeats,
  do: z.literal("fail_allocation"),
  ...where,
  plugin: text.optional(),
  count: whole(1, Number.MAX_SAFE_INTEGER).optional(),
});
/** `count` is before how many sets it writes. */
const casStorm = object("a cas_storm event", {
  ...repeats,
  do: z.literal("cas_storm"),
  ...where,
  key: text,
  vm_id: text.default(""),
  count: whole(1, Number.MAX_SAFE_INTEGER).optional(),
});
const reconfigure = object("a reconfigure event", {
  ...when,
  do: z.literal("reconfigure"),
  ...atCall,
  plugin: text,
  configuration,
});
const request = object("a request event", {
  ...when,
  do: z.literal("request"),
  ...where,
  method: name.default("GET"),
  path: name.default("/"),
  headers: requestHeaders.default([]),
  body: bytes.optional(),
  frames: frames.optional(),
  frame_gap: duration.optional(),
  trailers: headers.default([]),
  protocol: choice(["HTTP/1.1", "HTTP/2"]).optional(),
  listener: name.optional(),
  upstream: upstream.optional(),
  expect: object("an expect", { status: whole(100, 999) }).optional(),
});
const server = object("an upstream", {
  sends: bytesList.default([]),
  gap: duration.default(0),
  echoes: flag.default(false),
  closes: flag.default(false),
  lingers: flag.default(false),
  delay: duration.default(0),
});
const connect = object("a connect event", {
  ...when,
  do: z.literal("connect"),
  ...where,
  listener: name.optional(),
  send: bytesList.default([]),
  gap: duration.default(0),
  finish: flag.default(false),
  abandon: flag.default(false),
  upstream: wordOr(
    choice(["echo", "silent", "refuse"]),
    server,
    (given) =>
      `this must be a server, not ${given}; write echo, silent, refuse, or {sends: [hello]}`,
  ).optional(),
  expect: object("an expect", {
    received: bytes.optional(),
    closed: flag.optional(),
  }).optional(),
});
const chaos = object("a chaos event", {
  at: duration,
  until: duration,
  do: z.literal("chaos"),
  crash_every: positiveDuration,
  restart_after: duration,
  threads: z
    .union([z.literal("all"), z.array(text).min(1), z.strictObject({ leader_of: text })], {
      error:
        "this must name threads; write all, a list such as [main, worker_0], or {leader_of: PLUGIN}",
    })
    .default("all"),
});

const rates = Object.fromEntries(
  faultKinds.map((kind) => [kind, positiveDuration.optional()]),
) as Record<FaultKind, z.ZodOptional<typeof positiveDuration>>;
const faults = object("a faults event", {
  at: duration,
  until: duration,
  do: z.literal("faults"),
  rates: object("the rates of faults", rates),
  threads: z
    .union([z.literal("all"), z.array(text).min(1)], {
      error: "this must name threads; write all, or a list such as [main, worker_0]",
    })
    .default("all"),
  keys: z.array(text, { error: "this must be a list of keys; write [KEY]" }).optional(),
  configurations: z.record(text, z.array(configuration).min(1)).optional(),
});

const kinds = [
  crash,
  restart,
  pause,
  trap,
  wipe,
  wallClock,
  setSharedData,
  refuse,
  delayCalls,
  lostAnswers,
  lateAnswers,
  duplicatedCalls,
  lateTicks,
  bunchedTicks,
  failAllocation,
  casStorm,
  reconfigure,
  request,
  connect,
  chaos,
  faults,
] as const;

export const eventNames = kinds.map((kind) => kind.shape.do.value);

export const event = z.discriminatedUnion("do", kinds, {
  error: (issue) => tagMessage("do", eventNames, issue),
});

/** What is said of a list entry without a tag, or with one that does not exist. */
export function tagMessage(
  tag: string,
  names: readonly string[],
  issue: { readonly code: string; readonly input?: unknown },
): string {
  const choices = `${tag}: is one of ${names.join(", ")}`;
  const entry = issue.input;
  if (issue.code !== "invalid_union")
    return `this must be an object with ${tag}:, it is not; ${choices}`;
  const given = (entry as Readonly<Record<string, unknown>>)[tag];
  if (given === undefined) return `${missing}; ${choices}`;
  return `there is no ${tag}: ${typeof given === "string" ? given : shown(given)}; ${choices}`;
}

export type ScenarioEvent = z.output<typeof event>;
export type EventOf<Name extends ScenarioEvent["do"]> = Extract<ScenarioEvent, { do: Name }>;
