import { untouched, type CallFate } from "../http/call-fate.ts";

/** What is done to calls of a thread to a cluster that are dispatched before `untilNs`. */
export interface CallFault extends Partial<CallFate> {
  readonly cluster: string;
  readonly untilNs: number;
}

/** What becomes of the calls that one thread makes; spans that are over are dropped when asked. */
export class CallFaults {
  #faults: CallFault[] = [];

  add(fault: CallFault): void {
    this.#faults.push(fault);
  }

  /** Several spans come together; of several delays the longest counts. */
  of(cluster: string, nowNs: number): CallFate {
    if (this.#faults.length === 0) return untouched;
    this.#faults = this.#faults.filter(({ untilNs }) => nowNs < untilNs);
    return this.#faults
      .filter((fault) => fault.cluster === cluster)
      .reduce<CallFate>(
        (fate, fault) => ({
          heldNs: Math.max(fate.heldNs, fault.heldNs ?? 0),
          answerLateNs: Math.max(fate.answerLateNs, fault.answerLateNs ?? 0),
          isAnswerLost: fate.isAnswerLost || (fault.isAnswerLost ?? false),
          repeatNs: latest(fate.repeatNs, fault.repeatNs ?? null),
        }),
        untouched,
      );
  }
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
