import { BufferType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import type { Lane } from "../http/scheduler.ts";
import type { PropertyAnswer } from "../abi/vm-host.ts";
import { Body } from "../state/body.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { tickDueNs } from "../time/timers.ts";
import { HostEvent } from "../trace/names.ts";
import { Context } from "./context.ts";
import { RootCalls } from "./root-calls.ts";
import { RootRedis } from "./root-redis.ts";
import type { LoggedRequest } from "./access-log-context.ts";
import { TickTimer } from "./tick-timer.ts";
import type { Vm } from "./vm.ts";

/** What a root is made of. */
export interface RootParts {
  readonly plugin: string;
  /** The property `plugin_root_id`. */
  readonly rootIdText: string;
  readonly configuration: Uint8Array;
  /** 1 for the plugin's first configuration, one more for each reconfigure. */
  readonly generation: number;
}

/** A plugin context: ticks, HTTP and gRPC calls, and the plugin's configuration while it is being configured. */
export class RootContext extends Context {
  readonly parts: RootParts;
  /** The plugin configuration can be read now. */
  isConfiguring = false;
  /** proxy_on_done answered 0, and the VM had another user: waits for proxy_done. */
  isParked = false;
  isDeleted = false;
  /** The finished request that the running `proxy_on_log` of an access logger is about. */
  logged: LoggedRequest | undefined;
  readonly calls = new RootCalls(this);
  readonly redis = new RootRedis(this);
  #periodMs = 0;
  #timer: TickTimer | undefined;
  #isTicking = false;

  constructor(owner: Vm, id: number, parts: RootParts) {
    super(owner, id, parts.plugin);
    this.parts = parts;
  }

  get root(): RootContext {
    return this;
  }

  get lane(): Lane {
    return this.owner.thread;
  }

  override headerMap(type: number, writable: boolean): HeaderMap | undefined {
    const logged = writable ? undefined : this.logged?.headerMap(type);
    return logged ?? super.headerMap(type, writable);
  }

  override property(path: readonly Uint8Array[]): PropertyAnswer {
    return this.logged?.property(path) ?? super.property(path);
  }

  protected override bufferOf(type: number): Body | undefined {
    if (type !== BufferType.PluginConfiguration) return super.bufferOf(type);
    return this.isConfiguring ? new Body(this.parts.configuration, true) : undefined;
  }

  /**
   * `proxy_set_tick_period_milliseconds`. Inside its own tick only the period changes: the timer is armed when the
   * callback has returned.
   *
   * Source: Envoy `source/extensions/common/wasm/wasm.cc` (setTimerPeriod, tickHandler).
   */
  armTimer(periodMs: number): void {
    this.#periodMs = periodMs;
    if (!this.#isTicking) this.#arm();
  }

  /** No tick comes of what was armed before. */
  disarm(): void {
    const booking = this.#timer?.booking;
    this.#timer = undefined;
    if (booking !== undefined) this.owner.thread.world.loop.cancel(booking);
  }

  /** The timer is due. Without an exported `proxy_on_tick` nothing is called, and it is not armed again. */
  onTimer(timer: TickTimer): void {
    if (timer !== this.#timer) return;
    this.#timer = undefined;
    const { owner } = this;
    if (this.isDeleted || owner.whyDead !== null || !owner.hasTick) return;
    const { world } = owner.thread;
    const lateNs = world.nowNs - timer.dueNs;
    if (lateNs > 0 || world.recorder.isFull) {
      world.recorder.record(this, "timer", HostEvent.tick, { late_ns: lateNs });
    }
    this.#isTicking = true;
    owner.callThen(this, "proxy_on_tick", [this.id], () => {
      this.#isTicking = false;
      this.#arm(timer);
    });
  }

  /** The armed timer is due now; false when there is none. */
  tickNow(): boolean {
    const timer = this.#timer;
    if (timer === undefined) return false;
    this.disarm();
    timer.dueNs = this.owner.thread.world.nowNs;
    this.#timer = timer;
    this.onTimer(timer);
    return true;
  }

  /** proxy_done: after the running callback a parked root is deleted. */
  finishParked(): StatusCode {
    if (!this.isParked) return Status.NotFound;
    this.isParked = false;
    this.owner.defer(() => this.owner.deleteRoot(this));
    return Status.Ok;
  }

  /** No tick and no answer any more. */
  release(reason: string): void {
    this.isDeleted = true;
    this.disarm();
    this.calls.release(reason);
    this.redis.release(reason);
  }

  #arm(spent?: TickTimer): void {
    this.disarm();
    if (this.isDeleted || this.owner.isDead()) return;
    const { world } = this.owner.thread;
    const dueNs = tickDueNs(world.nowNs, this.#periodMs, world.drawJitterNs());
    if (dueNs === undefined) return;
    const timer = spent ?? new TickTimer(this);
    timer.dueNs = dueNs;
    timer.wasLate = false;
    this.#timer = timer;
    timer.booking = world.schedule(timer, dueNs);
  }
}
