import { randomBelow } from "../election/chance";
import { rawNs } from "../election/clock";
import { SetTickPeriodMilliSeconds } from "../proxywasm/index";
import { RootContext } from "../abi/contexts";
import { PluginRoot } from "./plugin-root";

const NS_PER_MS: i64 = 1_000_000;
/** 100 years: the sum of a time and a period stays far below 2^63 ns. */
const PERIOD_MS_MAX: i64 = 3_155_760_000_000;
/** The host takes 32 bits; a longer wait is cut into several. */
const TIMER_MS_MAX: i64 = 0x7fff_ffff;

/** A function that is run at an interval. */
export abstract class Tick {
  periodNs: i64 = 0;
  dueNs: i64 = 0;
  /** The one registered after this one. */
  next: Tick | null = null;

  abstract run(): void;
}

/**
 * The tick functions of one plugin context, on the one timer that a host gives it. The timer is set
 * to the time until the next function is due, again after each tick and only when that changes:
 * nothing runs in between, as it would on a common divisor of the periods, and the delay that a
 * host adds by re-arming after the callback does not add up.
 *
 * A function is due again one period after it was due, not after it ran. One that is late by a
 * period or more runs once and starts over from there: nothing is made up for.
 */
export class Ticks {
  // In the order in which they were registered, linked by `next`.
  private first: Tick | null = null;
  private last: Tick | null = null;
  private lastNs: i64 = 0;
  private timerMs: i64 = 0;

  /** Adds a function whose first run comes after a random part of its period: a herd spreads so. */
  add(periodMs: i64, tick: Tick): void {
    tick.periodNs = min(periodMs, PERIOD_MS_MAX) * NS_PER_MS;
    tick.dueNs = this.nowNs() + randomBelow(tick.periodNs);
    const last = this.last;
    this.last = tick;
    if (last === null) this.first = tick;
    else last.next = tick;
  }

  /** Runs what is due, then sets the timer. */
  run(): void {
    const now = this.nowNs();
    // A function may register further ones, which then stand at the end.
    let tick = this.first;
    while (tick !== null) {
      // The host's timer counts whole milliseconds, and may be early by a part of one.
      if (tick.dueNs - now < NS_PER_MS) {
        tick.dueNs += tick.periodNs;
        if (tick.dueNs <= now) tick.dueNs = now + tick.periodNs;
        tick.run();
      }
      tick = tick.next;
    }
    this.arm();
  }

  /** Sets the host's timer to when the next function is due. */
  arm(): void {
    let next: i64 = i64.MAX_VALUE;
    let tick = this.first;
    while (tick !== null) {
      next = min(next, tick.dueNs);
      tick = tick.next;
    }
    // Read again: the host re-arms when the callback is over, whose functions have taken their
    // time.
    const waitNs = next - this.nowNs();
    const waitMs = min(max((waitNs + NS_PER_MS - 1) / NS_PER_MS, 1), TIMER_MS_MAX);
    if (waitMs == this.timerMs) return;
    this.timerMs = waitMs;
    SetTickPeriodMilliSeconds(<u32>waitMs);
  }

  /** A time that never goes back, even where only the wall clock tells it. */
  private nowNs(): i64 {
    let now = rawNs();
    // A host without any clock keeps at least its timer.
    if (now == 0) now = this.lastNs + this.timerMs * NS_PER_MS;
    if (now < this.lastNs) {
      const back = this.lastNs - now;
      let tick = this.first;
      while (tick !== null) {
        tick.dueNs -= back;
        tick = tick.next;
      }
    }
    this.lastNs = now;
    return now;
  }
}

/** A plugin context that can tick. */
export class TickingRoot extends PluginRoot {
  private ticks: Ticks | null = null;

  /** Forgets the functions that an earlier configuration of this context has registered. */
  beginTicks(): void {
    this.ticks = null;
  }

  addTick(periodMs: i64, tick: Tick): void {
    if (periodMs <= 0) {
      const message = "RegisterTickFunc: the period must be at least 1 ms";
      if (this.isConfigured) this.complain(message);
      else this.refusal = message;
      return;
    }
    let ticks = this.ticks;
    if (ticks === null) this.ticks = ticks = new Ticks();
    ticks.add(periodMs, tick);
    this.registration.slots.tick = runTicks;
    // The timer is not started for a configuration that may still be refused.
    if (this.isConfigured) ticks.arm();
    else this.onAccepted = armTicks;
  }

  runTicks(): void {
    const ticks = this.ticks;
    if (ticks !== null) ticks.run();
  }

  armTicks(): void {
    const ticks = this.ticks;
    if (ticks !== null) ticks.arm();
  }
}

function runTicks(root: RootContext): void {
  changetype<TickingRoot>(root).runTicks();
}

function armTicks(root: PluginRoot): void {
  changetype<TickingRoot>(root).armTicks();
}
