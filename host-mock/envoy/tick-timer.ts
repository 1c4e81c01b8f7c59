import type { DueEvent, Lane } from "../http/scheduler.ts";
import { EventClass } from "../time/event-queue.ts";
import type { Booking } from "./loop.ts";
import type { RootContext } from "./root-context.ts";

/** One armed timer of a root; arming again while it is in the queue makes a new one. */
export class TickTimer implements DueEvent {
  readonly class = EventClass.timer;
  /** Its place in the loop; undefined before it was armed. */
  booking: Booking | undefined;
  /** When it should fire, jitter included: what a pause adds is its lateness. */
  dueNs = 0;
  /** A fault has made it late already. */
  wasLate = false;
  readonly #root: RootContext;

  constructor(root: RootContext) {
    this.#root = root;
  }

  get lane(): Lane {
    return this.#root.lane;
  }

  run(): void {
    const { thread } = this.#root.owner;
    const { world } = thread;
    const comesNs = thread.tickFaults.comesNs(world.nowNs, this.wasLate);
    if (comesNs === world.nowNs) {
      this.#root.onTimer(this);
      return;
    }
    this.wasLate = true;
    this.booking = world.schedule(this, comesNs);
  }
}
