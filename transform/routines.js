// What the functions of a compiled module call, and which of them may make the collector run: those from which an
// allocation can be reached.
import binaryen from "assemblyscript/binaryen";
import { eachPart, kindOf } from "./expressions.js";
import { check } from "./frame.js";
import { keepHeldParameters } from "./held-parameters.js";

const collecting = new Set(
  ["__new", "__renew", "__collect", "interrupt", "step"].map((name) => `~lib/rt/itcms/${name}`),
);

/** The exports that a host calls to put its answer somewhere. */
const allocators = ["proxy_on_memory_allocate", "malloc"];

/**
 * Host calls that only answer: the one way back into the module is the allocator. Calls that start, end or continue
 * something are not among them, since a host may report the outcome at once.
 */
const answering = new Set(
  [
    ...["log", "get_log_level", "get_current_time_nanoseconds", "get_status"],
    ...["get_property", "set_property", "set_effective_context", "set_tick_period_milliseconds"],
    ...["get_header_map_value", "get_header_map_pairs", "get_header_map_size"],
    ...["set_header_map_pairs", "add_header_map_value", "replace_header_map_value"],
    ...["remove_header_map_value", "get_buffer_bytes", "get_buffer_status", "set_buffer_bytes"],
    ...["get_shared_data", "set_shared_data", "register_shared_queue", "resolve_shared_queue"],
    ...["enqueue_shared_queue", "dequeue_shared_queue"],
    ...["define_metric", "get_metric", "record_metric", "increment_metric"],
  ].map((name) => `env.proxy_${name}`),
);
const wasi = "wasi_snapshot_preview1";

/**
 * @typedef {{
 *   reference: number,
 *   body: number,
 *   calls: Set<string>,
 *   mayCollect: boolean,
 *   isKnown: boolean,
 *   rooted: Set<number>,
 * }} Routine `rooted`: parameters whose value some caller's frame holds all the while
 */

/** @param {any} module @returns {Map<string, Routine>} */
export function routinesOf(module) {
  const routines = new Map();
  const exported = exportedFunctions(module);
  const rooted = new Set(exported.values());
  for (let index = 0; index < module.getNumFunctions(); index++) {
    const reference = module.getFunctionByIndex(index);
    const { name, module: from, base, body, params } = binaryen.getFunctionInfo(reference);
    const isOutside = Boolean(from) || !body;
    const isQuietHost = from === wasi || answering.has(`${from}.${base}`);
    const mayCollect = (isOutside && !isQuietHost) || collecting.has(name);
    const routine = {
      reference,
      body,
      calls: new Set(isQuietHost ? allocators.map((export_) => exported.get(export_)) : []),
      mayCollect,
      isKnown: !isOutside,
      // The host holds nothing; what other callers hold, `keepHeldParameters` finds out.
      rooted: new Set(rooted.has(name) ? [] : binaryen.expandType(params).keys()),
    };
    routine.calls.delete(undefined);
    if (!isOutside) note(body, routine);
    routines.set(name, routine);
  }
  spreadCollecting(routines);
  keepHeldParameters(module, routines);
  return routines;
}

/** Functions by the name of their export. @param {any} module @returns {Map<string, string>} */
function exportedFunctions(module) {
  const names = new Map();
  for (let index = 0; index < module.getNumExports(); index++) {
    const { name, value } = binaryen.getExportInfo(module.getExportByIndex(index));
    names.set(name, value);
  }
  return names;
}

/** @param {number} expression @param {Routine} routine */
function note(expression, routine) {
  const kind = kindOf(expression);
  if (kind === binaryen.CallId) routine.calls.add(binaryen.Call.getTarget(expression));
  if (kind === binaryen.CallIndirectId) routine.mayCollect = true;
  // A parameter that is given another value holds no longer what the caller has rooted.
  if (kind === binaryen.LocalSetId) routine.rooted.delete(binaryen.LocalSet.getIndex(expression));
  const isKnown = eachPart(expression, (part) => {
    note(part, routine);
    return undefined;
  });
  if (isKnown) return;
  routine.isKnown = false;
  routine.mayCollect = true;
}

/** Whoever calls what may collect may collect. @param {Map<string, Routine>} routines */
function spreadCollecting(routines) {
  for (let grew = true; grew;) {
    grew = false;
    for (const routine of routines.values()) {
      if (routine.mayCollect) continue;
      for (const callee of routine.calls) {
        if (endsVm(callee) || routines.get(callee)?.mayCollect === false) continue;
        routine.mayCollect = true;
        grew = true;
        break;
      }
    }
  }
}

/** @param {string} name */
function endsVm(name) {
  return name === check || name.endsWith("/abortHook") || name === "~lib/builtins/abort";
}
