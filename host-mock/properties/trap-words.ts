import type { TraceEvent } from "../trace/event.ts";
import { numberOf, readable, type TraceText } from "../trace/values.ts";
import { time } from "./wording.ts";

/** `worker_0#1 trapped in proxy_on_tick at 16 s: RuntimeError: unreachable (assembly/plugin.ts:12:5)` */
export function trapText(trap: TraceEvent): string {
  const message = readable(trap.result) || readable(trap.args["message"]);
  const place = trapPlace(trap);
  const why = message === "" ? "" : `: ${message}`;
  return `${trap.vm} trapped in ${trap.name} at ${time(trap.atNs)}${why}${place === "" ? "" : ` (${place})`}`;
}

/** The line in the sources, else the function's name, else its index; "" where the trap tells none. */
export function trapPlace({ args }: TraceEvent): string {
  const known = readable(args["source"]) || readable(args["function"]);
  if (known !== "") return known;
  const index = numberOf(args["function_index"]);
  return index === null ? "" : `function ${index}`;
}

/** The guest's frames, innermost first, as the trap tells them. */
export function trapFrames({ args }: TraceEvent): string[] {
  return textsOf(args["frames"]);
}

/** The VM's last host calls, the oldest first, as the trap tells them. */
export function trapCalls({ args }: TraceEvent): string[] {
  return textsOf(args["calls"]);
}

/**
 * What a person needs to find the mistake: frames and last host calls, a line each. Nothing for a trap that a fault
 * made, whose guest did nothing wrong.
 */
export function trapLines(trap: TraceEvent): string[] {
  const frames = trapFrames(trap);
  if (frames.length === 0) return [];
  const calls = trapCalls(trap);
  return [
    ...frames.map((frame) => `  at ${frame}`),
    calls.length === 0 ? "  no host calls before" : "  last host calls:",
    ...calls.map((call) => `    ${call}`),
  ];
}

function textsOf(value: TraceEvent["args"][string] | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly TraceText[]).map((item) => readable(item));
}
