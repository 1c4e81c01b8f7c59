import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { chaos } from "./chaos.ts";
import { crash } from "./crash.ts";
import { delayCalls } from "./delay-calls.ts";
import { pause } from "./pause.ts";
import { reconfigure } from "./reconfigure.ts";
import { refuse } from "./refuse.ts";
import { restart } from "./restart.ts";
import { setSharedData } from "./set-shared-data.ts";
import type { FaultSpec } from "./spec.ts";
import { trap } from "./trap.ts";
import { wallClock } from "./wall-clock.ts";
import { wipe } from "./wipe.ts";

export type { DataSpec, FaultSpec, Target } from "./spec.ts";
export { leaderThread } from "./target.ts";

/**
 * Makes a fault happen now, and records its event: "applied", or "not_applied" with the reason (a dead thread, nobody
 * leads). Returns whether it happened; a reconfigure asked for inside at() is judged later, by its event.
 *
 * E_UNKNOWN_NAME for threads, plugins, clusters, calls, callbacks and statuses that do not exist; E_OPTION for
 * durations and targets that make no sense.
 */
export function applyFault(envoy: MockEnvoy, fault: FaultSpec): boolean {
  switch (fault.do) {
    case "crash":
      return crash(envoy, fault);
    case "restart":
      return restart(envoy, fault);
    case "pause":
      return pause(envoy, fault);
    case "trap":
      return trap(envoy, fault);
    case "wipe":
      return wipe(envoy, fault);
    case "wall_clock":
      return wallClock(envoy, fault);
    case "set_shared_data":
      return setSharedData(envoy, fault);
    case "refuse":
      return refuse(envoy, fault);
    case "delay_calls":
      return delayCalls(envoy, fault);
    case "reconfigure":
      return reconfigure(envoy, fault);
    case "chaos":
      return chaos(envoy, fault);
  }
}
