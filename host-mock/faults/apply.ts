import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { changedCalls, lostAnswers } from "./calls.ts";
import { casStorm } from "./cas-storm.ts";
import { chaos } from "./chaos.ts";
import { crash } from "./crash.ts";
import { failAllocation } from "./fail-allocation.ts";
import { pause } from "./pause.ts";
import type { FaultPlan } from "./plan-spec.ts";
import { randomFaults } from "./random-faults.ts";
import { reconfigure } from "./reconfigure.ts";
import { refuse } from "./refuse.ts";
import { restart } from "./restart.ts";
import { setSharedData } from "./set-shared-data.ts";
import type { FaultSpec } from "./spec.ts";
import { bunchedTicks, lateTicks } from "./tick-faults.ts";
import { trap } from "./trap.ts";
import { wallClock } from "./wall-clock.ts";
import { wipe } from "./wipe.ts";

/**
 * Makes a fault happen now, or wait for the host call that it names, and records its event: "applied", or "not_applied"
 * with the reason (a dead thread, nobody leads, the call did not come). Returns whether it happened or waits; a
 * reconfigure asked for inside at() is judged later, by its event.
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
    case "late_answers":
    case "duplicated_calls":
      return changedCalls(envoy, fault);
    case "lost_answers":
      return lostAnswers(envoy, fault);
    case "late_ticks":
      return lateTicks(envoy, fault);
    case "bunched_ticks":
      return bunchedTicks(envoy, fault);
    case "fail_allocation":
      return failAllocation(envoy, fault);
    case "cas_storm":
      return casStorm(envoy, fault);
    case "reconfigure":
      return reconfigure(envoy, fault);
    case "chaos":
      return chaos(envoy, fault);
    case "faults":
      runPlan(envoy, { faults: randomFaults(envoy, fault) });
      return true;
  }
}

/** Books the faults of a plan with an Envoy that has not come to them yet. */
export function runPlan(envoy: MockEnvoy, plan: Pick<FaultPlan, "faults">): void {
  for (const { at, ...fault } of plan.faults) envoy.at(at, () => void applyFault(envoy, fault));
}
