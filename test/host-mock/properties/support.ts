import {
  factsOf,
  judge,
  type CheckSpec,
  type Judgement,
  type RunFacts,
} from "../../../host-mock/properties/index.ts";
import type { WitnessKind } from "../../../host-mock/trace/index.ts";
import type { TraceBuilder } from "../../support/trace-builder.ts";

export const plugin = "metrics-reporter";

export function facts(trace: TraceBuilder, witness: WitnessKind = "log"): RunFacts {
  return factsOf(trace.events, { durationNs: trace.nowNs, witnesses: { [plugin]: witness } });
}

export function judgeTrace(
  trace: TraceBuilder,
  check: CheckSpec,
  witness: WitnessKind = "log",
): Judgement {
  return judge(check, facts(trace, witness));
}
