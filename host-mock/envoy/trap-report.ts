import type { CallRing } from "../abi/call-ring.ts";
import type { LoadedModule } from "../module/load.ts";
import { readableName } from "../module/rust-names.ts";
import { sourceMapProblem, sourcePositionAt } from "../module/source-map.ts";
import type { TraceArgs } from "../trace/event.ts";
import type { Trap, TrapFrame } from "../vm/trap.ts";

/** Places and functions that a plugin's author did not write: they say little. */
const libraryPattern = /^(~lib\/|.*\bnode_modules\/)/;

/**
 * What a trap event tells beside Envoy's own lines:
 *
 * | argument         | what                                                                       |
 * | ---------------- | -------------------------------------------------------------------------- |
 * | `message`        | as Envoy prints it                                                         |
 * | `function`       | the innermost function's name; null without a name section                 |
 * | `function_index` | its index                                                                  |
 * | `source`         | `assembly/plugin.ts:12:5`: the innermost place that is no library's; where the compiler inlined a library's code so that none is, `~lib/array.ts:114:63 in FUNCTION`, the innermost function of the plugin's own; null without a source map |
 * | `frames`         | `NAME (SOURCE)` of each frame, innermost first                             |
 * | `calls`          | the VM's last host calls, the oldest first                                 |
 * | `source_map`     | why the source map cannot be used; only then                               |
 */
export function trapReport(trap: Trap, loaded: LoadedModule, calls: CallRing): TraceArgs {
  const places = trap.frames.map(({ offset }) => sourcePositionAt(loaded, offset));
  const problem = trap.frames.length === 0 ? null : sourceMapProblem(loaded);
  return {
    message: trap.message,
    function: trap.functionName === null ? null : readableName(trap.functionName),
    function_index: trap.functionIndex,
    source: sourceOf(trap.frames, places),
    frames: trap.frames.map((frame, index) => frameText(frame, places[index] ?? null)),
    calls: calls.lines(),
    ...(problem === null ? {} : { source_map: problem }),
  };
}

function sourceOf(frames: readonly TrapFrame[], places: readonly (string | null)[]): string | null {
  const own = places.find((place) => place !== null && !libraryPattern.test(place));
  if (own !== undefined) return own;
  const index = frames.findIndex(
    ({ name }, at) => name !== null && places[at] !== null && !libraryPattern.test(name),
  );
  if (index < 0) return places[0] ?? null;
  return `${places[index]!} in ${readableName(frames[index]!.name!)}`;
}

function frameText({ name, functionIndex }: TrapFrame, place: string | null): string {
  const who = name === null ? `function ${functionIndex}` : readableName(name);
  return place === null ? who : `${who} (${place})`;
}
