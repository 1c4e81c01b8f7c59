import type { CallRule } from "../abi/vm-host.ts";
import { MockHostError } from "../errors.ts";
import type { Exchange, RequestOptions } from "../http/exchange.ts";
import { requireRequest } from "../http/request-options.ts";
import type { Lane } from "../http/scheduler.ts";
import type { ConnectOptions } from "../tcp/connection-options.ts";
import type { TcpConnection } from "../tcp/tcp-connection.ts";
import { parseDuration } from "../time/duration.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import { connectClient } from "./connect.ts";
import { CallDelays } from "./call-delays.ts";
import { RefuseRule } from "./call-rule.ts";
import {
  delayOf,
  refusalOf,
  requireCallback,
  requireInterposition,
  whyNoTrap,
  type DelayOptions,
  type RefuseOptions,
} from "./fault-checks.ts";
import { InterposeRule, type Interposition } from "./interpose.ts";
import { release, install } from "./lifecycle.ts";
import type { Booking } from "./loop.ts";
import type { Generation, Plugin } from "./plugin.ts";
import type { PluginHandle } from "./plugin-handle.ts";
import type { EnvoyProcess } from "./process.ts";
import { isOnMainOnly, shutdownOrder } from "./start-up.ts";
import { ThreadEvent } from "./thread-event.ts";
import { TrapWishes } from "./trap-wishes.ts";
import { Vm } from "./vm.ts";
import type { VmGroup } from "./vm-group.ts";
import { WaitingLine } from "./waiting-line.ts";

