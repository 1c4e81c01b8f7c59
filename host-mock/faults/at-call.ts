import type { BeforeCall } from "../envoy/before-call.ts";
import type { Thread } from "../envoy/thread.ts";
import type { TraceArgs } from "../trace/event.ts";
import type { AtCall, Misses, Target } from "./spec.ts";
import { duration, given } from "./target.ts";

/** The host call that a fault waits for; null for one that happens at once. With `leader_of` a call of that plugin. */
export function callPoint(thread: Thread, fault: AtCall & Target): BeforeCall | null {
  const { before: call, nth, within, leader_of: plugin } = fault;
  if (call === undefined) return null;
  return thread.before({
    call,
    ...(plugin === undefined ? {} : { plugin }),
    ...(nth === undefined ? {} : { nth }),
    ...(within === undefined ? {} : { within }),
  });
}

/** What an event shows of it. */
export function shownPoint({ before, nth, within, may_miss }: AtCall & Misses): TraceArgs {
  return given({
    before,
    nth: before === undefined ? undefined : (nth ?? 1),
    within: within === undefined ? undefined : duration(within),
    may_miss,
  });
}
