import { expect, test } from "vitest";
import { FramePump, type Step } from "../../../host-mock/http/frame-pump.ts";
import type { DueEvent, Scheduler } from "../../../host-mock/http/scheduler.ts";
import { lossyUtf8, utf8 } from "../../../host-mock/state/bytes.ts";
import { EventClass, EventQueue, type EventHandle } from "../../../host-mock/time/event-queue.ts";

class VirtualTime implements Scheduler {
  nowNs = 0;
  readonly #queue = new EventQueue<DueEvent>();

  schedule(event: DueEvent, dueNs: number): EventHandle<DueEvent> {
    return this.#queue.push({ dueNs, class: EventClass.answer, tie: 0, run: event });
  }

  cancel(scheduled: EventHandle<DueEvent>): void {
    this.#queue.cancel(scheduled);
  }

  advance(byNs: number): void {
    const untilNs = this.nowNs + byNs;
    for (;;) {
      const next = this.#queue.peek();
      if (next === undefined || next.dueNs > untilNs) break;
      this.#queue.pop();
      this.nowNs = next.dueNs;
      next.run.run();
    }
    this.nowNs = untilNs;
  }
}

const lane = { name: "worker_0", isPaused: false };

function pumpOf(steps: readonly Step[], options: { pieceBytes?: number } = {}) {
  const time = new VirtualTime();
  const read: string[] = [];
  const pump: FramePump = new FramePump({
    lane,
    scheduler: time,
    steps,
    pieceBytes: options.pieceBytes ?? Infinity,
    read: (bytes, isEnd) =>
      read.push(`${String(time.nowNs)} ${lossyUtf8(bytes)}${isEnd ? " end" : ""}`),
  });
  return { time, pump, read };
}

function frames(...texts: readonly string[]): Step[] {
  return texts.map((text, index) => ({
    afterNs: index * 10,
    bytes: utf8(text),
    isEnd: index === texts.length - 1,
  }));
}

test("frames come at their instants, the first at once", () => {
  const { time, pump, read } = pumpOf(frames("a", "b", "c"));

  pump.start();
  const atOnce = [...read];
  time.advance(100);

  expect(atOnce).toEqual(["0 a"]);
  expect(read).toEqual(["0 a", "10 b", "20 c end"]);
});

test("what is not read waits, and comes in one piece; only the end is told by itself", () => {
  const { time, pump, read } = pumpOf(frames("a", "b", "c", "d", ""));
  pump.start();

  pump.pause();
  time.advance(100);
  const whilePaused = [...read];
  pump.resume();
  time.advance(0);

  expect(whilePaused).toEqual(["0 a"]);
  expect(read).toEqual(["0 a", "100 bcd", "100  end"]);
});

test("a pause inside a read stops before the next frame of the same instant", () => {
  const time = new VirtualTime();
  const read: string[] = [];
  const pump: FramePump = new FramePump({
    lane,
    scheduler: time,
    steps: ["a", "b"].map((text) => ({ afterNs: 0, bytes: utf8(text), isEnd: false })),
    pieceBytes: Infinity,
    read: (bytes) => {
      read.push(lossyUtf8(bytes));
      pump.pause();
    },
  });

  pump.start();
  const first = [...read];
  pump.resume();
  time.advance(0);

  expect(first).toEqual(["a"]);
  expect(read).toEqual(["a", "b"]);
});

test("a frame longer than what is read at once comes in pieces, the end with the last", () => {
  const { pump, read } = pumpOf([{ afterNs: 0, bytes: utf8("abcde"), isEnd: true }], {
    pieceBytes: 2,
  });

  pump.start();

  expect(read).toEqual(["0 ab", "0 cd", "0 e end"]);
});

test("acts come in their turn, and a stopped pump sends nothing more", () => {
  const done: string[] = [];
  const { time, pump, read } = pumpOf([
    { afterNs: 0, bytes: utf8("a"), isEnd: false },
    { afterNs: 10, act: () => done.push("trailers") },
    { afterNs: 20, bytes: utf8("never"), isEnd: false },
  ]);
  pump.start();

  time.advance(15);
  pump.stop();
  time.advance(100);

  expect([read, done]).toEqual([["0 a"], ["trailers"]]);
});
