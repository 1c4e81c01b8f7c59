/** The abstract model of elections over shared data: what a search of the real modules is compared with. */
import { enumerate, type EnumerateOptions, type Verdict } from "./enumerate.ts";
import type { Row } from "./protocol.ts";

export type { EnumerateOptions, Verdict } from "./enumerate.ts";
export type { Protocol, Row, VmKind } from "./protocol.ts";
export * as mistakes from "./protocols/mistakes.ts";
export { P1, P2, P3, P3_NEVER_CREATES, P4 } from "./protocols/p1-to-p4.ts";
export { P5, P5_STRICT, P6, P7 } from "./protocols/p5-to-p7.ts";

/**
 * Enumerates a row: how many states and transitions, how many bad ones, and the shortest way to a bad one.
 *
 *     verdictOf({ protocol: P7, vms: ["as", "as"], lease: 2, start: "absent", wipes: 1 }).counterexample
 */
export function verdictOf(row: Row, options: EnumerateOptions = {}): Verdict {
  return enumerate(row, options);
}
