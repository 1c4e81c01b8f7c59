import type { StatusCode } from "../abi/status.ts";
import { shownCall } from "../abi/call-ring.ts";
import type { CallRule, VmHost } from "../abi/vm-host.ts";
import { formatDuration } from "../time/duration.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs } from "../trace/event.ts";
import type { FaultName } from "../trace/names.ts";
import type { Thread } from "./thread.ts";
import { ThreadEvent } from "./thread-event.ts";
import type { Vm } from "./vm.ts";

/** A host call to come, of the VMs of one thread; in nanoseconds. */
export interface AwaitedCall {
  readonly call: string;
  /** Calls of this plugin alone; of any when undefined. */
  readonly plugin: string | undefined;
  readonly nth: number;
  /** Infinity: to the end of the run. */
  readonly withinNs: number;
}

/** A fault that waits for a host call. */
export interface WaitingFault {
  readonly name: FaultName;
  readonly at: AwaitedCall;
  readonly note: TraceArgs;
  /** What happens then: a status in place of the call, or undefined. Null: the thread is paused, before the call. */
  readonly strike: ((vm: Vm, note: TraceArgs) => StatusCode | undefined) | null;
  readonly pauseNs: number;
}

/**
 * Faults that wait for a host call of one thread. Calls of base VMs and canaries do not count, which are no VMs of the
 * thread. Each strikes once; one whose call does not come is recorded as not applied when the wait is over.
 *
 * A pause comes before everything else that strikes at its call: the others strike when the call is carried out.
 */
export class CallPoints {
  readonly #thread: Thread;
  readonly #waiting = new Set<Waiting>();

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  add(fault: WaitingFault): void {
    const { world, rules } = this.#thread;
    const waiting = new Waiting(fault, () => this.#remove(waiting));
    this.#waiting.add(waiting);
    if (fault.strike !== null) rules.push(waiting);
    const { withinNs } = fault.at;
    if (withinNs === Infinity) return;
    const over = (): void => this.#miss(waiting, `in ${formatDuration(withinNs)}`);
    world.schedule(new ThreadEvent(null, EventClass.file, over), world.nowNs + withinNs);
  }

  /** Whether a guest that is about to make a call is left before it: its thread is paused then. */
  pausesAt(vm: Vm, call: string, args: readonly (number | bigint)[]): boolean {
    let isPaused = false;
    for (const waiting of this.#waiting) {
      const { fault } = waiting;
      if (fault.strike !== null || !waiting.comes(call, vm)) continue;
      this.#remove(waiting);
      const shown = shownCall(call, vm.instance.memory, args);
      const note = { ...fault.note, call: shown };
      const why = vm.whyUnpausable ?? this.#whyBusy(vm);
      if (why === null) this.#thread.pauseInside(vm, fault.pauseNs, note);
      else this.#thread.world.recordFault(fault.name, note, this.#thread.name, why);
      isPaused ||= why === null;
    }
    return isPaused;
  }

  /** Nothing strikes any more: the thread has crashed, or the run is over. */
  clear(why: string): void {
    for (const waiting of this.#waiting) this.#miss(waiting, why);
  }

  #miss(waiting: Waiting, why: string): void {
    if (!this.#remove(waiting)) return;
    const { name, note, at } = waiting.fault;
    const came = waiting.cameCount === 0 ? "" : `, ${waiting.cameCount} came`;
    const awaited = `call ${at.nth} of ${at.call} did not come ${why}${came}`;
    this.#thread.world.recordFault(name, note, this.#thread.name, awaited);
  }

  /** Another VM of the thread runs, and calls this one from inside a host call. */
  #whyBusy(vm: Vm): string | null {
    for (const other of this.#thread.vms.values()) {
      if (other !== vm && other.isRunning) return "another callback of the thread runs around it";
    }
    return null;
  }

  /** False when it was removed before. */
  #remove(waiting: Waiting): boolean {
    if (!this.#waiting.delete(waiting)) return false;
    const { rules } = this.#thread;
    const at = rules.indexOf(waiting);
    if (at >= 0) rules.splice(at, 1);
    return true;
  }
}

class Waiting implements CallRule {
  readonly fault: WaitingFault;
  /** Calls of its kind so far. */
  cameCount = 0;
  readonly #leave: () => void;

  constructor(fault: WaitingFault, leave: () => void) {
    this.fault = fault;
    this.#leave = leave;
  }

  /** Counts a call that it waits for; true at the one that is meant. */
  comes(call: string, vm: Vm): boolean {
    const { at } = this.fault;
    if (call !== at.call || vm.kind !== "thread") return false;
    if (at.plugin !== undefined && vm.subject().plugin !== at.plugin) return false;
    return ++this.cameCount === at.nth;
  }

  answer(call: string, host: VmHost): StatusCode | undefined {
    const vm = host as Vm;
    const { strike, note } = this.fault;
    if (strike === null || !this.comes(call, vm)) return undefined;
    this.#leave();
    return strike(vm, { ...note, call: vm.calls.last });
  }
}
