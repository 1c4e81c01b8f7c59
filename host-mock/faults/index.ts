export { applyFault, runPlan } from "./apply.ts";
export type { DataSpec, FaultSpec, Target } from "./spec.ts";
export { leaderThread } from "./target.ts";
export { drawPlan, pausePointsOf } from "./plan.ts";
export {
  faultKinds,
  type FaultKind,
  type FaultPlan,
  type FaultRates,
  type PlannedFault,
  type PlanNames,
  type PlanOptions,
} from "./plan-spec.ts";
export { shrinkPlan, type ShrunkPlan } from "./shrink-plan.ts";
