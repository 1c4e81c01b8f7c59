/** What is counted, in the order of `COUNTERS`. */
export enum Count {
  Pass,
  /** The host did not say what stands under the lease key. */
  ReadError,
  RenewalOk,
  RenewalMismatch,
  RenewalError,
  ClaimTried,
  ClaimWon,
  ClaimLost,
  FenceRefusal,
  /** A wait for a record that cannot be judged was cut short by another such record. */
  WaitBegunAnew,
  /** A leader of a worse rank gave way. */
  Resignation,
  /** A record was given up, or left to expire, although work was in flight. */
  WorkAbandoned,
  OddBlank,
  OddLarge,
  OddText,
  OddFields,
  StopExpired,
  StopReplaced,
  StopVanished,
  StopFenced,
  StopReleased,
  StopSuperseded,
  StopError,
}
