export { factsOf, type FactsOptions, type RunFacts } from "./facts.ts";
export { judge, type CheckName, type CheckSpec } from "./judge.ts";
export {
  judgeProperty,
  property,
  type Judgement,
  type Property,
  type Verdict,
} from "./property.ts";
export { callbacksPaired } from "./callbacks-paired.ts";
export { callCount } from "./calls.ts";
export { always, both, counted, sometimes, type Bounds, type Breach } from "./combinators.ts";
export { eventuallyWithin, type EventuallyOptions, type Moment } from "./eventually-within.ts";
export { hasLastCalls, lastCalls, vmsOf } from "./last-calls.ts";
export { noForeignWrite } from "./no-foreign-write.ts";
export { declaredClusters } from "./declared-clusters.ts";
export { eventsApplied } from "./events-applied.ts";
export { expectedStatus } from "./expect.ts";
export { idleStretches, type IdleOptions } from "./idle-stretches.ts";
export {
  leaderWithin,
  vacancies,
  type LeaderWithinOptions,
  type Vacancy,
} from "./leader-within.ts";
export { logCount, type LogCheck } from "./log.ts";
export { headerOf, noStaleEffect, type NoStaleEffectOptions } from "./no-stale-effect.ts";
export { noTrap } from "./no-trap.ts";
export { overlaps, singleWinner, type Overlap } from "./single-winner.ts";
export { somebodyLed } from "./somebody-led.ts";
export { starts, type StartFacts } from "./starts.ts";
export { termsGrow } from "./terms-grow.ts";
export { trapLines, trapText } from "./trap-words.ts";
export { trapCount } from "./traps.ts";
