import type { CallRule, ProcessState, VmHost } from "../abi/vm-host.ts";
import { logLevelNames } from "../abi/enums.ts";
import { utf8 } from "../state/bytes.ts";
import type { TraceArgs, TraceSubject } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import { Random } from "../random.ts";
import type { CallOutcome, Instance } from "../vm/instance.ts";
import { Trap } from "../vm/trap.ts";
import { CallRing } from "../abi/call-ring.ts";
import { restrictsExport } from "../abi/capabilities.ts";
import { linkImports } from "../abi/link.ts";
import { VmContext, type Context } from "./context.ts";
import { instantiate } from "./instantiate.ts";
import type { RootContext } from "./root-context.ts";
import type { LogLevelName } from "./options.ts";
import type { Thread } from "./thread.ts";
import { trapReport } from "./trap-report.ts";
import type { VmGroup } from "./vm-group.ts";

export type VmKind = "base" | "canary" | "thread";

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
  #current: Context;
  #effective: Context | undefined;
  readonly #actions: (() => void)[] = [];
  #isGone = false;
  #isCounted = true;
  #nextId = 1;
  /** The last token of each kind, which its low two bits name: 0 HTTP call, 1 gRPC call, 2 gRPC stream, 3 Redis call. */
  readonly #tokens = [0, 1, 2, 3];
  #dnsToken = 1;

  constructor(parts: VmParts) {
    this.name = parts.name;
    this.kind = parts.kind;
    this.group = parts.group;
    this.thread = parts.thread;
    this.#identity = parts.identity;
    this.#vmContext = new VmContext(this, 0, parts.founder);
    this.#current = this.#vmContext;
    const { world } = parts.thread;
    world.recorder.record(this.#vmContext, "timer", HostEvent.vmCreated, { kind: parts.kind });
    world.wasmStatistics.onVmCreated();
    const { loaded, allowed } = parts.group;
    this.instance = instantiate(
      parts.thread,
      loaded,
      linkImports(loaded, world.options.profile, () => this, allowed),
      (name) => restrictsExport(allowed, name),
    );
    this.instance.onTrap = (trap) => this.#onTrap(trap);
    this.hasTick = this.instance.has("proxy_on_tick");
    const started = this.#runStart();
    if (!started) this.whyDead = "trapped";
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
    return this.thread.rules;
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
    const effective = this.#effective;
    if (effective === undefined) return this.#current;
    return this.contexts.get(effective.id) === effective ? effective : this.#current;
  }

  /** Whose callback runs, whatever effective context was set. */
  get current(): Context {
    return this.#current;
  }

  setEffectiveContext(id: number): boolean {
    if (id === 0) {
      this.#effective = undefined;
      return true;
    }
    const context = this.contexts.get(id);
    if (context === undefined) return false;
    this.#effective = context;
    return true;
  }

  subject(): TraceSubject {
    return this.actingContext();
  }

  nextContextId(): number {
    return this.#nextId++;
  }

  /** Each kind counts on its own, in steps of four. */
  nextCallToken(kind: 0 | 1 | 2 | 3): number {
    return (this.#tokens[kind]! += 4);
  }

  /** From 2 on. */
  nextDnsToken(): number {
    return ++this.#dnsToken;
  }

  /** A callback of it is running: what it causes from outside waits for its end. */
  get isRunning(): boolean {
    return this.#current !== this.#vmContext;
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

  /** Calls an export that is there, though the VM may have failed; else as `call`. */
  callAnyway(context: Context, callback: string, args: readonly number[]): number {
    const { recorder } = this.thread.world;
    const isTraced = recorder.wantsCall(callback);
    if (isTraced) recorder.record(context, "callback", callback, argsOf(callback, args));
    const current = this.#current;
    const effective = this.#effective;
    this.#current = context;
    this.#effective = undefined;
    let answer = 0;
    if (this.kind === "thread" && this.thread.traps.take(callback, context.plugin)) {
      this.#onTrap(new Trap(callback, "RuntimeError: unreachable"));
    } else {
      const outcome = this.#enter(callback, args, current, effective);
      if (outcome.ok) answer = outcome.value;
    }
    const isStopped = this.stopIteration;
    this.stopIteration = false;
    const isFailed = this.isDead();
    if (isFailed) context.onVmFailed();
    this.#current = current;
    this.#effective = effective;
    if (isTraced) recorder.record(context, "return", callback, noArguments, null, answer);
    if (this.#actions.length > 0) this.#drain();
    this.wasStopped = isStopped;
    this.wasFailed = isFailed;
    return answer;
  }

  /** An error of the host that goes through the guest leaves it in the middle of things: it is never called again. */
  #enter(
    callback: string,
    args: readonly number[],
    current: Context,
    effective: Context | undefined,
  ): CallOutcome {
    try {
      return this.instance.call(callback, args);
    } catch (error) {
      this.#die("trapped");
      this.thread.onVmFailed(this);
      this.#current = current;
      this.#effective = effective;
      throw error;
    }
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

  /** Nothing of it is called from now on: it crashed, or its last user is gone. */
  destroy(reason: "crashed" | "released" | "reloaded"): void {
    if (this.kind === "thread" && reason !== "crashed") this.#recordGone(reason);
    this.#die(reason);
    this.#leaveStatistics();
    if (reason !== "crashed") this.#releaseRoots(reason);
  }

  /** The thread crashed; answers to its calls are dropped when they come. */
  crash(): void {
    this.#recordGone("crashed");
    this.#die("crashed");
    this.#leaveStatistics();
  }

  /** A VM that trapped still counts as long as somebody holds it. */
  #leaveStatistics(): void {
    if (this.#isCounted) this.thread.world.wasmStatistics.onVmGone();
    this.#isCounted = false;
  }

  #die(reason: string): void {
    this.whyDead ??= reason;
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
    const outcome = this.instance.start();
    if (isTraced) this.thread.world.recorder.record(this.#vmContext, "return", "_initialize", {});
    return outcome.ok;
  }

  #onTrap(trap: Trap): void {
    const { world } = this.thread;
    const context = this.#current;
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

/** Names of what a callback is given, in order; the first is the context it is for. */
const argumentNames: Readonly<Record<string, readonly string[]>> = {
  proxy_on_context_create: ["parent"],
  proxy_on_vm_start: ["size"],
  proxy_on_configure: ["size"],
  proxy_on_request_headers: ["headers", "end_of_stream"],
  proxy_on_response_headers: ["headers", "end_of_stream"],
  proxy_on_request_body: ["size", "end_of_stream"],
  proxy_on_response_body: ["size", "end_of_stream"],
  proxy_on_request_trailers: ["trailers"],
  proxy_on_response_trailers: ["trailers"],
  proxy_on_http_call_response: ["token", "headers", "body_size", "trailers"],
  proxy_on_redis_call_response: ["token", "status", "size"],
  proxy_on_grpc_receive_initial_metadata: ["token", "headers"],
  proxy_on_grpc_receive: ["token", "size"],
  proxy_on_grpc_receive_trailing_metadata: ["token", "trailers"],
  proxy_on_grpc_close: ["token", "status"],
  envoy_on_resolve_dns: ["token", "size"],
  proxy_on_queue_ready: ["token"],
};

const noArguments: TraceArgs = {};

function argsOf(callback: string, args: readonly number[]): TraceArgs {
  const names = argumentNames[callback];
  if (names === undefined) return noArguments;
  return Object.fromEntries(names.map((name, index) => [name, args[index + 1] ?? 0]));
}
