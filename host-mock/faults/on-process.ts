import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { MockHostError } from "../errors.ts";
import type { TraceArgs } from "../trace/event.ts";
import type { FaultName } from "../trace/names.ts";
import { callPoint, shownPoint } from "./at-call.ts";
import type { AtCall, Misses, Target } from "./spec.ts";
import { onTarget } from "./target.ts";

/**
 * A fault of the whole process: now, or at the host call that it waits for. E_OPTION for a thread without `before`, and
 * for `before` without a thread.
 */
export function onProcess(
  envoy: MockEnvoy,
  fault: Target & AtCall & Misses & { readonly do: FaultName },
  args: TraceArgs,
  verb: (args: TraceArgs) => boolean,
): boolean {
  const isWaiting = fault.before !== undefined;
  const named = fault.thread ?? fault.leader_of;
  if (isWaiting !== (named !== undefined)) {
    throw new MockHostError("E_OPTION", `${fault.do} needs a thread and before, or neither`, {
      remedy: "give before with the thread or the leader whose host call is meant",
    });
  }
  const shown = { ...args, ...shownPoint(fault) };
  if (!isWaiting) return verb(shown);
  return onTarget(
    envoy,
    fault,
    shown,
    (thread, noted) =>
      callPoint(thread, fault)?.run(fault.do, (at) => void verb(at), noted) ?? false,
  );
}
