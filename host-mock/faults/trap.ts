import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { MockHostError } from "../errors.ts";
import { callPoint, shownPoint } from "./at-call.ts";
import type { TrapSpec } from "./spec.ts";
import { given, onTarget } from "./target.ts";

/** A thread's next such callback traps on entry; or the callback that makes a host call traps there. */
export function trap(envoy: MockEnvoy, fault: TrapSpec): boolean {
  const { callback, plugin } = fault;
  if ((callback === undefined) === (fault.before === undefined)) {
    throw new MockHostError("E_OPTION", "trap does not say which callback", {
      remedy: "give callback, or before with a host call: one of the two",
    });
  }
  const args = { ...given({ callback, plugin }), ...shownPoint(fault) };
  return onTarget(envoy, fault, args, (thread, noted) => {
    const at = plugin === undefined ? fault : { ...fault, leader_of: plugin };
    const point = callPoint(thread, at);
    if (point !== null) return point.trap(noted);
    return thread.trapNext(callback!, plugin ?? fault.leader_of, noted);
  });
}
