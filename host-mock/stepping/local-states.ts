import { MockHostError } from "../errors.ts";
import { fromLatin1 } from "../state/bytes.ts";
import type { TraceEvent } from "../trace/event.ts";
import { readable } from "../trace/values.ts";
import { isWitnessLine, leaseClaim } from "../trace/witness-reader.ts";
import { follow, followLines, type Followed } from "./follow.ts";
import { anonymous } from "./identities.ts";
import type { KeyTable } from "./key-table.ts";
import { LocalBreach, type LocalKind, type LocalState } from "./local-state.ts";
import { statusBits, type Answer, type Op } from "./op.ts";
import type { Renamings } from "./renamings.ts";
import type { GuestStart, GuestStep, SteppedGuest } from "./stepped-guest.ts";
import { Texts } from "./texts.ts";

/** The answer that begins a tick. */
export const begin: Answer = 0;
const nsPerMs = 1e6;

/** All states of all guests, computed once each. */
export class LocalStates {
  readonly all: LocalState[] = [];
  readonly #guests: readonly SteppedGuest[];
  readonly #keys: KeyTable;
  readonly #tickCountMax: number;
  readonly #kins = new Texts();
  readonly #ops = new Map<string, Op>();
  /** Where each guest's wasm stands, while it stands in a callback. */
  readonly #standing: (LocalState | undefined)[] = [];
  #renamings: Renamings | undefined;

  constructor(guests: readonly SteppedGuest[], keys: KeyTable, tickCountMax: number) {
    this.#guests = guests;
    this.#tickCountMax = tickCountMax;
    this.#keys = keys;
  }

  set renamings(renamings: Renamings) {
    this.#renamings = renamings;
  }

