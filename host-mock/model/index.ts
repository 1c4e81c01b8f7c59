export { drawPause } from "./election-trial.ts";
export { fencePolicies, type FencePolicy, type WakingWrites } from "./fencing.ts";
export { generatorNames, generatorOf, type Generator, type GeneratorName } from "./generator.ts";
export { isAsExpected, leasePauseJson } from "./lease-pause-json.ts";
export { leasePausePlot } from "./lease-pause-plot.ts";
export {
  modelLeasePause,
  type LeasePauseModel,
  type LeasePauseOptions,
  type LeasePauseRow,
} from "./lease-pause.ts";
export type { Proportion, Range } from "./proportion.ts";
export { published as publishedLeasePause } from "./published.ts";
export type { Quantile } from "./quantile.ts";
