/** What an elector tells of its fortune. The base class listens to nothing. */
export class ElectionListener {
  /** Leadership has begun; the fences are touched, the promise runs. */
  started(term: i64): void {}

  /** Leadership is over; exactly once for each `started`. */
  stopped(reason: string): void {}

  /** Another holder stands in the record, or "" when nobody does. Once a change. */
  newLeader(id: string): void {}
}
