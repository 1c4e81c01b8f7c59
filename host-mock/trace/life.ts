import type { TraceEvent, TraceSubject } from "./event.ts";
import { HostEvent } from "./names.ts";
import { concerns } from "./shared-vm.ts";

/** Half-open: [fromNs, untilNs). */
export interface Interval {
  readonly fromNs: number;
  readonly untilNs: number;
}

/** One root context of a thread's VM, from its accepted configuration to its end. */
export interface ContextLife extends Interval {
  readonly thread: string;
  readonly vm: string;
  readonly plugin: string;
  readonly context: number;
  /** When a younger context took its place; null while none has. */
  readonly drainingNs: number | null;
  readonly end: "crashed" | "trapped" | "done" | "gone" | "running";
}

/** A stretch in which a thread's loop stood still. */
export interface Pause extends Interval {
  readonly thread: string;
}

export interface Life {
  /** In the order of their configuration. */
  readonly contexts: readonly ContextLife[];
  /** In the order of their start; overlapping ones of one thread are one. */
  readonly pauses: readonly Pause[];
}

type GrowingLife = { -readonly [Field in keyof ContextLife]: ContextLife[Field] };
type GrowingPause = { -readonly [Field in keyof Pause]: Pause[Field] };

/** Base and canary VMs run no threads: what they host never ticks. */
export function isThreadVm(vm: string): boolean {
  return vm !== "" && !vm.endsWith("#base") && !vm.endsWith("#canary");
}

/** Who lived when. `endNs` is the end of the run. */
export function lifeOf(events: Iterable<TraceEvent>, endNs: number): Life {
  const contexts: GrowingLife[] = [];
  const pauses: GrowingPause[] = [];
  const living = new Living();
  const paused = new Map<string, GrowingPause>();
  for (const event of events) {
    const change = changeOf(event);
    if (change === null) continue;
    if (change === "born") {
      const life = born(event, endNs);
      contexts.push(life);
      living.add(life);
    } else if (change === "draining") {
      const life = living.of(event);
      if (life !== undefined) life.drainingNs = event.atNs;
    } else if (change === "reused") {
      const life = living.of(event);
      if (life !== undefined) life.drainingNs = null;
    } else if (change === "paused") {
      if (paused.has(event.thread)) continue;
      const pause = { thread: event.thread, fromNs: event.atNs, untilNs: endNs };
      pauses.push(pause);
      paused.set(event.thread, pause);
    } else if (change === "resumed") {
      const pause = paused.get(event.thread);
      if (pause !== undefined) pause.untilNs = event.atNs;
      paused.delete(event.thread);
    } else {
      for (const life of living.endedBy(event, change)) {
        life.untilNs = event.atNs;
        life.end = change;
      }
    }
  }
  return { contexts, pauses };
}

/** The contexts that live, found by their thread: an event costs as much as there are on one. */
class Living {
  readonly #byThread = new Map<string, Map<string, GrowingLife>>();

  add(life: GrowingLife): void {
    const onThread = this.#byThread.get(life.thread);
    if (onThread === undefined) this.#byThread.set(life.thread, new Map([[keyOf(life), life]]));
    else onThread.set(keyOf(life), life);
  }

  of(subject: TraceSubject): GrowingLife | undefined {
    return this.#byThread.get(subject.thread)?.get(keyOf(subject));
  }

  /** Takes out those whose life this event ends. */
  endedBy(event: TraceEvent, reason: ContextLife["end"]): GrowingLife[] {
    const onThread = this.#byThread.get(event.thread);
    if (onThread === undefined) return [];
    const one = onThread.get(keyOf(event));
    const ended =
      reason === "done"
        ? [one].filter((life) => life !== undefined)
        : [...onThread.values()].filter(
            (life) => (event.vm === "" || life.vm === event.vm) && concerns(event, life.plugin),
          );
    for (const life of ended) onThread.delete(keyOf(life));
    return ended;
  }
}

function keyOf({ vm, plugin, context }: TraceSubject): string {
  return `${vm} ${plugin} ${context}`;
}

type Change =
  "born" | "draining" | "reused" | "paused" | "resumed" | Exclude<ContextLife["end"], "running">;

function changeOf(event: TraceEvent): Change | null {
  if (event.event === "trap") return isThreadVm(event.vm) ? "trapped" : null;
  if (event.event === "fault")
    return event.name === "crash" && event.status === "applied" ? "crashed" : null;
  if (event.event !== "timer") return null;
  switch (event.name) {
    case HostEvent.contextConfigured:
      return event.status === "Ok" && isThreadVm(event.vm) ? "born" : null;
    case HostEvent.contextDraining:
      return "draining";
    case HostEvent.contextReused:
      return "reused";
    case HostEvent.contextDone:
    case HostEvent.contextDeleted:
      return "done";
    case HostEvent.vmGone:
      if (!isThreadVm(event.vm)) return null;
      return event.args["reason"] === "crashed" ? "crashed" : "gone";
    case HostEvent.threadPaused:
      return "paused";
    case HostEvent.threadResumed:
      return "resumed";
    default:
      return null;
  }
}

function born(event: TraceEvent, endNs: number): GrowingLife {
  const { thread, vm, plugin, context, atNs } = event;
  return {
    thread,
    vm,
    plugin,
    context,
    fromNs: atNs,
    untilNs: endNs,
    drainingNs: null,
    end: "running",
  };
}
