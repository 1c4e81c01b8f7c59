import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { shownPoint } from "./at-call.ts";
import type { BunchedTicksSpec, LateTicksSpec } from "./spec.ts";
import { duration, onTarget } from "./target.ts";

/** Ticks of a thread come late for a while. */
export function lateTicks(envoy: MockEnvoy, fault: LateTicksSpec): boolean {
  const { by } = fault;
  const args = { by: duration(by), for: duration(fault.for), ...shownPoint(fault) };
  return onTarget(envoy, fault, args, (thread, noted) =>
    thread.delayTicks({ by, for: fault.for }, noted),
  );
}

/** Ticks of a thread that are due within a while come at its end, all at one instant. */
export function bunchedTicks(envoy: MockEnvoy, fault: BunchedTicksSpec): boolean {
  const args = { for: duration(fault.for), ...shownPoint(fault) };
  return onTarget(envoy, fault, args, (thread, noted) => thread.bunchTicks(fault.for, noted));
}
