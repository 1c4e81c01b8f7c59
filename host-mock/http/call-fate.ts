/** What faults do to an HTTP call between the machine and its receiver. */
export interface CallFate {
  /** How much later it arrives. */
  readonly heldNs: number;
  /** How much later the receiver's answer comes back. */
  readonly answerLateNs: number;
  /** The receiver answers, and the answer is lost: the guest is told at its timeout. */
  readonly isAnswerLost: boolean;
  /**
   * A proxy on the way sends it again so much later, and passes on what the second one is answered; null: once. Envoy
   * itself never delivers two answers, so what can be there twice is the call.
   */
  readonly repeatNs: number | null;
}

export const untouched: CallFate = {
  heldNs: 0,
  answerLateNs: 0,
  isAnswerLost: false,
  repeatNs: null,
};
