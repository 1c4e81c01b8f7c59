import type { TraceEvent } from "../trace/event.ts";
import { readable } from "../trace/values.ts";
import type { EnvoyProcess } from "./process.ts";

/** Envoy's name of a level. */
function envoyLevel(name: string): string {
  return name === "warn" ? "warning" : name;
}

/**
 * The log as Envoy writes it: seconds since the start, thread, level, logger, and in front of a plugin's message where it comes from. The
 * prefix of a stream has the plugin's name, its root_id and its vm_id, that of a plugin context only the two ids, that of
 * a start function or an allocator none; empty ones are left out. What the host itself says has no prefix.
 *
 *     [1.000][worker_0][info][wasm] wasm log my-plugin my-root my-vm: hello
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (log), `plugin.h` (makeLogPrefix).
 */
export function logText(world: EnvoyProcess): string {
  let text = "";
  for (const event of world.recorder.events) {
    if (event.event === "log") text += `${lineOf(world, event)}\n`;
  }
  return text;
}

function lineOf(world: EnvoyProcess, event: TraceEvent): string {
  const { thread, name, args } = event;
  const time = (event.atNs / 1e9).toFixed(3);
  const isHost = args["host"] === true;
  const prefix = isHost ? "" : `${prefixOf(world, event)}: `;
  return `[${time}][${thread}][${envoyLevel(name)}][wasm] ${prefix}${readable(args["message"])}`;
}

function prefixOf(world: EnvoyProcess, { plugin: name, context, args }: TraceEvent): string {
  const spec = world.plugins.find((plugin) => plugin.name === name)?.spec;
  if (context === 0 || spec === undefined) return "wasm log";
  const isStream = args["root"] !== context;
  return ["wasm log", isStream ? name : "", spec.rootId, spec.vmId]
    .filter((part) => part !== "")
    .join(" ");
}
