import { BufferType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import type { HttpCallRequest } from "../abi/vm-host.ts";
import type { CallAnswer, Caller, HttpCall } from "../http/callout.ts";
import type { Lane } from "../http/scheduler.ts";
import { Body } from "../state/body.ts";
import { noBytes, utf8 } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { tickDueNs } from "../time/timers.ts";
import { HostEvent } from "../trace/names.ts";
import { Context } from "./context.ts";
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

const brokenConnection = 11;

/** A plugin context: ticks, HTTP calls, and the plugin's configuration while it is being configured. */
export class RootContext extends Context implements Caller {
  readonly parts: RootParts;
  /** The plugin configuration can be read now. */
  isConfiguring = false;
  /** proxy_on_done answered 0, and the VM had another user: waits for proxy_done. */
  isParked = false;
  isDeleted = false;
  /** The answer that the running `proxy_on_http_call_response` is about. */
  callAnswer: { readonly headers: HeaderMap; readonly body: Body } | undefined;
  /** Source: Envoy `context.cc` (onHttpCallFailure): the code stays, the message is cleared after the callback. */
  lastFailure: { readonly code: number; readonly message: Uint8Array } | undefined;
  #periodMs = 0;
  #timer: TickTimer | undefined;
  #isTicking = false;
  #calls: Set<HttpCall> | undefined;

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

  get unreachable(): string | null {
    return this.owner.whyDead ?? (this.isDeleted ? "deleted" : null);
  }

  override buffer(type: number): Body | undefined {
    if (type !== BufferType.PluginConfiguration) return super.buffer(type);
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
    owner.call(this, "proxy_on_tick", [this.id]);
    this.#isTicking = false;
    this.#arm(timer);
  }

  dispatchCall(from: Context, request: HttpCallRequest): { status: StatusCode; token: number } {
    const { thread } = this.owner;
    const { status, token, call } = thread.world.callouts.dispatch(this, from, request, (cluster) =>
      thread.heldNs(cluster),
    );
    if (call !== undefined) (this.#calls ??= new Set()).add(call);
    return { status, token };
  }

  nextCallToken(): number {
    return this.owner.nextCallToken();
  }

  onCallAnswered(call: HttpCall, answer: CallAnswer): void {
    this.#calls?.delete(call);
    const { owner } = this;
    if (answer === null) {
      this.lastFailure = { code: brokenConnection, message: utf8("reset") };
      owner.call(this, "proxy_on_http_call_response", [this.id, call.token, 0, 0, 0]);
      this.lastFailure = { code: brokenConnection, message: noBytes };
      return;
    }
    this.callAnswer = { headers: answer.headers, body: new Body(answer.body, true) };
    owner.call(this, "proxy_on_http_call_response", [
      this.id,
      call.token,
      answer.headers.count,
      answer.body.length,
      0,
    ]);
    this.callAnswer = undefined;
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
    if (this.#calls === undefined) return;
    for (const call of this.#calls) this.owner.thread.world.callouts.cancel(call, reason);
    this.#calls.clear();
  }

  #arm(spent?: TickTimer): void {
    this.disarm();
    if (this.isDeleted || this.owner.isDead()) return;
    const { world } = this.owner.thread;
    const dueNs = tickDueNs(world.nowNs, this.#periodMs, world.drawJitterNs());
    if (dueNs === undefined) return;
    const timer = spent ?? new TickTimer(this);
    timer.dueNs = dueNs;
    this.#timer = timer;
    timer.booking = world.schedule(timer, dueNs);
  }
}
