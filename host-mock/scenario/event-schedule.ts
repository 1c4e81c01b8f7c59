import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { formatDuration } from "../time/duration.ts";
import { EventClass, EventQueue } from "../time/event-queue.ts";
import { applyEvent } from "./apply-event.ts";
import { instantCount, instantNs } from "./instants.ts";
import type { Scenario } from "./load.ts";
import type { ScenarioEvent } from "./schema/events.ts";
import { expectationOf, type Expectation } from "./verdicts.ts";

/** One event of the file and how far its repetition has come. */
interface Repeating {
  readonly event: ScenarioEvent;
  /** Its place in the file, from 0. */
  readonly index: number;
  readonly count: number;
  nth: number;
}

/**
 * Makes the events of a file happen: at one instant in file order, however they repeat. Only the next instant is
 * booked with the host, and of each event only its next time, so that an event repeated a million times costs no
 * memory.
 */
export class EventSchedule {
  /** What the requests and connections made so far expect, in their order. */
  readonly expectations: Expectation[] = [];
  readonly #envoy: MockEnvoy;
  readonly #scenario: Scenario;
  readonly #coming = new EventQueue<Repeating>();

  constructor(envoy: MockEnvoy, scenario: Scenario) {
    this.#envoy = envoy;
    this.#scenario = scenario;
    const { events, duration } = scenario.frame;
    for (const [index, event] of events.entries()) {
      this.#queue({ event, index, count: instantCount(event, duration), nth: 0 });
    }
    this.#bookNext();
  }

  #queue(repeating: Repeating): void {
    const { event, index, count, nth } = repeating;
    if (nth >= count) return;
    const dueNs = instantNs(event, nth);
    this.#coming.push({ dueNs, class: EventClass.file, tie: index, run: repeating });
  }

  #bookNext(): void {
    const next = this.#coming.peek();
    if (next === undefined) return;
    this.#envoy.scheduleAt(next.dueNs, () => {
      this.#happen(next.dueNs);
      this.#bookNext();
    });
  }

  #happen(atNs: number): void {
    for (;;) {
      const next = this.#coming.peek();
      if (next === undefined || next.dueNs !== atNs) return;
      this.#coming.pop();
      const repeating = next.run;
      const { event, index, nth } = repeating;
      repeating.nth++;
      this.#queue(repeating);
      const made = applyEvent(this.#envoy, event);
      const at = nth === 0 ? this.#writtenInstant(index) : formatDuration(atNs);
      const expectation = expectationOf(event, made ?? 0, at);
      if (expectation !== undefined) this.expectations.push(expectation);
    }
  }

  /** `at` as the file has it. */
  #writtenInstant(index: number): string {
    const events = (
      this.#scenario.source.value as { readonly events: readonly { readonly at: string }[] }
    ).events;
    return events[index]?.at ?? "";
  }
}
