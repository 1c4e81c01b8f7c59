import type { TraceEvent, TraceValue } from "../trace/event.ts";
import { readable } from "../trace/values.ts";
import type { RunFacts } from "./facts.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

/** As many as one takes in. */
const shownCount = 6;
const textLengthMax = 60;
const vmName = /\b(?:main|worker_\d+)#\w+/g;

/** The VMs that a judgement's sentence names, each once. */
export function vmsOf({ detail }: Judgement): string[] {
  return [...new Set(detail.match(vmName) ?? [])];
}

/** Whether it makes sense to ask which host calls led to it: it has an instant and names a VM. */
export function hasLastCalls(judgement: Judgement): boolean {
  return !judgement.holds && judgement.atMs !== null && vmsOf(judgement).length > 0;
}

/**
 * The last host calls of each VM that a violation names, up to its instant, a line each, the oldest first; none for a
 * judgement that holds, and where the recorder was not told to keep calls.
 */
export function lastCalls(run: RunFacts, judgement: Judgement): string[] {
  if (!hasLastCalls(judgement) || run.hostCalls.length === 0) return [];
  const untilNs = Math.round((judgement.atMs ?? 0) * 1e6);
  return vmsOf(judgement).flatMap((vm) => {
    const calls: TraceEvent[] = [];
    for (let index = run.hostCalls.length - 1; index >= 0 && calls.length < shownCount; index--) {
      const call = run.hostCalls[index]!;
      if (call.vm === vm && call.atNs <= untilNs) calls.unshift(call);
    }
    const until = `up to ${time(untilNs)}`;
    if (calls.length === 0) return [`  no host call of ${vm} was recorded ${until}`];
    return [
      `  last host calls of ${vm} ${until}:`,
      ...calls.map((call) => `    ${callText(call)}`),
    ];
  });
}

/** `4.998 s proxy_set_shared_data(key="lease", value="…", cas=7) Ok` */
function callText({ atNs, name, args, status, result }: TraceEvent): string {
  const given = Object.entries(args).map(([key, value]) => `${key}=${shown(value)}`);
  const answer = status === null ? "" : ` ${status}`;
  const gave = result === null ? "" : ` ${outputs(result)}`;
  return `${time(atNs)} ${name}(${given.join(", ")})${answer}${gave}`.trimEnd();
}

function outputs(result: TraceValue): string {
  if (result === null || typeof result !== "object" || result instanceof Uint8Array)
    return shown(result);
  if (Array.isArray(result)) return shown(result);
  return Object.entries(result)
    .map(([key, value]) => `${key}=${shown(value)}`)
    .join(", ");
}

function shown(value: TraceValue): string {
  const text = readable(value);
  const cut = text.length > textLengthMax ? `${text.slice(0, textLengthMax - 1)}…` : text;
  const isText = typeof value === "string" || value instanceof Uint8Array;
  return isText ? JSON.stringify(cut) : cut;
}
