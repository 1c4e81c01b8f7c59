import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { MockHostError } from "../errors.ts";
import { callPoint, shownPoint } from "./at-call.ts";
import type { RefuseSpec } from "./spec.ts";
import { duration, given, onTarget } from "./target.ts";

/** Host calls of a thread's VMs, or one of them, answer a status in place of their work. */
export function refuse(envoy: MockEnvoy, fault: RefuseSpec): boolean {
  const { call, status, count } = fault;
  if (fault.before !== undefined) return refuseOne(envoy, fault);
  const span = fault.for === undefined ? undefined : duration(fault.for);
  const options = {
    call: call ?? "",
    status,
    ...(fault.for === undefined ? {} : { for: fault.for }),
    ...(count === undefined ? {} : { count }),
  };
  const args = given({ call, status, for: span, count });
  return onTarget(envoy, fault, { ...args, ...shownPoint(fault) }, (thread, noted) =>
    thread.refuse(options, noted),
  );
}

/** That very call, which `before` names already. */
function refuseOne(envoy: MockEnvoy, fault: RefuseSpec): boolean {
  if (fault.call !== undefined || fault.for !== undefined || fault.count !== undefined) {
    throw new MockHostError("E_OPTION", "refuse names one call with before", {
      remedy: "leave call, for and count out, or before and nth",
    });
  }
  const args = { ...shownPoint(fault), status: fault.status };
  return onTarget(
    envoy,
    fault,
    args,
    (thread, noted) => callPoint(thread, fault)?.refuse(fault.status, noted) ?? false,
  );
}
