export { toResult, type Result } from "./json.ts";
export { toJunit, type JunitRun } from "./junit.ts";
export type { JudgedRun } from "./run.ts";
export { timeline, type TimelineOptions } from "./text.ts";