/** A change of a plugin's configuration: which one it is, and when what it replaces has drained. */
export interface Change {
  readonly changeCount: number;
  readonly drainedNs: number;
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
  /** @internal */
  readonly traps = new TrapWishes();
  readonly #delays = new CallDelays();
  /** How many changes of a plugin's configuration it has followed. */
  readonly #changes = new Map<Plugin, number>();
  /** Handles of older configurations whose drain is not over. */
  readonly #draining = new Set<PluginHandle>();
  readonly #incarnations = new Map<VmGroup, number>();
  readonly #whenUp: (() => void)[] = [];
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
    requireCallback(callback, world.options.profile);
    if (plugin !== undefined) world.plugin(plugin);
    const why = whyNoTrap(this, callback, plugin);
    return this.#apply("trap", note, true, () => this.traps.add(callback, plugin), why);
  }

  /**
   * The call answers that status and touches no output: for so long, or so many times, or to the end of the run.
   * E_UNKNOWN_NAME for a call or status that does not exist.
   */
  refuse(options: RefuseOptions, note: TraceArgs = { thread: this.name, ...options }): boolean {
    const refusal = refusalOf(options, this.world.nowNs);
    return this.#apply("refuse", note, false, () => new RefuseRule(refusal, this.rules));
  }

  /**
   * Does something inside a host call of a VM of this thread: what another thread could do at that very point. There it
   * may tick() and startNow(), set shared data, … E_UNKNOWN_NAME for a call or plugin that does not exist; E_OPTION.
   *
   *     a.interpose({ call: "proxy_set_shared_data", run: () => b.tick("elector") })
   */
  interpose(interposition: Interposition): void {
    requireInterposition(this, interposition);
    new InterposeRule(interposition, this.rules);
  }

  /** The next tick of a plugin's timer comes now, whatever runs; false when none is armed here. */
  tick(plugin: string): boolean {
    return this.handles.get(this.world.plugin(plugin))?.root?.tickNow() ?? false;
  }

  /** Its start-up, if it is still to come, comes now, whatever runs; false when it is up or dead. */
  startNow(): boolean {
    if (this.#startUp === undefined || this.isUp || !this.alive) return false;
    this.#startUp = undefined;
    this.startPlugins();
    return true;
  }

  /** Calls to the cluster dispatched within `for` reach the receiver `by` later. */
  delayCalls(options: DelayOptions, note: TraceArgs = { thread: this.name, ...options }): boolean {
    const { byNs, forNs } = delayOf(this, options);
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

  /**
   * A client's TCP connection through the network plugins of a listener, to a server that stands behind them. What is
   * caused at this very instant has happened when this returns. E_STATE on the main thread.
   */
  connect(options: ConnectOptions = {}): TcpConnection {
    return connectClient(this, options);
  }

  /** @internal How much later a call dispatched now reaches that cluster. */
  heldNs(cluster: string): number {
    return this.#delays.heldNs(cluster, this.world.nowNs);
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

  /** @internal Every plugin that has a place on this thread. */
  startPlugins(): void {
    for (const plugin of this.world.startOrder) this.startPlugin(plugin);
    this.isUp = true;
    for (const run of this.#whenUp.splice(0)) run();
  }

  /** @internal Singletons and stats sinks live on the main thread alone. */
  hasPlaceFor(plugin: Plugin): boolean {
    return this.isMain || !isOnMainOnly(plugin);
  }

  /** @internal */
  startPlugin(plugin: Plugin): void {
    if (!this.hasPlaceFor(plugin)) return;
    this.#changes.set(plugin, plugin.changeCount);
    this.handles.set(plugin, install(this, plugin, plugin.current));
  }

  /** @internal Now, unless the thread's first start-up is still to come. */
  whenUp(run: () => void): void {
    if (this.isUp || !this.alive) run();
    else this.#whenUp.push(run);
  }

  /** @internal A new configuration beside the old one, which ends when the drain does. */
  replace(plugin: Plugin, generation: Generation, change: Change): void {
    const old = this.handles.get(plugin);
    if (!this.alive || !this.isUp || old === undefined) return;
    if ((this.#changes.get(plugin) ?? 0) >= change.changeCount) return;
    this.#changes.set(plugin, change.changeCount);
    this.#note(old, HostEvent.contextDraining);
    this.handles.set(plugin, this.#reused(generation) ?? install(this, plugin, generation));
    this.#draining.add(old);
    const drained = new ThreadEvent(this, EventClass.timer, () => {
      old.closeConnections();
      if (old.generation.slots.size > 0 || !this.#draining.delete(old)) return;
      release(old);
      this.world.placements.endGroup(plugin.group);
    });
    this.world.schedule(drained, Math.max(change.drainedNs, this.world.nowNs));
  }

  /** @internal The drain of a listener is over; roots that no other place holds end. */
  drop(plugins: readonly Plugin[], listener: string): void {
    for (const plugin of plugins) this.handles.get(plugin)?.closeConnections(listener);
    for (const plugin of plugins) {
      const handle = this.handles.get(plugin);
      if (handle !== undefined && plugin.current.slots.size === 0) {
        this.handles.delete(plugin);
        release(handle);
      }
      this.world.placements.endGroup(plugin.group);
    }
  }

  /** A living root of the configuration that still drains is taken back. */
  #reused(generation: Generation): PluginHandle | undefined {
    for (const handle of this.#draining) {
      if (handle.generation !== generation) continue;
      this.#draining.delete(handle);
      this.#note(handle, HostEvent.contextReused);
      return handle;
    }
    return undefined;
  }

  #note({ root }: PluginHandle, name: string): void {
    if (root === null || root.owner.isDead()) return;
    this.world.recorder.record(root, "timer", name, {});
  }

  /** @internal on_done for every plugin, as when the process ends in order. */
  shutDown(): void {
    const handles = shutdownOrder([...this.#draining, ...this.handles.values()]);
    for (const handle of handles) handle.closeConnections();
    for (const handle of handles) release(handle);
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

  #crash(): void {
    for (const vm of this.vms.values()) vm.crash();
    this.vms.clear();
    this.handles.clear();
    this.#draining.clear();
    this.alive = false;
    this.isUp = false;
    this.traps.clear();
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
