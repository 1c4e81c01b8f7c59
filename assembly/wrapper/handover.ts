import { contextAt, placeCount } from "../abi/context-table";
import { steadyNs } from "../election/clock";
import { Count } from "../election/count";
import { Elector } from "../election/elector";
import { ElectorFeature, NEVER } from "../election/feature";
import { Lease } from "../election/lease";
import { LogWarn, PluginDone, SetEffectiveContext } from "../proxywasm/index";
import { setAnswerHook } from "./http-client";
import { PendingCall } from "./pending-calls";
import { PluginRoot } from "./plugin-root";
import { Tick, TickingRoot } from "./ticks";

const NS_PER_MS: i64 = 1_000_000;
const NO_TERM: i64 = 0;

/** The handovers that are under way in this VM. */
// @ts-ignore: decorator
@lazy
const underWay: Handover[] = [];

/**
 * The first two of the six steps of a handover: leadership is over for new work at once, and the
 * record is given up when the work in flight is done.
 *
 *   leads ──stop──▶ waits ──work is done, or the timeout──▶ record released
 *                     └──the promise ends──▶ record expires
 *
 * In flight are what `BeginLeaderWork` has begun and the calls of `HttpClient` that the plugin
 * context made and that are not answered.
 */
export class Handover extends ElectorFeature {
  /** Begun in the present or last leadership, and not ended. */
  openWorks: i32 = 0;
  /** The leadership that `openWorks` counts for. */
  workTerm: i64 = NO_TERM;

  /** The leadership that ended last, by this candidate's own will or not. */
  private endedTerm: i64 = NO_TERM;
  /** The leadership whose record waits, and until when. */
  private waitingTerm: i64 = NO_TERM;
  private deadlineNs: i64 = 0;
  private calls: PendingCall[] = [];
  /** A leadership whose record is left to expire. */
  private expiringTerm: i64 = NO_TERM;
  /** There is nothing that would end the wait. */
  private isHurried: bool = false;
  /** The host has been told to wait. */
  private isParked: bool = false;

  /** `timeoutMs` 0: as long as the promise runs. */
  constructor(
    private root: TickingRoot,
    readonly elector: Elector,
    private timeoutMs: i64,
    private alarm: HandoverTick,
  ) {
    super();
    alarm.handover = this;
  }

  /** For how many ns work of that term may still act. */
  workLeftNs(term: i64): i64 {
    const elector = this.elector;
    if (term != elector.term) return 0;
    if (elector.leading) return elector.leftNs();
    if (term != this.waitingTerm) return 0;
    return max(min(elector.promiseLeftNs(), this.deadlineNs - steadyNs()), 0);
  }

  isWaiting(): bool {
    return this.waitingTerm != NO_TERM;
  }

  hasStopped(elector: Elector, reason: string): void {
    this.endedTerm = elector.term;
  }

  delaysHandover(elector: Elector, now: i64): bool {
    const term = elector.term;
    if (term == this.waitingTerm || term == this.expiringTerm) return true;
    const promiseNs = elector.untilNs;
    if (term != this.endedTerm || now >= promiseNs || this.isHurried) return false;
    this.calls = this.callsInFlight();
    if (!this.isBusy()) return false;
    this.waitingTerm = term;
    this.deadlineNs = promiseNs;
    if (this.timeoutMs > 0) this.deadlineNs = min(promiseNs, now + this.timeoutMs * NS_PER_MS);
    this.alarm.dueNs = this.deadlineNs;
    this.root.armTicks();
    underWay.push(this);
    return true;
  }

  /** A record that waits is kept; one that is left to expire is left to the others, too. */
  keepsRecord(elector: Elector, lease: Lease, cas: u32, r0: i64): bool {
    const term = elector.term;
    if (term == this.waitingTerm) return true;
    return term == this.expiringTerm && r0 / NS_PER_MS - lease.mono <= elector.timing.LeaseDuration;
  }

  /** Looks whether there is still something to wait for. */
  settle(): void {
    if (this.waitingTerm == NO_TERM) return;
    const elector = this.elector;
    const now = steadyNs();
    const isReplaced = elector.term != this.waitingTerm;
    const isBusy = this.isBusy();
    if (!isReplaced && !this.isHurried && isBusy && now < this.deadlineNs) return;
    const term = this.waitingTerm;
    this.waitingTerm = NO_TERM;
    this.calls = [];
    this.alarm.dueNs = NEVER;
    underWay.splice(underWay.indexOf(this), 1);
    if (!isReplaced) {
      if (isBusy) {
        LogWarn("proxy-wasm-as: election " + elector.key + ": handover with work in flight");
        elector.counted(Count.WorkAbandoned);
      }
      if (now == 0 || now >= elector.untilNs) this.expiringTerm = term;
      else elector.handOver(now);
    }
    if (!this.isParked) return;
    this.isParked = false;
    SetEffectiveContext(this.root.id);
    PluginDone();
    SetEffectiveContext(0);
  }

  /**
   * The plugin context is done. Unless the VM has another root that is not, the host destroys it
   * at once: then nothing can be waited for, here or in other contexts.
   */
  end(): void {
    if (hasLivingRoot(this.root)) return;
    for (let i = underWay.length - 1; i >= 0; i--) underWay[i].hurry();
    this.hurry();
  }

  isEnding(): bool {
    this.isParked = this.isWaiting();
    return this.isParked;
  }

  private hurry(): void {
    this.isHurried = true;
    this.settle();
  }

  private isBusy(): bool {
    if (this.openWorks > 0 && this.workTerm == this.elector.term) return true;
    const calls = this.root.calls;
    if (calls === null) return false;
    for (let i = 0; i < this.calls.length; i++) {
      if (calls.has(this.calls[i])) return true;
    }
    return false;
  }

  private callsInFlight(): PendingCall[] {
    const calls = this.root.calls;
    return calls === null ? [] : calls.of(this.root);
  }
}

/** Runs when the time of a handover is up, and else never. */
export class HandoverTick extends Tick {
  handover: Handover | null = null;

  run(): void {
    this.dueNs = NEVER;
    const handover = this.handover;
    if (handover === null) return;
    handover.settle();
    // The host's timer may be early by a part of a millisecond.
    if (handover.isWaiting()) this.dueNs = steadyNs() + NS_PER_MS;
  }
}

function hasLivingRoot(but: PluginRoot): bool {
  for (let place = placeCount() - 1; place >= 0; place--) {
    const context = contextAt(place);
    if (context === null || !context.isRoot || context === but) continue;
    if (!changetype<PluginRoot>(context).isDone) return true;
  }
  return false;
}

/** To be called in top-level code: answers end work in flight. */
export function watchAnswers(): void {
  setAnswerHook(() => {
    for (let i = underWay.length - 1; i >= 0; i--) underWay[i].settle();
  });
}
