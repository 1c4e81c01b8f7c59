import type { TraceEvent } from "../trace/event.ts";
import { isThreadVm } from "../trace/life.ts";
import type { LogLine } from "../trace/logs.ts";
import { numberOf, readable } from "../trace/values.ts";
import { always, both, sometimes, type Breach } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

export interface StartFacts {
  /** Every context_configured event, in order. */
  readonly configurations: readonly TraceEvent[];
  readonly traps: readonly TraceEvent[];
  readonly logs: readonly LogLine[];
}

const startUp =
  /^(_initialize|_start|main|proxy_on_context_create|proxy_on_vm_start|proxy_on_configure)$/;

/**
 * The plugin was configured on its threads and no VM of it failed to start. A refused *new* configuration is no failed start:
 * Envoy keeps the old one.
 */
export function starts(facts: StartFacts, plugin: string): Judgement {
  const breaches: Breach[] = [];
  let configuredCount = 0;
  for (const event of facts.configurations) {
    if (event.plugin !== plugin) continue;
    if (event.status === "Ok") {
      if (isThreadVm(event.vm)) configuredCount++;
      continue;
    }
    if (!isThreadVm(event.vm) && numberOf(event.args["generation"]) !== 1) continue;
    const line = lastLine(facts.logs, event);
    const said = line === "" ? ", and logged nothing" : `: ${line}`;
    breaches.push({
      atNs: event.atNs,
      detail: `${event.vm} refused its configuration at ${time(event.atNs)}${said}`,
    });
  }
  for (const trap of facts.traps) {
    if (trap.plugin !== plugin || !startUp.test(trap.name) || !isThreadVm(trap.vm)) continue;
    if (isOfStream(trap)) continue;
    const line = lastLine(facts.logs, trap);
    const said = line === "" ? "" : `; its last log line: ${line}`;
    breaches.push({
      atNs: trap.atNs,
      detail: `${trap.vm} trapped in ${trap.name} at ${time(trap.atNs)}${said}`,
    });
  }
  const never = `no VM of ${plugin} was ever configured${neverWhy(facts, plugin)}`;
  return breaches.length > 0 ? always(breaches) : both(sometimes(configuredCount > 0, never));
}

/** proxy_on_context_create is called for each request's context too, long after the start. */
function isOfStream(trap: TraceEvent): boolean {
  const root = numberOf(trap.args["root"]);
  return trap.name === "proxy_on_context_create" && root !== null && root !== trap.context;
}

function lastLine(logs: readonly LogLine[], event: TraceEvent): string {
  const reported = readable(event.result);
  if (event.event === "timer" && reported !== "") return reported;
  const own = logs.findLast(
    (line) => line.n < event.n && line.plugin === event.plugin && line.vm === event.vm,
  );
  return own === undefined ? "" : readable(own.message);
}

function neverWhy(facts: StartFacts, plugin: string): string {
  const last = facts.logs.findLast((line) => line.plugin === plugin && !line.isWitness);
  return last === undefined ? "" : `; its last log line: ${readable(last.message)}`;
}
