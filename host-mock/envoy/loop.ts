import { MockHostError } from "../errors.ts";
import type { DueEvent, Scheduler } from "../http/scheduler.ts";
import type { Random } from "../random.ts";
import type { Clock } from "../time/clock.ts";
import { EventClass, EventQueue, type EventHandle } from "../time/event-queue.ts";
import type { Thread } from "./thread.ts";

/** Something scheduled; it is another one after having been put off. */
export type Booking = EventHandle<DueEvent>;

/** An instant with more events than this, and so many for each thread, has a loop in it. */
const eventCountMax = 200_000;
const eventCountMaxOfThread = 50;

/**
 * The loops of all threads as one queue of events in virtual time.
 *
 * What is for a thread that stands still is put off to the end of its pause, where it comes in its old order, before
 * what is due for that thread at that very instant.
 */
export class Loop implements Scheduler {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #queue = new EventQueue<DueEvent>();
  readonly #eventCountMax: number;
  #isRunning = false;
  #instantNs = -1;
  #instantCount = 0;

  constructor(clock: Clock, random: Random, threadCount: number) {
    this.#clock = clock;
    this.#random = random;
    this.#eventCountMax = eventCountMax + eventCountMaxOfThread * threadCount;
  }

  get nowNs(): number {
    return this.#clock.nowNs;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Answers and timers of one instant come in an order drawn here; the rest in the order of asking. */
  schedule(event: DueEvent, dueNs: number, tie?: number): Booking {
    const isDrawn = event.class === EventClass.answer || event.class === EventClass.timer;
    return this.#queue.push({
      dueNs,
      class: event.class,
      tie: tie ?? (isDrawn ? this.#random.uint32() : 0),
      run: event,
    });
  }

  /** What was scheduled does not happen; nothing when it has, or was put off. */
  cancel(booking: Booking): void {
    this.#queue.cancel(booking);
  }

  /** What waits comes now, in its old order: the thread does not stand still any more. */
  hasten(thread: Thread): void {
    for (const booking of thread.waiting.takeAll()) {
      if (!this.#queue.cancel(booking)) continue;
      thread.waiting.add(this.schedule(booking.run, this.#clock.nowNs, booking.tie));
    }
  }

  /** Runs everything due up to and including `limitNs`; nothing begins once call costs went beyond it. */
  runUntil(limitNs: number): void {
    this.#run(limitNs, EventClass.timer, limitNs);
    this.#clock.advanceTo(limitNs);
  }

  /** Runs what is due now, up to a class. */
  settle(classMax: number): void {
    this.#run(this.#clock.nowNs, classMax);
  }

  #run(limitNs: number, classMax: number, clockMaxNs = Infinity): void {
    if (this.#isRunning) {
      throw new MockHostError("E_STATE", "time is moving already", {
        remedy: "advance() and start() are not for callbacks of at(), clusters or listeners",
      });
    }
    this.#isRunning = true;
    try {
      for (;;) {
        const head = this.#queue.peek();
        if (head === undefined || head.dueNs > limitNs || head.class > classMax) break;
        if (this.#clock.nowNs > clockMaxNs) break;
        this.#queue.pop();
        if (head.dueNs > this.#clock.nowNs) this.#clock.advanceTo(head.dueNs);
        this.#guardInstant();
        const event = head.run;
        const thread = event.lane as Thread | null;
        if (thread !== null && thread.mustWait(head)) this.#putOff(event, thread);
        else event.run();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #putOff(event: DueEvent, thread: Thread): void {
    const dueNs = Math.max(thread.pausedUntilNs, this.#clock.nowNs);
    thread.waiting.add(this.schedule(event, dueNs, thread.waitingTie));
  }

  #guardInstant(): void {
    if (this.#clock.nowNs !== this.#instantNs) {
      this.#instantNs = this.#clock.nowNs;
      this.#instantCount = 0;
    }
    if (++this.#instantCount <= this.#eventCountMax) return;
    throw new MockHostError("E_STATE", `time does not move on from ${this.#instantNs} ns`, {
      remedy: "a plugin seems to repeat a call that is answered at once; give its cluster a delay",
    });
  }
}
