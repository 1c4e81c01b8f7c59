/** What goes together in events that may wait for a host call. */
import { isHostCall } from "./abi-names.ts";
import { problem } from "./names.ts";
import type { EventOf, ScenarioEvent } from "./schema/events.ts";
import type { Path, Problem } from "./source.ts";

/** Events of the whole process: they name a thread only to say whose host call they wait for. */
const ofProcess: readonly ScenarioEvent["do"][] = [
  ...(["wipe", "wall_clock", "set_shared_data", "reconfigure"] as const),
];

export function atCallRules(event: ScenarioEvent, path: Path): Problem[] {
  const found: Problem[] = [];
  if (event.do === "refuse") found.push(...refuseRules(event, path));
  if (event.do === "trap") found.push(...trapRules(event, path));
  if (!("before" in event || "nth" in event || "within" in event))
    return [...found, ...placeRules(event, path)];
  const { before } = event;
  if (before === undefined) {
    const key = event.nth === undefined ? "within" : "nth";
    const what = `${key} is of a host call, and none is named`;
    return [
      ...found,
      { path: [...path, key], part: "key", what, remedy: "add before: CALL, or leave it out" },
    ];
  }
  if (!isHostCall(before)) found.push(noCall(before, [...path, "before"]));
  if (event.thread === undefined && event.leader_of === undefined && ofProcess.includes(event.do)) {
    const what = "before does not say whose host call";
    found.push(problem([...path, "before"], what, "add thread: NAME or leader_of: PLUGIN"));
  }
  return found;
}

/** A thread says nothing where no host call is waited for. */
function placeRules(event: ScenarioEvent, path: Path): Problem[] {
  if (!ofProcess.includes(event.do)) return [];
  for (const key of ["thread", "leader_of"] as const) {
    if (!(key in event)) continue;
    const what = `${event.do} is of the whole process`;
    const remedy = `add before: CALL, or leave ${key} out`;
    return [{ path: [...path, key], part: "key", what, remedy }];
  }
  return [];
}

function trapRules({ callback, before }: EventOf<"trap">, path: Path): Problem[] {
  if (callback === undefined && before === undefined) {
    const what = "trap does not say which callback";
    return [
      problem(path, what, "add callback: NAME, or before: CALL for one that makes that call"),
    ];
  }
  if (callback === undefined || before === undefined) return [];
  const what = "callback and before both say where it traps";
  return [{ path: [...path, "before"], part: "key", what, remedy: "keep one of the two" }];
}

function refuseRules(event: EventOf<"refuse">, path: Path): Problem[] {
  const { call, before } = event;
  if (before !== undefined) {
    const keys = (["call", "for", "count"] as const).filter((key) => event[key] !== undefined);
    return keys.map((key) => ({
      path: [...path, key],
      part: "key" as const,
      what: `${key} cannot stand beside before, which names one call`,
      remedy: "keep one of the two",
    }));
  }
  const found: Problem[] = [];
  if (call === undefined) {
    const what = "refuse does not say which call";
    found.push(problem(path, what, "add call: NAME, or before: NAME for one call"));
  } else if (!isHostCall(call)) found.push(noCall(call, [...path, "call"]));
  if (event.for !== undefined && event.count !== undefined) {
    const what = "for and count both say how long";
    found.push({ path: [...path, "count"], part: "key", what, remedy: "keep one of the two" });
  }
  return found;
}

function noCall(name: string, path: Path): Problem {
  const what = `${name} is no host call of the ABI`;
  return problem(path, what, "name one, such as proxy_set_shared_data");
}
