import type { TraceEvent, TraceSubject } from "../../trace/event.ts";
import { isThreadVm } from "../../trace/life.ts";
import { HostEvent } from "../../trace/names.ts";
import { readable } from "../../trace/values.ts";
import { clean } from "../paint.ts";

/** A callback that came `count` times, `periodNs` apart, with the same host calls each time. */
export interface CallbackRun {
  readonly thread: string;
  readonly plugin: string;
  readonly name: string;
  readonly startNs: number;
  periodNs: number;
  count: number;
  readonly lengthNs: number;
  readonly sequence: number;
}

/** A set of shared data. */
export interface SetFact extends Pick<TraceSubject, "thread" | "vm" | "plugin"> {
  readonly atNs: number;
  readonly key: string;
  readonly value: string;
  readonly cas: string;
  readonly status: string;
}

interface OpenCallback {
  readonly event: TraceEvent;
  readonly calls: number[];
}

/** More of them are not told apart by what they were about. */
const callCountMax = 4_000;
/** More different sequences are told by their first calls alone. */
const sequenceCountMax = 20_000;
const setCountMax = 20_000;
const textLengthMax = 300;
/** The argument that tells what a call was about. */
const subjects = ["key", "path", "cluster", "name", "queue"] as const;

/**
 * What a report draws of callbacks, host calls and shared data. It is fed a trace event by event and keeps no event: a
 * tick that is like the one before costs nothing.
 *
 *     const detail = new CallDetail();
 *     prepareScenario(scenario, { trace: "full" }).run((event) => detail.feed(event));
 */
export class CallDetail {
  readonly runs: CallbackRun[] = [];
  readonly sets: SetFact[] = [];
  /** Host calls in words, as sequences name them by their index. */
  readonly calls: string[] = [];
  readonly sequences: (readonly number[])[] = [];
  /** Sets that were not kept: there were too many. */
  leftOutSetCount = 0;
  readonly #open = new Map<string, OpenCallback[]>();
  readonly #growing = new Map<string, CallbackRun>();
  readonly #callIndices = new Map<string, number>();
  readonly #sequenceIndices = new Map<string, number>();

  static of(events: Iterable<TraceEvent>): CallDetail {
    const detail = new CallDetail();
    for (const event of events) detail.feed(event);
    return detail;
  }

  feed(event: TraceEvent): void {
    if (event.event === "call") this.#call(event);
    else if (event.event === "callback") this.#begin(event);
    else if (event.event === "return") this.#end(event);
    else if (event.event === "trap") this.#lose((key) => key === vmOf(event));
    else if (event.name === HostEvent.vmGone || event.event === "fault") {
      if (event.name === "crash" || event.name === HostEvent.vmGone)
        this.#lose((key) => key.startsWith(`${event.thread}#`));
    }
  }

  #call(event: TraceEvent): void {
    if (event.name === "proxy_set_shared_data") this.#set(event);
    const open = this.#open.get(vmOf(event))?.at(-1);
    if (open !== undefined) open.calls.push(this.#indexOfCall(event));
  }

  #begin(event: TraceEvent): void {
    if (!isThreadVm(event.vm)) return;
    const stack = this.#open.get(vmOf(event));
    const made = { event, calls: [] };
    if (stack === undefined) this.#open.set(vmOf(event), [made]);
    else stack.push(made);
  }

  #end(event: TraceEvent): void {
    const stack = this.#open.get(vmOf(event));
    const open = stack?.pop();
    if (open !== undefined) this.#keep(open, event.atNs);
  }

  /** Callbacks under way that never return: a trap or a crash ended their VM. */
  #lose(isHit: (vm: string) => boolean): void {
    for (const [vm, stack] of this.#open) {
      if (!isHit(vm)) continue;
      for (const open of stack) this.#keep(open, open.event.atNs);
      this.#open.delete(vm);
    }
  }

  #keep({ event, calls }: OpenCallback, untilNs: number): void {
    const { thread, plugin, name, atNs } = event;
    const sequence = this.#indexOfSequence(calls);
    const lengthNs = untilNs - atNs;
    const key = `${thread} ${plugin} ${name} ${sequence} ${lengthNs}`;
    const run = this.#growing.get(key);
    if (run !== undefined && extend(run, atNs)) return;
    const made: CallbackRun = {
      ...{ thread, plugin, name, startNs: atNs, periodNs: 0, count: 1, lengthNs, sequence },
    };
    this.runs.push(made);
    this.#growing.set(key, made);
  }

  #indexOfCall(event: TraceEvent): number {
    const about = subjects
      .map((name) => event.args[name])
      .find((value) => typeof value === "string" || value instanceof Uint8Array);
    const status = event.status === null || event.status === "Ok" ? "" : `: ${event.status}`;
    const short = `${event.name}${status}`;
    const words =
      about === undefined
        ? short
        : `${event.name} ${clean(readable(about).replaceAll("\0", "."), 80)}${status}`;
    const known = this.#callIndices.get(words);
    if (known !== undefined) return known;
    const isFull = this.calls.length >= callCountMax;
    const kept = isFull ? short : words;
    const index = this.#callIndices.get(kept) ?? this.calls.length;
    if (index === this.calls.length) this.calls.push(kept);
    this.#callIndices.set(kept, index);
    return index;
  }

  #indexOfSequence(calls: readonly number[]): number {
    const isFull = this.sequences.length >= sequenceCountMax;
    const kept = isFull ? calls.slice(0, 1) : calls;
    const key = kept.join(" ");
    const known = this.#sequenceIndices.get(key);
    if (known !== undefined) return known;
    this.#sequenceIndices.set(key, this.sequences.length);
    this.sequences.push(kept);
    return this.sequences.length - 1;
  }

  #set(event: TraceEvent): void {
    if (this.sets.length >= setCountMax) {
      this.leftOutSetCount++;
      return;
    }
    const { thread, vm, plugin, atNs, args } = event;
    this.sets.push({
      ...{ thread, vm, plugin, atNs },
      key: clean(readable(args["key"]), textLengthMax),
      value: shortened(args["value"]),
      cas: readable(args["cas"]),
      status: event.status ?? "",
    });
  }
}

/** Text of a value for a page: clean, and its length where it is cut. */
export function shortened(value: TraceEvent["result"] | undefined): string {
  if (typeof value === "string" || value instanceof Uint8Array) {
    const size = value.length;
    if (size <= textLengthMax) return clean(readable(value));
    const head =
      typeof value === "string" ? value.slice(0, textLengthMax) : value.subarray(0, textLengthMax);
    return `${clean(readable(head), textLengthMax)}… (${size} bytes)`;
  }
  return clean(readable(value), textLengthMax);
}

function vmOf({ vm, plugin }: TraceSubject): string {
  return `${vm} ${plugin}`;
}

function extend(run: CallbackRun, atNs: number): boolean {
  const distanceNs = atNs - run.startNs;
  if (run.count === 1 ? distanceNs <= 0 : distanceNs !== run.periodNs * run.count) return false;
  if (run.count === 1) run.periodNs = distanceNs;
  run.count++;
  return true;
}
