import { statusName } from "../abi/status.ts";
import type { StepValue, StepView } from "../schedule/world.ts";
import { left } from "./layout.ts";
import type { LocalState } from "./local-state.ts";
import { refusedStatus, statusBits, type Answer } from "./op.ts";
import { shownBytes } from "./read-op.ts";
import type { SteppedWorld } from "./stepped-world.ts";

/** One step in words. */
export function describeStep(
  world: SteppedWorld,
  state: Int32Array,
  at: number,
  choice: number,
): StepView {
  const { kind, guest, word } = world.choiceList[choice]!;
  const after = new Int32Array(world.stateSize);
  world.step(state, at, choice, after, 0);
  const leaders = leadersOf(world, after);
  const vm = guest < 0 ? "" : world.guests[guest]!.name;
  const now = after[world.layout.now]!;
  if (kind === "time") {
    const args = { by_ms: world.options.timeStepMs };
    return { vm, call: word, args, status: null, result: { now_ms: now }, leaders };
  }
  if (kind !== "guest" && kind !== "refuse") {
    const more = left(after[world.layout.budget]!, kind);
    return { vm, call: kind, args: {}, status: null, result: { left: more }, leaders };
  }
  const local = world.localAt(state, at, guest)!;
  if (local.op === null)
    return { vm, call: "proxy_on_tick", args: {}, status: null, result: { now_ms: now }, leaders };
  const answer = answerTo(world, local, after, guest);
  return {
    vm,
    call: local.op.name,
    args: local.op.args,
    ...shown(world, local, answer, now),
    leaders,
  };
}

/** The answer by which the guest came from one state to the next, whatever it did without being asked afterwards. */
function answerTo(
  world: SteppedWorld,
  local: LocalState,
  after: Int32Array,
  guest: number,
): Answer {
  let state = world.localAt(after, 0, guest);
  while (state !== null && state.before !== local) state = state.before;
  return state?.answer ?? 0;
}

function shown(
  world: SteppedWorld,
  { op }: LocalState,
  answer: Answer,
  nowMs: number,
): { status: string | null; result: StepValue } {
  const refused = refusedStatus(answer);
  if (refused !== undefined) return { status: statusName(refused), result: null };
  switch (op!.kind) {
    case "get": {
      const { entries, texts } = world.keys;
      const text = entries.textOf(answer);
      if (text < 0) return { status: "NotFound", result: null };
      const result = { value: shownBytes(texts.textOf(text)), cas: entries.tokenOf(answer) };
      return { status: "Ok", result };
    }
    case "set":
      return { status: statusName(answer & ((1 << statusBits) - 1)), result: null };
    case "clock":
      return { status: "Ok", result: { now_ms: nowMs } };
    default:
      return { status: "Ok", result: null };
  }
}

function leadersOf(world: SteppedWorld, state: Int32Array): string[] {
  const now = state[world.layout.now]!;
  return world.guests.flatMap(({ name }, guest) => {
    const promised = world.localAt(state, 0, guest)?.promised;
    if (promised === null || promised === undefined || now >= promised.untilMs) return [];
    return [promised.term === null ? name : `${name} (term ${promised.term})`];
  });
}
