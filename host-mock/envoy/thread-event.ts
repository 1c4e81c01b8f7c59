import type { DueEvent, Lane } from "../http/scheduler.ts";
import type { EventClassCode } from "../time/event-queue.ts";

/** Something rare that a thread's loop has to do. Ticks and answers have classes of their own. */
export class ThreadEvent implements DueEvent {
  readonly lane: Lane | null;
  readonly class: EventClassCode;
  readonly run: () => void;

  constructor(lane: Lane | null, eventClass: EventClassCode, run: () => void) {
    this.lane = lane;
    this.class = eventClass;
    this.run = run;
  }
}
