import { hostSignatures } from "../abi/signatures.ts";
import { callbackTypes } from "../abi/callbacks.ts";
import { statusCode, type StatusCode } from "../abi/status.ts";
import type { CallRule } from "../abi/vm-host.ts";
import { unknownName } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import type { Exchange, RequestOptions } from "../http/exchange.ts";
import { requireRequest } from "../http/request-options.ts";
import type { Lane } from "../http/scheduler.ts";
import { parseDuration } from "../time/duration.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import { CallDelays } from "./call-delays.ts";
import { RefuseRule } from "./call-rule.ts";
import { release, install } from "./lifecycle.ts";
import type { Booking } from "./loop.ts";
import type { Generation, Plugin } from "./plugin.ts";
import type { PluginHandle } from "./plugin-handle.ts";
import type { EnvoyProcess } from "./process.ts";
import { ThreadEvent } from "./thread-event.ts";
import { Vm } from "./vm.ts";
import type { VmGroup } from "./vm-group.ts";
import { WaitingLine } from "./waiting-line.ts";

interface PendingTrap {
  readonly callback: string;
  readonly plugin: string | undefined;
}

/** Before everything else that a start-up does at an instant. */
const resumeTie = -1;

/**
 * A thread of Envoy: the main thread, or a worker. Its VMs, its loop, and what a test may do to it. Every verb
 * records its `fault` event and says whether it happened; on a dead thread only `restart` and `request` do.
 */
export class Thread implements Lane {
  readonly name: string;
  /** @internal */
  readonly world: EnvoyProcess;
  /** @internal */
  readonly vms = new Map<VmGroup, Vm>();
  /** @internal */
  readonly handles = new Map<Plugin, PluginHandle>();
  /** @internal Rules that answer host calls of its VMs. */
  readonly rules: CallRule[] = [];
  /** False from a crash to a restart. */
  alive = true;
  /** True while its loop stands still. */
  isPaused = false;
  /** The end of the latest pause, nanoseconds since the start of the run; 0 before the first. */
  pausedUntilNs = 0;
  /** @internal The plugins were started here. */
  isUp = false;
  /** @internal Where what waited is put among equals of an instant. */
  waitingTie = 0;
  /** @internal */
  readonly waiting = new WaitingLine();
  readonly #delays = new CallDelays();
  /** Handles of older configurations whose drain is not over. */
  readonly #draining = new Set<PluginHandle>();
  readonly #incarnations = new Map<VmGroup, number>();
  readonly #whenUp: (() => void)[] = [];
  #traps: PendingTrap[] = [];
  #startUp: ThreadEvent | undefined;

  constructor(name: string, world: EnvoyProcess) {
    this.name = name;
    this.world = world;
  }

  get isMain(): boolean {
    return this.name === "main";
  }

