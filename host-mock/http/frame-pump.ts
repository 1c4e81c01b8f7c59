import { EventClass } from "../time/event-queue.ts";
import { Alarm } from "./alarm.ts";
import { joinedBytes } from "./pairs.ts";
import type { Lane, Scheduler } from "./scheduler.ts";

interface Sent {
  readonly afterNs: number;
  readonly bytes: Uint8Array;
  readonly isEnd: boolean;
}

/** Something that a sender sends: bytes, or what else it does (trailers, a break). */
export type Step = Sent | { readonly afterNs: number; readonly act: () => void };

export interface FramePumpParts {
  readonly lane: Lane;
  readonly scheduler: Scheduler;
  /** In order; `afterNs` counts from start(). */
  readonly steps: readonly Step[];
  /** Envoy reads no more than this at once. */
  readonly pieceBytes: number;
  /** Bytes that Envoy has read. */
  read(bytes: Uint8Array, isEnd: boolean): void;
}

/**
 * A sender and the connection it sends on. It sends at its own pace; what Envoy does not read for the time being waits
 * in the connection, and then comes in one piece.
 *
 * Source: Envoy `source/common/network/connection_impl.cc` (onReadReady, readDisable), `raw_buffer_socket.cc` (doRead).
 */
export class FramePump {
  readonly #parts: FramePumpParts;
  readonly #steps: Step[];
  readonly #alarm: Alarm;
  #startNs = 0;
  #next = 0;
  #hasStarted = false;
  #isPaused = false;
  #isStopped = false;
  #isRunning = false;

  constructor(parts: FramePumpParts) {
    this.#parts = parts;
    this.#steps = [...parts.steps];
    const { lane, scheduler } = parts;
    this.#alarm = new Alarm({ lane, scheduler, class: EventClass.answer }, () => this.#run());
  }

  /** Everything sent at once is read before this returns, or in a later turn of the loop. */
  start(isLater = false): void {
    this.#startNs = this.#parts.scheduler.nowNs;
    this.#hasStarted = true;
    if (!isLater) this.#run();
    else if (!this.#isPaused) this.#await();
  }

  /** Envoy does not read for now. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Envoy reads again, in a later turn of the loop. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#hasStarted && !this.#isRunning) this.#await();
  }

  /** Nobody reads any more. */
  stop(): void {
    this.#isStopped = true;
    this.#alarm.clear();
  }

  #run(): void {
    this.#isRunning = true;
    const { nowNs } = this.#parts.scheduler;
    while (!this.#isPaused && !this.#isStopped) {
      const step = this.#steps[this.#next];
      if (step === undefined || this.#dueNs(step) > nowNs) break;
      this.#next++;
      if ("act" in step) step.act();
      else this.#read(step, nowNs);
    }
    this.#isRunning = false;
    if (!this.#isPaused && !this.#isStopped) this.#await();
  }

  #read(first: Sent, nowNs: number): void {
    let { isEnd } = first;
    const isLate = this.#dueNs(first) < nowNs;
    let bytes = isLate && !isEnd ? this.#joinWaiting(first.bytes, nowNs) : first.bytes;
    const { pieceBytes } = this.#parts;
    if (bytes.length > pieceBytes) {
      const rest = { afterNs: first.afterNs, bytes: bytes.subarray(pieceBytes), isEnd };
      this.#steps[--this.#next] = rest;
      bytes = bytes.subarray(0, pieceBytes);
      isEnd = false;
    }
    this.#parts.read(bytes, isEnd);
  }

  /** What waited in the connection has no seams; only the end is told by itself. */
  #joinWaiting(first: Uint8Array, nowNs: number): Uint8Array {
    const waiting = [first];
    for (;;) {
      const step = this.#steps[this.#next];
      if (step === undefined || "act" in step || step.isEnd || this.#dueNs(step) > nowNs) break;
      this.#next++;
      waiting.push(step.bytes);
    }
    return joinedBytes(waiting);
  }

  #await(): void {
    const step = this.#steps[this.#next];
    if (step === undefined) return;
    this.#alarm.set(Math.max(this.#dueNs(step), this.#parts.scheduler.nowNs));
  }

  #dueNs(step: Step): number {
    return this.#startNs + step.afterNs;
  }
}