  /** After start-up, which went as `history` says: guests with like histories are alike. */
  begun(guest: number, start: GuestStart, history: string): LocalState {
    const met = [guest];
    const kin = this.#kins.numberOf(
      `${this.#guests[guest]!.plugin.name}\n${anonymous(history, met)}`,
    );
    const { periodMs } = start;
    return this.#add({
      ...{ guest, before: null, answer: begin, op: null, kind: "waiting", ...start },
      ...{ tickCount: 0, dueMs: periodMs > 0 ? periodMs : Infinity },
      ...{ promised: null, claimed: undefined, breaches: 0, kin, met, trap: "", lines: [] },
    });
  }

  /** What follows on an answer; while waiting: the tick begins. */
  next(state: LocalState, answer: Answer): LocalState {
    if (state.onlyAnswer === answer && state.onlyNext !== null) return state.onlyNext;
    const known = state.moreNext?.get(answer);
    if (known !== undefined) return known;
    const made = this.#made(state, answer, this.#run(state, answer));
    if (state.onlyNext === null) {
      state.onlyAnswer = answer;
      state.onlyNext = made;
    } else (state.moreNext ??= new Map<Answer, LocalState>()).set(answer, made);
    this.#standing[state.guest] = made.kind === "calling" ? made : undefined;
    return made;
  }

  /** The same state of the guest that takes this one's place. */
  twin(state: LocalState, renaming: number): LocalState {
    if (renaming === 0) return state;
    const twins = (state.twins ??= []);
    return (twins[renaming] ??= this.#twin(state, renaming));
  }

  #twin(state: LocalState, renaming: number): LocalState {
    const renamings = this.#renamings!;
    if (state.before === null) return this.all[renamings.all[renaming]![state.guest]!]!;
    const before = this.twin(state.before, renaming);
    const isGet = state.before.op?.kind === "get" && state.answer >= 0;
    const twin = this.next(before, isGet ? renamings.entry(state.answer, renaming) : state.answer);
    const wanted = state.op === null ? state.kind : renamings.text(state.op.text, renaming);
    const found = twin.op === null ? twin.kind : twin.op.text;
    if (wanted === found) return twin;
    const [one, other] = [state, twin].map(({ guest }) => this.#guests[guest]!.name);
    throw new MockHostError("E_UNSUPPORTED", `${one} and ${other} are not alike`, {
      remedy: `where one comes to "${wanted}" the other comes to "${found}"; search without symmetry`,
    });
  }

  #run(state: LocalState, answer: Answer): GuestStep {
    const guest = this.#guests[state.guest]!;
    if (state.kind === "waiting") return guest.tick(state, [], this.#isLast(state));
    if (this.#standing[state.guest] === state) return guest.goOn(answer);
    const answers: Answer[] = [answer];
    for (let at = state; at.before !== null && at.before !== at.origin; at = at.before)
      answers.unshift(at.answer);
    return guest.tick(state.origin, answers, this.#isLast(state.origin));
  }

  /** Whether the tick that begins there is the last one of a guest. */
  #isLast({ tickCount }: LocalState): boolean {
    return tickCount + 1 >= this.#tickCountMax;
  }

  #made(state: LocalState, answer: Answer, step: GuestStep): LocalState {
    const lines = this.#guests[state.guest]!.plugin.witness === "log" ? step.lines : [];
    const followed = followLines(state.promised, lines);
    if (this.#guests[state.guest]!.plugin.witness === "lease")
      this.#followLease(followed, state, answer);
    const kind = kindOf(step);
    const { snapshot, trap, periodMs, tokenCount, drawCount, readMs } = step;
    const { shown, met } = this.#anonymousAnswer(state, answer);
    return this.#add({
      guest: state.guest,
      before: state,
      answer,
      op: step.op === null ? null : this.#shared(step.op),
      kind,
      snapshot,
      trap,
      periodMs,
      tokenCount,
      drawCount,
      readMs,
      dueMs: kind === "waiting" && periodMs > 0 ? readMs + periodMs : Infinity,
      origin: state.kind === "waiting" ? state : state.origin,
      tickCount: state.tickCount + (state.kind === "waiting" ? 1 : 0),
      promised: kind === "trapped" ? null : followed.promised,
      claimed: followed.claimed,
      breaches: followed.breaches | (kind === "trapped" ? LocalBreach.trapped : 0),
      kin: this.#kins.numberOf(`${state.kin}|${shown}`),
      met,
      lines:
        step.lines.length === 0
          ? noLines
          : step.lines
              .map((line) => readable(line.args["message"]))
              .filter((text) => !isWitnessLine(text)),
    });
  }

  /** The answer without names of guests, and whose names have been met then. */
  #anonymousAnswer(state: LocalState, answer: Answer): { shown: string; met: readonly number[] } {
    if (state.op?.kind !== "get" || answer < 0) return { shown: String(answer), met: state.met };
    const { entries, texts } = this.#keys;
    const text = entries.textOf(answer);
    if (text < 0) return { shown: "-", met: state.met };
    const met = [...state.met];
    const shown = `${entries.tokenOf(answer)} ${anonymous(texts.textOf(text), met)}`;
    return { shown, met: met.length === state.met.length ? state.met : met };
  }

  /** One object for equal calls: a search comes to the same ones very often. */
  #shared(op: Op): Op {
    const known = this.#ops.get(op.text);
    if (known !== undefined) return known;
    this.#ops.set(op.text, op);
    return op;
  }

  /** wasm-go's lease: what was got or set says who leads. */
  #followLease(followed: Followed, { op }: LocalState, answer: Answer): void {
    if (op === null || answer < 0 || (op.kind !== "get" && op.kind !== "set")) return;
    const { entries, texts } = this.#keys;
    const isSet = op.kind === "set";
    if (isSet && (answer & ((1 << statusBits) - 1)) !== 0) return;
    const text = isSet ? op.value : entries.textOf(answer);
    if (text < 0) return;
    const value = fromLatin1(texts.textOf(text));
    const atNs = isSet ? (answer >>> statusBits) * nsPerMs : 0;
    const args = { key: fromLatin1(this.#keys.keyOf(op.key)), ...(isSet ? { value } : {}) };
    const event: TraceEvent = {
      ...{ n: 0, atNs, monoNs: 0n, thread: "", vm: "", plugin: "", context: 0, event: "call" },
      ...{ name: op.name, args, status: "Ok", result: isSet ? null : { value } },
    };
    const said = leaseClaim(event, followed.promised?.id);
    if (said === null) return;
    // Its own record written again is a renewal.
    if (said.kind === "stop" && followed.promised === null) return;
    follow(followed, said);
  }

  #add(made: NewState): LocalState {
    const links = { onlyAnswer: begin, onlyNext: null, moreNext: null, twins: null };
    const state = { ...made, number: this.all.length, ...links } as Mutable<LocalState>;
    if (made.kind === "waiting") state.origin = state;
    this.all.push(state);
    return state;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Links = "number" | "onlyAnswer" | "onlyNext" | "moreNext" | "twins";
/** A waiting state is its own origin. */
type NewState = Omit<LocalState, Links | "origin"> & { readonly origin?: LocalState };

const noLines: readonly string[] = [];

function kindOf(step: GuestStep): LocalKind {
  if (step.trap !== "") return "trapped";
  return step.op === null ? "waiting" : "calling";
}
