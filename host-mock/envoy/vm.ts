import type { CallRule, ProcessState, VmHost } from "../abi/vm-host.ts";
import { logLevelNames } from "../abi/enums.ts";
import { utf8 } from "../state/bytes.ts";
import type { TraceSubject } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import { Random } from "../random.ts";
import type { CallOutcome, Instance } from "../vm/instance.ts";
import { GuestHalted, Trap } from "../vm/trap.ts";
import { CallRing } from "../abi/call-ring.ts";
import { CallTokens } from "./call-tokens.ts";
import { callbackArgs, noArguments } from "./callback-args.ts";
import { VmContext, type Context } from "./context.ts";
import { haltedRules } from "./halted.ts";
import { instantiate, starts } from "./instantiate.ts";
import type { RootContext } from "./root-context.ts";
import type { LogLevelName } from "./options.ts";
import { nothing, type Running } from "./running.ts";
import type { Thread } from "./thread.ts";
import { trapReport } from "./trap-report.ts";
import type { VmGroup } from "./vm-group.ts";

export type VmKind = "base" | "canary" | "thread";

const pausable = "proxy_on_tick and callbacks that bring a root an answer can";

export interface VmParts {
  readonly kind: VmKind;
  readonly group: VmGroup;
  readonly thread: Thread;
  /** `THREAD#INCARNATION`, `main#base`, `main#canary`. */
  readonly name: string;
  /** Names of its stream of random bytes. */
  readonly identity: readonly string[];
  /** The plugin it is made for. */
  readonly founder: string;
}

/**
 * One VM on a thread: its contexts, who is acting, and what waits for the running callback to return.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc`, `include/proxy-wasm/wasm.h` (SaveRestoreContext, DeferAfterCallActions).
 */
export class Vm implements VmHost {
  readonly name: string;
  readonly kind: VmKind;
  readonly group: VmGroup;
  readonly thread: Thread;
  readonly instance: Instance;
  readonly calls = new CallRing();
  readonly contexts = new Map<number, Context>();
  readonly tokens = new CallTokens();
  readonly hasTick: boolean;
  /** Set by a local response; overrides what the running callback answers. */
  stopIteration = false;
  /** Whether the last callback that returned was stopped so. */
  wasStopped = false;
  /** Whether the VM had failed when the last callback returned, before what it deferred. */
  wasFailed = false;
  /** Set when the VM is gone, or will never be called again: "crashed", "trapped", "released". */
  whyDead: string | null = null;
  /** A plugin has asked for a new VM (Higress' property `wasm_need_rebuild`). */
  needsRebuild = false;
  /** Plugin handles of this thread that hold it, parked roots not counted. */
  userCount = 0;
  readonly #vmContext: VmContext;
  readonly #identity: readonly string[];
  #random: Random | undefined;
  /** The innermost callback under way; undefined while the guest runs none. */
  #running: Running | undefined;
  /** It was left in the middle of that callback, and its thread stands still. */
  #isLeft = false;
  /** The guest must not go on, whatever it runs. */
  #isHalted = false;
  readonly #actions: (() => void)[] = [];
  #isGone = false;
  #isCounted = true;
  #nextId = 1;

