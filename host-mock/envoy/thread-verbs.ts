import type { CallRule } from "../abi/vm-host.ts";
import type { CallFate } from "../http/call-fate.ts";
import { parseDuration } from "../time/duration.ts";
import type { TraceArgs } from "../trace/event.ts";
import type { FaultName } from "../trace/names.ts";
import { AllocationFaults, type AllocationOptions } from "./allocation-faults.ts";
import { BeforeCall, type CallPoint } from "./before-call.ts";
import { CallFaults } from "./call-faults.ts";
import { RefuseRule } from "./call-rule.ts";
import { CasStormRule, requireStorm, type CasStormOptions } from "./cas-storm.ts";
import {
  answersOf,
  delayOf,
  refusalOf,
  requireCallback,
  requireInterposition,
  whyNoTrap,
  type AnswerOptions,
  type DelayOptions,
  type RefuseOptions,
} from "./fault-checks.ts";
import { InterposeRule, type Interposition } from "./interpose.ts";
import type { EnvoyProcess } from "./process.ts";
import type { Thread } from "./thread.ts";
import { TickFaults } from "./tick-faults.ts";
import { TrapWishes } from "./trap-wishes.ts";
import type { Vm } from "./vm.ts";

/** What a test can do to the calls, callbacks and ticks of a thread. Each verb says whether it happened. */
export abstract class ThreadVerbs {
  abstract readonly name: string;
  /** @internal */
  abstract readonly world: EnvoyProcess;
  /** @internal Rules that answer host calls of its VMs. */
  readonly rules: CallRule[] = [];
  /** @internal */
  readonly traps = new TrapWishes();
  /** @internal */
  readonly tickFaults = new TickFaults();
  readonly #calls = new CallFaults();
  readonly #allocations = new AllocationFaults();

  protected abstract get self(): Thread;

  /** Records the fault, and does it unless something stands against it. */
  protected abstract apply(
    name: FaultName,
    note: TraceArgs,
    run: () => void,
    options?: { readonly needsStart?: boolean; readonly why?: string | null },
  ): boolean;

  /**
   * The next such callback traps on entry, before its first host call.
   * E_UNKNOWN_NAME for a callback or plugin that does not exist.
   */
  trapNext(
    callback: string,
    plugin?: string,
    note: TraceArgs = { thread: this.name, callback, ...(plugin === undefined ? {} : { plugin }) },
  ): boolean {
    requireCallback(callback, this.world.options.profile);
    if (plugin !== undefined) this.world.plugin(plugin);
    const why = whyNoTrap(this.self, callback, plugin);
    const run = (): void => this.traps.add(callback, plugin);
    return this.apply("trap", note, run, { needsStart: true, why });
  }

  /**
   * The call answers that status and touches no output: for so long, or so many times, or to the end of the run.
   * E_UNKNOWN_NAME for a call or status that does not exist.
   */
  refuse(options: RefuseOptions, note: TraceArgs = { thread: this.name, ...options }): boolean {
    const refusal = refusalOf(options, this.world.nowNs);
    return this.apply("refuse", note, () => void new RefuseRule(refusal, this.rules));
  }

  /**
   * A host call to come, and what is to happen right before it. E_UNKNOWN_NAME for a call or plugin that does not exist;
   * E_OPTION.
   *
   *     thread.before({ call: "proxy_set_shared_data" }).pause("10s");
   */
  before(point: CallPoint): BeforeCall {
    return new BeforeCall(this.self, point);
  }

  /**
   * Does something inside a host call of a VM of this thread: what another thread could do at that very point. There it
   * may tick() and startNow(), set shared data, … E_UNKNOWN_NAME for a call or plugin that does not exist; E_OPTION.
   *
   *     a.interpose({ call: "proxy_set_shared_data", run: () => b.tick("elector") })
   */
  interpose(interposition: Interposition): void {
    requireInterposition(this.self, interposition);
    new InterposeRule(interposition, this.rules);
  }

  /** HTTP and gRPC calls to the cluster dispatched within `for` reach the receiver `by` later. */
  delayCalls(options: DelayOptions, note: TraceArgs = { thread: this.name, ...options }): boolean {
    const { byNs, cluster, untilNs } = delayOf("delay_calls", this.self, options);
    const run = (): void => this.#calls.add({ cluster, heldNs: byNs, untilNs });
    return this.apply("delay_calls", note, run);
  }

  /** HTTP calls to the cluster dispatched within `for` are received, and the guest never sees the answer. */
  loseAnswers(
    options: AnswerOptions,
    note: TraceArgs = { thread: this.name, ...options },
  ): boolean {
    const { cluster, untilNs } = answersOf("lost_answers", this.self, options);
    const run = (): void => this.#calls.add({ cluster, isAnswerLost: true, untilNs });
    return this.apply("lost_answers", note, run);
  }

  /** Answers to HTTP calls to the cluster dispatched within `for` come `by` later. */
  delayAnswers(
    options: DelayOptions,
    note: TraceArgs = { thread: this.name, ...options },
  ): boolean {
    const { byNs, cluster, untilNs } = delayOf("late_answers", this.self, options);
    const run = (): void => this.#calls.add({ cluster, answerLateNs: byNs, untilNs });
    return this.apply("late_answers", note, run);
  }

  /** HTTP calls to the cluster dispatched within `for` arrive twice, `by` apart; the second one is answered. */
  duplicateCalls(
    options: DelayOptions,
    note: TraceArgs = { thread: this.name, ...options },
  ): boolean {
    const { byNs, cluster, untilNs } = delayOf("duplicated_calls", this.self, options);
    const run = (): void => this.#calls.add({ cluster, repeatNs: byNs, untilNs });
    return this.apply("duplicated_calls", note, run);
  }

  /** Ticks due within `for` come `by` later. */
  delayTicks(
    options: { readonly by: string; readonly for: string },
    note: TraceArgs = { thread: this.name, ...options },
  ): boolean {
    const byNs = parseDuration(options.by, "late_ticks: by");
    const untilNs = this.world.nowNs + parseDuration(options.for, "late_ticks: for");
    return this.apply("late_ticks", note, () => this.tickFaults.addLate({ byNs, untilNs }));
  }

  /** Ticks due within that time come at its end, all at one instant. */
  bunchTicks(duration: string, note: TraceArgs = { thread: this.name, for: duration }): boolean {
    const untilNs = this.world.nowNs + parseDuration(duration, "bunched_ticks");
    return this.apply("bunched_ticks", note, () => this.tickFaults.bunchUntil(untilNs));
  }

  /** The next gifts of the host to its guests find no memory: the allocator as good as answers 0. */
  failAllocations(
    options: AllocationOptions = {},
    note: TraceArgs = { thread: this.name, ...options },
  ): boolean {
    const wanted = this.#allocations.wanted(options, this.world);
    return this.apply("fail_allocation", note, () => this.#allocations.add(wanted));
  }

  /** Right before each of its next sets of shared data another writer writes a key again, as it is: its version grows. */
  stormCas(options: CasStormOptions, note: TraceArgs = { thread: this.name, ...options }): boolean {
    requireStorm(options);
    const run = (): void => void new CasStormRule(options, this.rules, this.world);
    return this.apply("cas_storm", note, run);
  }

  /** @internal What becomes of a call dispatched now. */
  callFate(cluster: string): CallFate {
    return this.#calls.of(cluster, this.world.nowNs);
  }

  /** @internal */
  failsAllocation(vm: Vm): boolean {
    return this.#allocations.take(vm);
  }
}
