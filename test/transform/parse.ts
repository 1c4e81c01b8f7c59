/** Parses sources with asc's own parser, without compiling them. */
import { newOptions, newProgram, parse } from "assemblyscript";
import { findCaptures, type Capture } from "../../transform/captures.js";

/** The captures in one text. */
export function capturesIn(text: string): Capture[] {
  const program = newProgram(newOptions());
  parse(program, text, "plugin.ts", true);
  return findCaptures(program.sources);
}
