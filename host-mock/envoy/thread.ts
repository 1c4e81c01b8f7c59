import { MockHostError } from "../errors.ts";
import type { Exchange, RequestOptions } from "../http/exchange.ts";
import { requireRequest } from "../http/request-options.ts";
import type { Lane } from "../http/scheduler.ts";
import type { ConnectOptions } from "../tcp/connection-options.ts";
import type { TcpConnection } from "../tcp/tcp-connection.ts";
import { parseDuration } from "../time/duration.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs } from "../trace/event.ts";
import { HostEvent, type FaultName } from "../trace/names.ts";
import { CallPoints } from "./call-points.ts";
import { connectClient } from "./connect.ts";
import { release, install } from "./lifecycle.ts";
import type { Booking } from "./loop.ts";
import type { Plugin } from "./plugin.ts";
import type { PluginHandle } from "./plugin-handle.ts";
import type { EnvoyProcess } from "./process.ts";
import { isOnMainOnly, shutdownOrder } from "./start-up.ts";
import { ThreadEvent } from "./thread-event.ts";
import { ThreadGenerations } from "./thread-generations.ts";
import { ThreadVerbs } from "./thread-verbs.ts";
import { Vm } from "./vm.ts";
import type { VmGroup } from "./vm-group.ts";
import { WaitingLine } from "./waiting-line.ts";

/** Before everything else that a start-up does at an instant. */
const resumeTie = -1;

/**
 * A thread of Envoy: the main thread, or a worker. Its VMs, its loop, and what a test may do to it. Every verb
 * records its `fault` event and says whether it happened; on a dead thread only `restart` and `request` do.
 */
export class Thread extends ThreadVerbs implements Lane {
  readonly name: string;
  /** @internal */
  readonly world: EnvoyProcess;
  /** @internal */
  readonly vms = new Map<VmGroup, Vm>();
  /** @internal */
  readonly handles = new Map<Plugin, PluginHandle>();
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
  readonly points = new CallPoints(this);
  /** @internal */
  readonly generations = new ThreadGenerations(this);
  /** The VM that was left in the middle of a callback, for the pause. */
  #left: Vm | undefined;
  readonly #incarnations = new Map<VmGroup, number>();
  readonly #whenUp: (() => void)[] = [];
  #startUp: ThreadEvent | undefined;

  constructor(name: string, world: EnvoyProcess) {
    super();
    this.name = name;
    this.world = world;
  }

  protected get self(): this {
    return this;
  }

  get isMain(): boolean {
    return this.name === "main";
  }

  /**
   * All its VMs stop: no on_done, never reloaded; answers to calls under way are dropped, the calls still reach the
   * receiver. Requests get the failure policy's answer.
   */
  crash(note: TraceArgs = { thread: this.name }, restartNs: number | null = null): boolean {
    const run = (): void => {
      this.#crash();
      // Requests that waited for a start-up, which comes no more.
      for (const begin of this.#whenUp.splice(0)) begin();
      if (restartNs !== null) this.#bookRestart(restartNs);
    };
    return this.apply("crash", note, run, { needsStart: true });
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
    return this.apply("pause", note, () => this.#pause(durationNs));
  }

  /** @internal A VM of it is left in the middle of its callback, which goes on at the pause's end. */
  pauseInside(vm: Vm, durationNs: number, note: TraceArgs): void {
    this.#left = vm;
    this.world.recordFault("pause", note, this.name, null);
    this.#pause(durationNs);
  }

  /** The next tick of a plugin's timer comes now, whatever runs; false when none is armed, or inside a callback's pause. */
  tick(plugin: string): boolean {
    if (this.#left !== undefined) return false;
    return this.handles.get(this.world.plugin(plugin))?.root?.tickNow() ?? false;
  }

  /** Its start-up, if it is still to come, comes now, whatever runs; false when it is up or dead. */
  startNow(): boolean {
    if (this.#startUp === undefined || this.isUp || !this.alive) return false;
    this.#startUp = undefined;
    this.startPlugins();
    return true;
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
    for (const plugin of this.world.startOrder) {
      this.startPlugin(plugin);
      // It crashed in the middle of it.
      if (!this.alive) return;
    }
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
    this.generations.follow(plugin);
    const handle = install(this, plugin, plugin.current);
    if (this.alive) this.handles.set(plugin, handle);
  }

  /** @internal Now, unless the thread's first start-up is still to come. */
  whenUp(run: () => void): void {
    if (this.isUp || !this.alive) run();
    else this.#whenUp.push(run);
  }

  /** @internal on_done for every plugin, as when the process ends in order: a callback under way ends first. */
  shutDown(): void {
    this.points.clear("before the shutdown");
    if (this.#left !== undefined) this.#resume();
    const handles = shutdownOrder([...this.generations.draining, ...this.handles.values()]);
    for (const handle of handles) handle.closeConnections();
    for (const handle of handles) release(handle);
    this.generations.clear();
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

  protected apply(
    name: FaultName,
    note: TraceArgs,
    run: () => void,
    { needsStart = false, why = null }: { needsStart?: boolean; why?: string | null } = {},
  ): boolean {
    this.world.open();
    let against = why;
    if (!this.alive) against = "the thread is dead";
    else if (needsStart && !this.#hasPlace()) against = "it has not started yet";
    const happens = this.world.recordFault(name, note, this.name, against);
    if (happens) run();
    return happens;
  }

  /** Envoy has come up: a thread that waits for its start-up in a pause can be hit as well. */
  #hasPlace(): boolean {
    return this.isUp || this.world.hasComeUp;
  }

  #crash(): void {
    for (const vm of this.vms.values()) vm.crash();
    this.vms.clear();
    this.handles.clear();
    this.generations.clear();
    this.alive = false;
    this.isUp = false;
    this.#left = undefined;
    this.traps.clear();
    this.points.clear("before the thread crashed");
    this.#startUp = undefined;
  }

  /** For a thread that is still dead then. */
  #bookRestart(afterNs: number): void {
    const event = new ThreadEvent(null, EventClass.file, () => {
      if (!this.alive) this.restart({ thread: this.name, by: "restart_after" });
    });
    this.world.schedule(event, this.world.nowNs + afterNs);
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
    const left = this.#left;
    this.#left = undefined;
    left?.goOn();
  }
}
