import type { TraceEvent } from "../trace/event.ts";
import { readable } from "../trace/values.ts";
import { clean } from "./paint.ts";

/** What a scenario's event did, in words: `main pauses for 10s`. */
export function faultWords(fault: TraceEvent): string {
  const arg = (name: string): string => clean(readable(fault.args[name]), 60);
  const leader = arg("leader_of") === "" ? "" : `the leader of ${arg("leader_of")}`;
  const who = fault.thread || arg("thread") || leader;
  switch (fault.name) {
    case "crash":
      return `${who} crashes`;
    case "restart":
      return `${who} restarts`;
    case "pause":
      return `${who} pauses${arg("for") === "" ? "" : ` for ${arg("for")}`}`;
    case "trap":
      return `${who} is made to trap in its next ${arg("callback")}`;
    case "wipe":
      return `shared data of vm_id ${JSON.stringify(arg("vm_id"))} is wiped`;
    case "evict":
      return `shared data ${arg("key")} is evicted`;
    case "wall_clock":
      return `the wall clock jumps by ${arg("by")}`;
    case "set_shared_data":
      return `shared data ${arg("key")} is overwritten${valueWords(fault)}`;
    case "refuse":
      return `${arg("call")} of ${who} answers ${arg("status")}${span(arg("for"), arg("count"))}`;
    case "delay_calls":
      return `calls of ${who} to ${arg("cluster")} are held back by ${arg("by")}${span(arg("for"), "")}`;
    case "reconfigure":
      return `${fault.plugin === "" ? arg("plugin") : fault.plugin} gets a new configuration`;
    case "chaos":
      return `chaos${arg("leader_of") === "" ? "" : ` for the leader of ${arg("leader_of")}`} until ${arg("until")}, a crash every ${arg("crash_every")} or so`;
    default:
      return `${fault.name}${who === "" ? "" : ` on ${who}`}`;
  }
}

function span(duration: string, count: string): string {
  if (duration !== "") return ` for ${duration}`;
  return count === "" ? "" : ` ${count} times`;
}

function valueWords(fault: TraceEvent): string {
  const value = fault.args["value"];
  const size = value instanceof Uint8Array || typeof value === "string" ? value.length : null;
  if (size === null) return "";
  if (size > 40) return ` with ${size.toLocaleString("en-US")} bytes`;
  return ` with ${JSON.stringify(clean(readable(value)))}`;
}
