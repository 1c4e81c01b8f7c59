/**
 * What a search knows of what it searches: a state is a few whole numbers, and out of each lead a few numbered
 * choices. Nothing here knows of wasm; the strategies are tested on worlds of ten lines.
 *
 * States are plain numbers so that tens of millions of them are cheap. Equal numbers mean equal states: the same
 * choices lead on from them to equal states. A world is a function of its states: `step` may remember what it has
 * computed, but its answers do not depend on what was asked before.
 */
export interface World {
  /** How many numbers (each an int32) a state has. */
  readonly stateSize: number;
  /** Choices are 0 … choiceCount − 1, at most 31; a number means the same choice in every state. */
  readonly choiceCount: number;
  /** Who may act; agents are numbered from 0. */
  readonly agentCount: number;

  /** The agent that acts in a choice; −1 for the surroundings: time that passes, a fault. */
  agentOf(choice: number): number;

  /** The word of a choice in a schedule: `worker_0`, `time`, `crash:worker_0`; no space, comma or asterisk in it. */
  wordOf(choice: number): string;

  /** Writes the state at the beginning to `into[at …]`. */
  begin(into: Int32Array, at: number): void;

  /** What can happen in this state, as a mask with bit `choice`; 0 at the end of a schedule. */
  choices(state: Int32Array, at: number): number;

  /**
   * Writes the state after a choice to `into[intoAt …]` (never the same place as the state's own). Answers which
   * properties are violated there or on the way there, as a mask with a bit for each of `properties`; 0: none.
   */
  step(state: Int32Array, at: number, choice: number, into: Int32Array, intoAt: number): number;

  /** Names of what is judged; a violation's bit is its index. At most 31. */
  readonly properties: readonly string[];

  /** What is violated because the schedule ends in this state, which has no choices ("eventually"); 0: nothing. */
  judgeEnd(state: Int32Array, at: number): number;

  /** Whether the state shows what has to happen at least once in a search ("sometimes"), as a mask of `goals`. */
  reached(state: Int32Array, at: number): number;
  /** Names of what has to be seen at least once, or the search proves nothing. */
  readonly goals: readonly string[];

  /**
   * The choices that commute with this one in this state: taken in either order they lead to the same state, and
   * neither enables or disables the other. A mask without the choice itself; 0 is always sound.
   */
  independent(state: Int32Array, at: number, choice: number): number;

  /**
   * Replaces a state by the representative of all states that are equal to it up to the names of its agents; answers
   * the number of the renaming, 0 when nothing was renamed. `renamedChoices` renames a mask of choices accordingly.
   */
  canonicalize(state: Int32Array, at: number): number;
  renamedChoices(mask: number, renaming: number): number;
  /** How many renamings there are; 1: agents are not interchangeable. */
  readonly renamingCount: number;

  /** One step in words, for tables and comparisons. Called rarely. */
  describe(state: Int32Array, at: number, choice: number): StepView;
}

/** A step as a reader sees it. */
export interface StepView {
  /** The agent's name; "" for time and faults that concern nobody alone. */
  readonly vm: string;
  /** The host call, or the choice's word where it is none. */
  readonly call: string;
  readonly args: Readonly<Record<string, StepValue>>;
  /** The status by name; null where there is none. */
  readonly status: string | null;
  readonly result: StepValue;
  /** Who leads after it, by name and, where it has one, term. */
  readonly leaders: readonly string[];
}

/** What JSON can say; bytes that are no UTF-8 as `{ base64 }`. */
export type StepValue =
  null | boolean | number | string | readonly StepValue[] | { readonly [name: string]: StepValue };
