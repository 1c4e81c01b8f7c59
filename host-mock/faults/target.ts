import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { Thread } from "../envoy/thread.ts";
import { MockHostError } from "../errors.ts";
import { formatDuration, parseDuration } from "../time/duration.ts";
import type { TraceArgs, TraceValue } from "../trace/event.ts";
import type { Misses, Target } from "./spec.ts";

/** The thread on which a plugin's leader runs at this instant; of two leaders the one with the higher term. */
export function leaderThread(envoy: MockEnvoy, plugin: string): Thread | null {
  const leader = envoy.leader(plugin);
  return leader === null ? null : envoy.thread(leader.thread);
}

/**
 * Does a verb on the thread that a fault means. Nobody leads: the fault does not happen, and its event says so.
 * E_OPTION unless exactly one of `thread` and `leader_of` stands; E_UNKNOWN_NAME for a name that does not exist.
 */
export function onTarget(
  envoy: MockEnvoy,
  fault: Target & Misses & { readonly do: string },
  args: TraceArgs,
  verb: (thread: Thread, args: TraceArgs) => boolean,
): boolean {
  const { thread, leader_of: plugin } = fault;
  if ((thread === undefined) === (plugin === undefined)) {
    throw new MockHostError("E_OPTION", `${fault.do} needs a thread`, {
      remedy: "give thread or leader_of, one of the two",
    });
  }
  if (thread !== undefined) return verb(envoy.thread(thread), { thread, ...args });
  const noted = { leader_of: plugin!, ...args };
  const leading = leaderThread(envoy, plugin!);
  if (leading !== null) return verb(leading, noted);
  envoy.note(fault.do, noted, { status: "not_applied", result: `nobody leads ${plugin!}` });
  return false;
}

/** Arguments of an event: those that are there. */
export function given(args: { readonly [name: string]: TraceValue | undefined }): TraceArgs {
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== undefined),
  ) as TraceArgs;
}

/** A duration as it is best read. */
export function duration(text: string): string {
  return formatDuration(parseDuration(text));
}
