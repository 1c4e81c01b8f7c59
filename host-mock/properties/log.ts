import type { LogLine } from "../trace/logs.ts";
import { readable } from "../trace/values.ts";
import { counted, type Bounds } from "./combinators.ts";
import type { Judgement } from "./property.ts";

export interface LogCheck extends Bounds {
  readonly plugin: string;
  /** A JavaScript regular expression, unanchored. */
  readonly matches: RegExp | string;
}

/** So many lines of the plugin match, at any level; the elector's witness lines are left out. */
export function logCount(logs: readonly LogLine[], check: LogCheck): Judgement {
  // Flags `g` and `y` would make the expression remember where it stopped.
  const pattern = new RegExp(
    check.matches,
    typeof check.matches === "string" ? "" : check.matches.flags.replace(/[gy]/g, ""),
  );
  const instants = logs
    .filter(
      (line) =>
        line.plugin === check.plugin && !line.isWitness && pattern.test(readable(line.message)),
    )
    .map((line) => line.atNs);
  return counted(instants, "matching line", check);
}
