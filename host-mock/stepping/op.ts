import type { StepValue } from "../schedule/world.ts";

/** What the words and the tokens of a host call come to: the call that a stepped guest stands before. */
export type Op = OpAction & {
  /** The import's name. */
  readonly name: string;
  /** Its arguments, for readers. */
  readonly args: Readonly<Record<string, StepValue>>;
  /** Which call it is, with names of guests replaced by nothing: compared between guests. */
  readonly text: string;
};

export type OpAction =
  | { readonly kind: "get"; readonly key: number }
  | { readonly kind: "set"; readonly key: number; readonly value: number; readonly cas: number }
  /** Either clock: both move together. */
  | { readonly kind: "clock" }
  /** An HTTP call: it reaches its receiver at once, and its answer never comes. */
  | { readonly kind: "call"; readonly receiver: number; readonly stamp: number };

/**
 * What the host answers, as a number, by the kind of call.
 *
 * | call    | answer                                                               |
 * | ------- | -------------------------------------------------------------------- |
 * | get     | the number of the entry under the key                                |
 * | set     | the status; above its four bits the instant in ms, where that counts |
 * | clock   | the instant in ms                                                    |
 * | call    | 0                                                                    |
 * | refused | −1 − status                                                          |
 */
export type Answer = number;

export const statusBits = 4;

/** The answer of a refused call. */
export function refusal(status: number): Answer {
  return -1 - status;
}

export function refusedStatus(answer: Answer): number | undefined {
  return answer < 0 ? -1 - answer : undefined;
}
