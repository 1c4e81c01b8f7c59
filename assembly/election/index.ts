export { Elector } from "./elector";
export { ElectionListener } from "./listener";
export { LeaderElectionTiming } from "./timing";
export { FencedCell, FencedOutcome, FencedResult } from "./fencing";
