import { BaseContext } from "../abi/contexts";
import { HttpResponse } from "./http-response";

/**
 * One call on its way: whose it is, and what is to be done with the answer, without the types of
 * it.
 */
export abstract class PendingCall {
  token: u32 = 0;

  constructor(public readonly owner: BaseContext) {}

  abstract run(response: HttpResponse): void;
}

/**
 * The calls that a plugin context and its streams wait for, oldest first. Answers come roughly in
 * this order, so a search from the front is short.
 */
export class PendingCalls {
  private calls: Array<PendingCall> = [];

  add(token: u32, call: PendingCall): void {
    call.token = token;
    this.calls.push(call);
  }

  /** Takes the call of a token out; null when nobody waits for it any more. */
  take(token: u32): PendingCall | null {
    const calls = this.calls;
    for (let i = 0; i < calls.length; i++) {
      const call = unchecked(calls[i]);
      if (call.token != token) continue;
      this.removeAt(i);
      return call;
    }
    return null;
  }

  /** Forgets what a stream has waited for. */
  forget(owner: BaseContext): void {
    const calls = this.calls;
    for (let i = calls.length - 1; i >= 0; i--) {
      if (unchecked(calls[i]).owner === owner) this.removeAt(i);
    }
  }

  /** The calls of that owner that are on their way. */
  of(owner: BaseContext): Array<PendingCall> {
    const own = new Array<PendingCall>();
    for (let i = 0; i < this.calls.length; i++) {
      if (this.calls[i].owner === owner) own.push(this.calls[i]);
    }
    return own;
  }

  has(call: PendingCall): bool {
    return this.calls.includes(call);
  }

  private removeAt(index: i32): void {
    const calls = this.calls;
    const last = calls.length - 1;
    for (let i = index; i < last; i++) unchecked((calls[i] = calls[i + 1]));
    calls.length = last;
  }
}
