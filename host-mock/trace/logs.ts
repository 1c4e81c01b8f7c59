import { tryUtf8 } from "../state/bytes.ts";
import type { TraceEvent, TraceSubject } from "./event.ts";
import { textOf, type TraceText } from "./values.ts";
import { isWitnessLine } from "./witness-reader.ts";

/** One line a plugin logged. */
export interface LogLine extends TraceSubject {
  /** Position in the trace: tells what was logged before what. */
  readonly n: number;
  readonly atNs: number;
  /** `trace` … `critical` */
  readonly level: string;
  /** Text where it is UTF-8, else the bytes. */
  readonly message: TraceText;
  /** The elector's testimony; `log` checks leave it out. */
  readonly isWitness: boolean;
}

/** The log lines of a trace, in order. */
export function logLines(events: Iterable<TraceEvent>): LogLine[] {
  const lines: LogLine[] = [];
  for (const event of events) {
    if (event.event !== "log") continue;
    const { n, atNs, thread, vm, plugin, context, name, args } = event;
    const message = args["message"];
    lines.push({
      n,
      atNs,
      thread,
      vm,
      plugin,
      context,
      level: name,
      message: (message instanceof Uint8Array ? tryUtf8(message) : undefined) ?? textOf(message),
      isWitness: isWitnessLine(message),
    });
  }
  return lines;
}
