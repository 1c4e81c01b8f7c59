import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import {
  EventClass,
  EventQueue,
  type EventClassCode,
} from "../../../host-mock/time/event-queue.ts";
import { tickDueNs } from "../../../host-mock/time/timers.ts";

function drained(queue: EventQueue<string>): string[] {
  const names: string[] = [];
  for (let event = queue.pop(); event !== undefined; event = queue.pop()) names.push(event.run);
  return names;
}

describe("the event queue", () => {
  it("gives events in order of time, then class, then tie, then of pushing", () => {
    const queue = new EventQueue<string>();

    queue.push({ dueNs: 5, class: EventClass.timer, tie: 0, run: "timer" });
    queue.push({ dueNs: 5, class: EventClass.answer, tie: 2, run: "answer, late tie" });
    queue.push({ dueNs: 5, class: EventClass.answer, tie: 1, run: "answer, early tie" });
    queue.push({ dueNs: 5, class: EventClass.answer, tie: 1, run: "answer, pushed later" });
    queue.push({ dueNs: 5, class: EventClass.startUp, tie: 9, run: "start-up" });
    queue.push({ dueNs: 5, class: EventClass.file, tie: 9, run: "file event" });
    queue.push({ dueNs: 4, class: EventClass.timer, tie: 9, run: "earlier timer" });

    expect(drained(queue)).toEqual([
      "earlier timer",
      "file event",
      "start-up",
      "answer, early tie",
      "answer, pushed later",
      "answer, late tie",
      "timer",
    ]);
  });

  it("forgets what is cancelled, once", () => {
    const queue = new EventQueue<string>();
    const first = queue.push({ dueNs: 1, class: 0, tie: 0, run: "first" });
    queue.push({ dueNs: 2, class: 0, tie: 0, run: "second" });

    const answers = [queue.cancel(first), queue.cancel(first)];

    expect(answers).toEqual([true, false]);
    expect(queue.size).toBe(1);
    expect(queue.peek()?.run).toBe("second");
  });

  it("cannot cancel what has run", () => {
    const queue = new EventQueue<string>();
    const event = queue.push({ dueNs: 1, class: 0, tie: 0, run: "only" });

    queue.pop();

    expect(queue.cancel(event)).toBe(false);
    expect(queue.pop()).toBeUndefined();
  });

  const events = fc.array(fc.tuple(fc.nat(6), fc.nat(3), fc.nat(2), fc.boolean()), {
    maxLength: 200,
  });
  test.prop([events])("agrees with sorting, whatever is cancelled", (list) => {
    const queue = new EventQueue<string>();
    const made = list.map(([dueNs, kind, tie, cancelled], seq) => {
      const handle = queue.push({ dueNs, class: kind as EventClassCode, tie, run: String(seq) });
      return { dueNs, kind, tie, seq, cancelled, handle };
    });

    for (const { cancelled, handle } of made) if (cancelled) queue.cancel(handle);

    const kept = made.filter(({ cancelled }) => !cancelled);
    kept.sort((a, b) => a.dueNs - b.dueNs || a.kind - b.kind || a.tie - b.tie || a.seq - b.seq);
    expect(queue.size).toBe(kept.length);
    expect(drained(queue)).toEqual(kept.map(({ seq }) => String(seq)));
  });
});

describe("when a tick is due", () => {
  it("is one period after it was armed, late by its jitter", () => {
    expect(tickDueNs(7, 100)).toBe(100_000_007);
    expect(tickDueNs(7, 100, 30)).toBe(100_000_037);
  });

  it("is never, for a period of 0", () => {
    expect(tickDueNs(7, 0)).toBeUndefined();
  });
});
