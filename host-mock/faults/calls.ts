import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { shownPoint } from "./at-call.ts";
import type { CallsSpec, LostAnswersSpec } from "./spec.ts";
import { duration, onTarget } from "./target.ts";

/** Calls of a thread to a cluster reach the receiver late, or twice, or their answers come late. */
export function changedCalls(envoy: MockEnvoy, fault: CallsSpec): boolean {
  const { cluster, by } = fault;
  const args = { cluster, by: duration(by), for: duration(fault.for), ...shownPoint(fault) };
  const options = { cluster, by, for: fault.for };
  return onTarget(envoy, fault, args, (thread, noted) => {
    if (fault.do === "delay_calls") return thread.delayCalls(options, noted);
    return fault.do === "late_answers"
      ? thread.delayAnswers(options, noted)
      : thread.duplicateCalls(options, noted);
  });
}

/** Calls of a thread to a cluster are received, and it never hears of it. */
export function lostAnswers(envoy: MockEnvoy, fault: LostAnswersSpec): boolean {
  const { cluster } = fault;
  const args = { cluster, for: duration(fault.for), ...shownPoint(fault) };
  return onTarget(envoy, fault, args, (thread, noted) =>
    thread.loseAnswers({ cluster, for: fault.for }, noted),
  );
}