  /**
   * All its VMs stop: no on_done, never reloaded; answers to calls under way are dropped, the calls still reach the
   * receiver. Requests get the failure policy's answer.
   */
  crash(note: TraceArgs = { thread: this.name }): boolean {
    return this.#apply("crash", note, true, () => {
      this.#crash();
      // Requests that waited for a start-up, which comes no more.
      for (const run of this.#whenUp.splice(0)) run();
    });
  }

  /** Crash if alive; then fresh VMs with the current configuration, at the end of this instant's events. */
  restart(note: TraceArgs = { thread: this.name }): boolean {
    this.world.open();
    const isEarly = this.alive && !this.#hasPlace();
    if (isEarly)
      return this.world.recordFault("restart", note, this.name, "it has not started yet");
    const { world } = this;
    if (this.alive) this.#crash();
    world.recordFault("restart", note, this.name, null);
    this.alive = true;
    if (this.isPaused) {
      this.pausedUntilNs = world.nowNs;
      this.#resume();
      world.loop.hasten(this);
    }
    this.scheduleStartUp();
    world.settleUnlessRunning(EventClass.startUp);
    return true;
  }

  /** Its loop stands still for so long: what is due meanwhile comes at the end. A second pause extends the first. */
  pause(duration: string, note: TraceArgs = { thread: this.name, for: duration }): boolean {
    const durationNs = parseDuration(duration, "pause");
    return this.#apply("pause", note, false, () => this.#pause(durationNs));
  }

  /**
   * The next such callback traps on entry, before its first host call.
   * E_UNKNOWN_NAME for a callback or plugin that does not exist.
   */
  trapNext(
    callback: string,
    plugin?: string,
    note: TraceArgs = { thread: this.name, callback, ...(plugin === undefined ? {} : { plugin }) },
  ): boolean {
    const { world } = this;
    const { groups } = world.options.profile;
    const names = [...callbackTypes("0.2.1", groups).keys()];
    if (!names.includes(callback)) throw unknownName("callback", callback, names);
    if (plugin !== undefined) world.plugin(plugin);
    const why = this.#whyNoTrap(callback, plugin);
    return this.#apply("trap", note, true, () => this.#traps.push({ callback, plugin }), why);
  }

  /**
   * The call answers that status and touches no output: for so long, or so many times, or to the end of the run.
   * E_UNKNOWN_NAME for a call or status that does not exist.
   */
  refuse(
    options: { call: string; status: string; for?: string; count?: number },
    note: TraceArgs = { thread: this.name, ...options },
  ): boolean {
    const code = requireStatus(options.status);
    requireCall(options.call);
    const { count } = options;
    if (count !== undefined && (!Number.isSafeInteger(count) || count < 1)) {
      throw new MockHostError("E_OPTION", `refuse: count is ${String(count)}`, {
        remedy: "give 1 or more",
      });
    }
    const { clock } = this.world;
    const untilNs =
      options.for === undefined ? Infinity : clock.nowNs + parseDuration(options.for, "refuse");
    return this.#apply("refuse", note, false, () => {
      new RefuseRule({ call: options.call, code, untilNs, count: count ?? Infinity }, this.rules);
    });
  }

  /** Calls to the cluster dispatched within `for` reach the receiver `by` later. */
  delayCalls(
    options: { cluster: string; by: string; for: string },
    note: TraceArgs = { thread: this.name, ...options },
  ): boolean {
    this.world.requireCluster(options.cluster);
    const byNs = parseDuration(options.by, "delay_calls");
    const forNs = parseDuration(options.for, "delay_calls");
    return this.#apply("delay_calls", note, false, () => {
      this.#delays.add({ cluster: options.cluster, byNs, untilNs: this.world.nowNs + forNs });
    });
  }

  /**
   * A client's request, taken up by this worker's loop. All that happens at this very instant has happened when this
   * returns; the rest comes with advance(). E_STATE on the main thread, which serves none.
   */
  request(request: RequestOptions = {}): Exchange {
    if (this.isMain) {
      throw new MockHostError("E_STATE", "the main thread serves no requests", {
        remedy: "use worker_0",
      });
    }
    requireRequest(request);
    return this.world.request(this, request);
  }

  /** @internal How much later a call dispatched now reaches that cluster. */
  heldNs(cluster: string): number {
    return this.#delays.heldNs(cluster, this.world.nowNs);
  }

  /** @internal Whether this callback is to trap; the wish is used up then. */
  takeTrap(callback: string, plugin: string): boolean {
    if (this.#traps.length === 0) return false;
    const at = this.#traps.findIndex(
      (trap) => trap.callback === callback && (trap.plugin === undefined || trap.plugin === plugin),
    );
    if (at < 0) return false;
    this.#traps.splice(at, 1);
    return true;
  }

  /** @internal */
  createVm(plugin: Plugin): Vm {
    const incarnation = (this.#incarnations.get(plugin.group) ?? 0) + 1;
    this.#incarnations.set(plugin.group, incarnation);
    const vm = new Vm({
      kind: "thread",
      group: plugin.group,
      thread: this,
      name: `${this.name}#${incarnation}`,
      identity: [this.name, plugin.group.label, String(incarnation)],
      founder: plugin.name,
    });
    if (!vm.isDead()) this.vms.set(plugin.group, vm);
    return vm;
  }

  /** @internal A failed VM is no longer found by what comes later; who holds it keeps it. */
  onVmFailed(vm: Vm): void {
    if (this.vms.get(vm.group) === vm) this.vms.delete(vm.group);
  }

  /** @internal */
  scheduleStartUp(tie?: number): void {
    const event = new ThreadEvent(this, EventClass.startUp, () => {
      if (this.#startUp !== event) return;
      this.#startUp = undefined;
      this.startPlugins();
    });
    this.#startUp = event;
    this.world.schedule(event, this.world.nowNs, tie);
  }

  /** @internal Every plugin that has a place on this thread, in the file's order. */
  startPlugins(): void {
    for (const plugin of this.world.plugins) this.startPlugin(plugin);
    this.isUp = true;
    for (const run of this.#whenUp.splice(0)) run();
  }

  /** @internal */
  startPlugin(plugin: Plugin): void {
    if (plugin.spec.kind === "singleton" && !this.isMain) return;
    this.handles.set(plugin, install(this, plugin, plugin.current));
  }

  /** @internal Now, unless the thread's first start-up is still to come. */
  whenUp(run: () => void): void {
    if (this.isUp || !this.alive) run();
    else this.#whenUp.push(run);
  }

  /** @internal A new configuration beside the old one, which ends when the drain does. */
  replace(plugin: Plugin, generation: Generation, drainedNs: number): void {
    const old = this.handles.get(plugin);
    if (!this.alive || !this.isUp || old === undefined) return;
    if (old.generation.number >= generation.number) return;
    if (old.root !== null && !old.root.owner.isDead()) {
      this.world.recorder.record(old.root, "timer", HostEvent.contextDraining, {});
    }
    this.handles.set(plugin, install(this, plugin, generation));
    this.#draining.add(old);
    const drained = new ThreadEvent(this, EventClass.timer, () => {
      if (this.#draining.delete(old)) release(old);
    });
    this.world.schedule(drained, Math.max(drainedNs, this.world.nowNs));
  }

  /** @internal on_done for every plugin, as when the process ends in order. */
  shutDown(): void {
    for (const handle of [...this.#draining, ...this.handles.values()]) release(handle);
    this.#draining.clear();
    this.handles.clear();
  }

  /** @internal The process ends without a word to its plugins: it never came up. */
  discard(): void {
    for (const vm of this.vms.values()) vm.destroy("released");
    this.vms.clear();
    this.handles.clear();
    this.alive = false;
  }

  /** @internal Whether an event that is due has to wait for the pause's end, or for what waits already. */
  mustWait(booking: Booking): boolean {
    const hasWaited = this.waiting.take(booking);
    if (this.isPaused) return booking.tie !== resumeTie || booking.class !== EventClass.startUp;
    return !hasWaited && this.waiting.has(booking.class);
  }

  /** Records the fault, and does it unless something stands against it. */
  #apply(
    name: string,
    note: TraceArgs,
    needsStart: boolean,
    run: () => void,
    why: string | null = null,
  ): boolean {
    this.world.open();
    let against = why;
    if (!this.alive) against = "the thread is dead";
    else if (needsStart && !this.#hasPlace()) against = "it has not started yet";
    if (against === null) this.world.recordFault(name, note, this.name, null);
    else return this.world.recordFault(name, note, this.name, against);
    run();
    return true;
  }

  /** Envoy has come up: a thread that waits for its start-up in a pause can be hit as well. */
  #hasPlace(): boolean {
    return this.isUp || this.world.hasComeUp;
  }

  #whyNoTrap(callback: string, plugin: string | undefined): string | null {
    if (!this.isUp && this.#willExport(callback, plugin)) return null;
    for (const handle of this.handles.values()) {
      if (handle.root === null || handle.root.owner.isDead()) continue;
      if (plugin !== undefined && handle.plugin.name !== plugin) continue;
      if (handle.root.owner.instance.has(callback)) return null;
    }
    return `no living VM there exports ${callback}`;
  }

  /** Whether a VM that its coming start-up makes has the callback. */
  #willExport(callback: string, wanted: string | undefined): boolean {
    return this.world.plugins.some(
      ({ name, spec, group }) =>
        (wanted === undefined || name === wanted) &&
        (this.isMain || spec.kind !== "singleton") &&
        group.loaded.exports.some((exported) => exported.name === callback),
    );
  }

  #crash(): void {
    for (const vm of this.vms.values()) vm.crash();
    this.vms.clear();
    this.handles.clear();
    this.#draining.clear();
    this.alive = false;
    this.isUp = false;
    this.#traps = [];
    this.#startUp = undefined;
  }

  #pause(durationNs: number): void {
    const { world } = this;
    this.pausedUntilNs = Math.max(this.isPaused ? this.pausedUntilNs : 0, world.nowNs + durationNs);
    if (!this.isPaused) {
      this.isPaused = true;
      this.waitingTie = world.drawWaitingTie();
    }
    world.recordOf(this, HostEvent.threadPaused, { until_ns: this.pausedUntilNs });
    const end = new ThreadEvent(this, EventClass.startUp, () => {
      if (this.isPaused && this.pausedUntilNs <= world.nowNs) this.#resume();
    });
    world.schedule(end, this.pausedUntilNs, resumeTie);
  }

  #resume(): void {
    this.isPaused = false;
    this.world.recordOf(this, HostEvent.threadResumed, {});
  }
}

function requireStatus(name: string): StatusCode {
  const code = statusCode(name);
  if (code !== undefined) return code;
  throw unknownName("status", name, [
    "NotFound",
    "BadArgument",
    "CasMismatch",
    "InternalFailure",
    "Unimplemented",
    "Ok",
  ]);
}

function requireCall(name: string): void {
  const names = hostSignatures
    .filter(({ module }) => module === "env")
    .map((signature) => signature.name);
  if (!names.includes(name)) throw unknownName("host call", name, names);
}
