import type { TraceArgs, TraceEvent, TraceEventKind, TraceSubject, TraceValue } from "./event.ts";

/** What the recorder needs to know of time; `time/clock.ts` fits. */
export interface TraceClock {
  readonly nowNs: number;
  readonly monotonicNs: bigint;
}

export interface RecorderOptions {
  /** "outcome" (default) leaves out call, callback and return events; "full" has them. */
  readonly detail?: "outcome" | "full";
  /** Host calls kept in "outcome" too (the lease witness reads shared data). */
  readonly alsoCalls?: ReadonlySet<string>;
}

export type TraceListener = (event: TraceEvent) => void;

/**
 * Collects events. Outcome events stay in memory (`events`); the others go to listeners only, so that an hour
 * of a hundred VMs can be written to a file without being held.
 */
export class Recorder {
  readonly events: TraceEvent[] = [];
  /** True when somebody wants call, callback and return events: ask before building their arguments. */
  readonly isFull: boolean;
  hostCallCount = 0;
  readonly #clock: TraceClock;
  readonly #alsoCalls: ReadonlySet<string> | undefined;
  readonly #listeners: TraceListener[] = [];
  #count = 0;

  constructor(clock: TraceClock, options: RecorderOptions = {}) {
    this.#clock = clock;
    this.isFull = options.detail === "full";
    this.#alsoCalls = options.alsoCalls;
  }

  /** Every event, in order, as it happens. */
  listen(listener: TraceListener): void {
    this.#listeners.push(listener);
  }

  /** Whether a `call` event of this name would be kept or heard. */
  wantsCall(name: string): boolean {
    return this.isFull || (this.#alsoCalls !== undefined && this.#alsoCalls.has(name));
  }

  record(
    subject: TraceSubject,
    event: TraceEventKind,
    name: string,
    args: TraceArgs,
    status: string | null = null,
    result: TraceValue = null,
  ): void {
    const made: TraceEvent = {
      n: ++this.#count,
      atNs: this.#clock.nowNs,
      monoNs: this.#clock.monotonicNs,
      thread: subject.thread,
      vm: subject.vm,
      plugin: subject.plugin,
      context: subject.context,
      event,
      name,
      args,
      status,
      result,
    };
    if (isOutcome(event) || (this.#alsoCalls !== undefined && this.#alsoCalls.has(name)))
      this.events.push(made);
    for (const listener of this.#listeners) listener(made);
  }
}

function isOutcome(event: TraceEventKind): boolean {
  return event !== "call" && event !== "callback" && event !== "return";
}
