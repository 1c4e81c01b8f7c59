import { EventClass, type EventClassCode, type EventHandle } from "../time/event-queue.ts";
import type { DueEvent, Lane, Scheduler } from "./scheduler.ts";

/** Something that a thread's loop does at an instant which may be moved, or called off. */
export class Alarm implements DueEvent {
  readonly lane: Lane;
  readonly class: EventClassCode;
  readonly #scheduler: Scheduler;
  readonly #ring: () => void;
  #dueNs = Infinity;
  #scheduled: EventHandle<DueEvent> | undefined;

  constructor(
    parts: { readonly lane: Lane; readonly scheduler: Scheduler; readonly class?: EventClassCode },
    ring: () => void,
  ) {
    this.lane = parts.lane;
    this.class = parts.class ?? EventClass.timer;
    this.#scheduler = parts.scheduler;
    this.#ring = ring;
  }

  get isSet(): boolean {
    return this.#dueNs !== Infinity;
  }

  /** Moving it later costs nothing: it looks again when the old instant comes. */
  set(dueNs: number): void {
    this.#dueNs = dueNs;
    const scheduled = this.#scheduled;
    if (scheduled !== undefined && scheduled.isQueued && scheduled.dueNs <= dueNs) return;
    if (scheduled !== undefined) this.#scheduler.cancel(scheduled);
    this.#scheduled = this.#scheduler.schedule(this, dueNs);
  }

  clear(): void {
    this.#dueNs = Infinity;
    if (this.#scheduled === undefined) return;
    this.#scheduler.cancel(this.#scheduled);
    this.#scheduled = undefined;
  }

  run(): void {
    if (this.#dueNs === Infinity) return;
    this.#scheduled = undefined;
    if (this.#scheduler.nowNs < this.#dueNs) {
      this.set(this.#dueNs);
      return;
    }
    this.#dueNs = Infinity;
    this.#ring();
  }
}
