import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { RefuseSpec } from "./spec.ts";
import { duration, given, onTarget } from "./target.ts";

/** A host call of a thread's VMs answers a status in place of its work. */
export function refuse(envoy: MockEnvoy, fault: RefuseSpec): boolean {
  const { call, status, count } = fault;
  const span = fault.for === undefined ? undefined : duration(fault.for);
  const options = {
    call,
    status,
    ...(fault.for === undefined ? {} : { for: fault.for }),
    ...(count === undefined ? {} : { count }),
  };
  return onTarget(envoy, fault, given({ call, status, for: span, count }), (thread, args) =>
    thread.refuse(options, args),
  );
}
