import type { TraceEvent } from "../index.ts";
import { encodeEvent } from "../index.ts";
import type { OpenFile } from "./files.ts";

/** A listener that writes each event as one JSON line. */
export function traceInto(file: OpenFile): (event: TraceEvent) => void {
  return (event) => file.write(`${encodeEvent(event)}\n`);
}