  constructor(parts: VmParts) {
    this.name = parts.name;
    this.kind = parts.kind;
    this.group = parts.group;
    this.thread = parts.thread;
    this.#identity = parts.identity;
    this.#vmContext = new VmContext(this, 0, parts.founder);
    const { world } = parts.thread;
    world.recorder.record(this.#vmContext, "timer", HostEvent.vmCreated, { kind: parts.kind });
    world.wasmStatistics.onVmCreated();
    this.instance = instantiate(this);
    this.instance.onTrap = (trap) => this.#onTrap(trap);
    this.hasTick = this.instance.has("proxy_on_tick");
    const started = this.#runStart();
    if (!started) this.whyDead ??= "trapped";
  }

  get process(): ProcessState {
    return this.thread.world;
  }

  get vmId(): string {
    return this.group.vmId;
  }

  /** All VMs of a configuration have their metrics in common. */
  get metricsScope(): object {
    return this.group;
  }

  get vmConfiguration(): Uint8Array {
    return this.group.vmConfiguration;
  }

  get environment(): readonly (readonly [string, string])[] {
    return this.group.environment;
  }

  get rules(): readonly CallRule[] {
    return this.#isHalted ? haltedRules : this.thread.rules;
  }

  /** The next gift of the host finds no memory, as a fault wants it. */
  failsAllocation(): boolean {
    return this.thread.failsAllocation(this);
  }

  randomBytes(into: Uint8Array): void {
    this.#random ??= new Random(this.thread.world.options.seed, "vm", ...this.#identity);
    this.#random.fill(into);
  }

  /**
   * The effective context only counts while it is a live one of this VM. What runs in the allocator is the VM's own,
   * whatever callback is around it.
   */
  actingContext(): Context {
    if (this.instance.phase === "allocator") return this.#vmContext;
    const running = this.#running;
    if (running === undefined) return this.#vmContext;
    const { context, effective } = running;
    if (effective === undefined) return context;
    return this.contexts.get(effective.id) === effective ? effective : context;
  }

  /** Whose callback runs, whatever effective context was set. */
  get current(): Context {
    return this.#running?.context ?? this.#vmContext;
  }

  setEffectiveContext(id: number): boolean {
    const context = id === 0 ? undefined : this.contexts.get(id);
    if (id !== 0 && context === undefined) return false;
    if (this.#running !== undefined) this.#running.effective = context;
    return true;
  }

  subject(): TraceSubject {
    return this.actingContext();
  }

  nextContextId(): number {
    return this.#nextId++;
  }

  /** A callback of it is running: what it causes from outside waits for its end. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Runs after the callback that is running now, or at once when none is. */
  defer(action: () => void): void {
    this.#actions.push(action);
  }

  /**
   * A callback. What it answered, 0 when it trapped, or `absent` when the VM is dead or does not export it. Actions
   * that it deferred have run when this returns; `wasStopped` says whether a local response overrides the answer.
   */
  call(context: Context, callback: string, args: readonly number[], absent = 0): number {
    this.wasStopped = false;
    this.wasFailed = this.isDead();
    if (this.wasFailed || !this.instance.has(callback)) return absent;
    return this.callAnyway(context, callback, args);
  }

  /**
   * A callback of a root whose answer nobody waits for, and what comes after it: at once, or, where the thread is paused
   * inside the callback, when that has gone on to its end.
   */
  callThen(context: Context, callback: string, args: readonly number[], after = nothing): void {
    this.wasStopped = false;
    this.wasFailed = this.isDead();
    if (!this.wasFailed && this.instance.has(callback)) {
      this.callAnyway(context, callback, args, after);
      if (this.#isLeft) return;
    }
    after();
  }

  /** Calls an export that is there, though the VM may have failed; else as `call`. */
  callAnyway(
    context: Context,
    callback: string,
    args: readonly number[],
    after?: () => void,
  ): number {
    if (this.#isLeft) {
      // Only a client that goes away reaches a guest that stands in the middle of a callback.
      this.defer(() => this.call(context, callback, args));
      return 0;
    }
    const { recorder } = this.thread.world;
    const isTraced = recorder.wantsCall(callback);
    if (isTraced) recorder.record(context, "callback", callback, callbackArgs(callback, args));
    const outer = this.#running;
    const running: Running = { context, effective: undefined, callback, isTraced, after, outer };
    this.#running = running;
    if (this.kind === "thread" && this.thread.traps.take(callback, context.plugin)) {
      this.#onTrap(new Trap(callback, "RuntimeError: unreachable"));
      return this.#returned(running, 0);
    }
    return this.#enter(running, args);
  }

  /** Why its thread cannot be paused inside what runs now; null where it can. */
  get whyUnpausable(): string | null {
    const running = this.#running;
    if (running === undefined) return `a VM that starts cannot be paused inside; ${pausable}`;
    if (running.after === undefined)
      return `${running.callback} cannot be paused inside, its answer is needed at once; ${pausable}`;
    return running.outer !== undefined || this.instance.phase === "allocator"
      ? `${running.callback} runs inside another call here, and cannot be paused inside`
      : null;
  }

  /** Goes on with the callback in whose middle the guest was left; then comes what waited for its end. */
  goOn(): void {
    const running = this.#running!;
    this.#isLeft = false;
    this.#enter(running, null);
    if (!this.#isLeft) running.after?.();
  }

  /** The callback that runs traps here and now, inside a host call. */
  trapHere(): never {
    this.#onTrap(new Trap(this.#running?.callback ?? "", "RuntimeError: unreachable"));
    this.#isHalted = true;
    throw new GuestHalted();
  }

  /**
   * Runs the guest, with null from where it was left. An error of the host that goes through it leaves it in the middle
   * of things: it is never called again.
   */
  #enter(running: Running, args: readonly number[] | null): number {
    const { instance } = this;
    let outcome: CallOutcome;
    try {
      outcome = args === null ? instance.resume() : instance.call(running.callback, args);
    } catch (error) {
      if (error instanceof GuestHalted) return this.#returned(running, 0);
      this.#die("trapped");
      this.thread.onVmFailed(this);
      this.#running = running.outer;
      throw error;
    }
    if (!outcome.ok) return this.#returned(running, 0);
    if (outcome.isSuspended !== true) return this.#returned(running, outcome.value);
    this.#isLeft = true;
    return 0;
  }

  /** The callback is over, unless its thread has crashed under it: then it never returned. */
  #returned({ context, callback, isTraced, outer }: Running, answer: number): number {
    const isStopped = this.stopIteration;
    this.stopIteration = false;
    const isFailed = this.isDead();
    if (isFailed) context.onVmFailed();
    this.#running = outer;
    if (isTraced && this.whyDead !== "crashed")
      this.thread.world.recorder.record(context, "return", callback, noArguments, null, answer);
    if (this.#actions.length > 0) this.#drain();
    this.wasStopped = isStopped;
    this.wasFailed = isFailed;
    return answer;
  }

  isDead(): boolean {
    return this.whyDead !== null;
  }

  /** on_delete, and the root is no context of this VM any more. */
  deleteRoot(root: RootContext): void {
    if (root.isDeleted) return;
    const { recorder } = this.thread.world;
    this.call(root, "proxy_on_delete", [root.id]);
    root.release("deleted");
    this.contexts.delete(root.id);
    recorder.record(root, "timer", HostEvent.contextDeleted, {});
  }

  /** A line of the host itself, unless the logger's level drops it. */
  say(level: LogLevelName, line: string, context: Context): void {
    const { recorder, logLevel } = this.thread.world;
    if (logLevelNames.indexOf(level) < logLevel) return;
    recorder.record(context, "log", level, {
      message: utf8(line),
      root: context.rootId,
      host: true,
    });
  }

  /** Nothing of it is called from now on: its last user is gone. */
  destroy(reason: "released" | "reloaded"): void {
    if (this.kind === "thread") this.#recordGone(reason);
    this.#goAway(reason);
    this.#releaseRoots(reason);
  }

  /** The thread crashed; answers to its calls are dropped when they come. A guest that runs does not go on. */
  crash(): void {
    this.#recordGone("crashed");
    this.#isHalted = true;
    this.#goAway("crashed");
  }

  /** A VM that trapped still counts as long as somebody holds it. */
  #goAway(reason: string): void {
    this.#die(reason);
    if (this.#isCounted) this.thread.world.wasmStatistics.onVmGone();
    this.#isCounted = false;
  }

  #die(reason: string): void {
    this.whyDead ??= reason;
    if (this.#isLeft) {
      this.#isLeft = false;
      this.#running = undefined;
      this.instance.abandon();
    }
    this.thread.world.sharedQueues.forget(this);
    for (const context of this.contexts.values())
      if (context.root === context) context.root.disarm();
  }

  #releaseRoots(reason: string): void {
    for (const context of this.contexts.values()) {
      if (context.root === context) context.root?.release(reason);
    }
    this.contexts.clear();
  }

  /** The plugins that live in it: one VM may serve several. */
  get plugins(): string[] {
    const names = new Set([this.#vmContext.plugin]);
    for (const context of this.contexts.values()) names.add(context.plugin);
    return [...names];
  }

  #recordGone(reason: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const subject = { thread: this.thread.name, vm: this.name, plugin: "", context: 0 };
    const { plugins } = this;
    this.thread.world.recorder.record(subject, "timer", HostEvent.vmGone, { reason, plugins });
  }

  /** First in, first out, with what comes meanwhile; a callback that an action causes works on the same queue. */
  #drain(): void {
    for (let action = this.#actions.shift(); action !== undefined; action = this.#actions.shift())
      action();
  }

  #runStart(): boolean {
    const isTraced = this.thread.world.recorder.wantsCall("_initialize");
    if (isTraced) this.thread.world.recorder.record(this.#vmContext, "callback", "_initialize", {});
    const isOk = starts(this.instance);
    if (isTraced) this.thread.world.recorder.record(this.#vmContext, "return", "_initialize", {});
    return isOk;
  }

  #onTrap(trap: Trap): void {
    const { world } = this.thread;
    const context = this.current;
    this.say("error", trap.text(), context);
    if (this.whyDead !== null) return;
    this.#die("trapped");
    world.recorder.record(context, "trap", trap.exportName, {
      ...trapReport(trap, this.group.loaded, this.calls),
      root: context.rootId,
      plugins: this.plugins,
    });
    this.thread.onVmFailed(this);
  }
}
