import { MockHostError } from "../errors.ts";
import type { ProcessState } from "../abi/vm-host.ts";
import { unknownName } from "../did-you-mean.ts";
import { Callouts } from "../http/callout.ts";
import type { Exchange, RequestOptions } from "../http/exchange.ts";
import type { DueEvent, Scheduler } from "../http/scheduler.ts";
import { HttpStream } from "../http/stream.ts";
import { Random } from "../random.ts";
import { Metrics } from "../state/metrics.ts";
import { SharedData } from "../state/shared-data.ts";
import { SharedQueues } from "../state/shared-queue.ts";
import { Clock } from "../time/clock.ts";
import { formatDuration } from "../time/duration.ts";
import { EventClass, type EventClassCode } from "../time/event-queue.ts";
import type { TraceArgs, TraceValue } from "../trace/event.ts";
import { HostEvent, type FaultName } from "../trace/names.ts";
import { Recorder } from "../trace/recorder.ts";
import { filterFor } from "./failure-policy.ts";
import { requireBase, runCanary } from "./lifecycle.ts";
import { Loop, type Booking } from "./loop.ts";
import { loadPlugins } from "./load-plugins.ts";
import type { MockEnvoyOptions } from "./options.ts";
import { uuidOf } from "./request-id.ts";
import type { Plugin } from "./plugin.ts";
import {
  resolveOptions,
  resolvePlugins,
  type ResolvedOptions,
  type ResolvedPlugin,
} from "./resolved.ts";
import { runEndedArgs } from "./run-ended.ts";
import { Thread } from "./thread.ts";
import { ThreadEvent } from "./thread-event.ts";
import type { Vm } from "./vm.ts";

interface PendingReconfiguration {
  readonly name: string;
  readonly note: TraceArgs;
  readonly atNs: number;
}

/** One Envoy: what all its threads share, and how it comes up. */
export class EnvoyProcess implements ProcessState, Scheduler {
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly sharedData = new SharedData();
  readonly sharedQueues = new SharedQueues();
  readonly metrics = new Metrics();
  readonly logLevel: number;
  readonly callCostNs: number;
  readonly callouts: Callouts;
  readonly plugins: readonly Plugin[];
  readonly threads: readonly Thread[];
  readonly exchanges: HttpStream[] = [];
  readonly loop: Loop;
  readonly #byName = new Map<string, Thread>();
  readonly #draws: Random;
  readonly #requestIds: Random;
  readonly #clusterNames: readonly string[];
  /** Asked for, and main has not come to them yet. */
  readonly #reconfigurations = new Set<PendingReconfiguration>();
  #isOpen = false;
  #isStarting = false;
  #hasComeUp = false;
  #hasRefused = false;
  #hasEnded = false;

  constructor(options: MockEnvoyOptions) {
    this.options = resolveOptions(options);
    const { seed, startWallNs, allowUndeclared } = this.options;
    const specs = resolvePlugins(options.plugins);
    this.logLevel = this.options.logLevel;
    this.callCostNs = this.options.callCostNs;
    this.clock = new Clock({ startWallNs });
    this.recorder = new Recorder(this.clock, {
      detail: options.trace ?? "outcome",
      ...(alsoCallsOf(options, specs) ?? {}),
    });
    this.loop = new Loop(this.clock, new Random(seed, "order"), 1 + this.options.concurrency);
    this.#draws = new Random(seed, "draws");
    this.#requestIds = new Random(seed, "requests");
    const clusters = options.clusters ?? {};
    this.#clusterNames = Object.keys(clusters);
    this.callouts = new Callouts({
      scheduler: this,
      recorder: this.recorder,
      clusters,
      allowUndeclared,
    });
    this.plugins = loadPlugins(options.plugins, specs, this.options);
    this.threads = [
      new Thread("main", this),
      ...Array.from(
        { length: this.options.concurrency },
        (_, index) => new Thread(`worker_${index}`, this),
      ),
    ];
    for (const thread of this.threads) this.#byName.set(thread.name, thread);
    this.sharedQueues.onReady = (token, target) =>
      this.#onQueueReady(token, target.owner as Vm, target.rootId);
  }

  get nowNs(): number {
    return this.clock.nowNs;
  }

  get main(): Thread {
    return this.threads[0]!;
  }

  /** The main thread has started its plugins once: there are threads that a fault can hit. */
  get hasComeUp(): boolean {
    return this.#hasComeUp;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  schedule(event: DueEvent, dueNs: number, tie?: number): Booking {
    return this.loop.schedule(event, dueNs, tie);
  }

  /** E_UNKNOWN_NAME, with the nearest name. */
  thread(name: string): Thread {
    const found = this.#byName.get(name);
    if (found !== undefined) return found;
    throw unknownName("thread", name, [...this.#byName.keys()]);
  }

  plugin(name: string): Plugin {
    const found = this.plugins.find((plugin) => plugin.name === name);
    if (found !== undefined) return found;
    throw unknownName(
      "plugin",
      name,
      this.plugins.map((plugin) => plugin.name),
    );
  }

  requireCluster(name: string): void {
    if (this.options.allowUndeclared || this.#clusterNames.includes(name)) return;
    throw unknownName("cluster", name, this.#clusterNames);
  }

  /** [0, 1). */
  drawUnit(): number {
    return this.#draws.unit();
  }

  drawJitterNs(): number {
    const { tickJitterNs } = this.options;
    return tickJitterNs === 0 ? 0 : this.#draws.below(tickJitterNs + 1);
  }

  /** A place among the drawn ties of an instant that no draw hits. */
  drawWaitingTie(): number {
    return this.#draws.uint32() + 0.5;
  }

  /** The first thing that happens: begins the trace and asks for the start-up. E_STATE after the end. */
  open(): void {
    if (this.#hasEnded) {
      throw new MockHostError("E_STATE", "the run has ended", { remedy: "make a new MockEnvoy" });
    }
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { seed, profile, concurrency, startWallNs } = this.options;
    this.recordHost(HostEvent.runStarted, {
      seed,
      profile: profile.name,
      concurrency,
      start_ns: startWallNs,
    });
  }

  /** Runs events of this instant and the start-up, if it has not been. */
  start(): void {
    if (this.requestStart()) this.loop.settle(EventClass.startUp);
  }

  /** Asks for the start-up; false when it was asked for before. */
  requestStart(): boolean {
    this.open();
    if (this.#isStarting) return false;
    this.#isStarting = true;
    this.schedule(
      new ThreadEvent(this.main, EventClass.startUp, () => this.#startMain()),
      this.nowNs,
    );
    return true;
  }

  /** Called from outside, what was asked for happens before the call returns; inside the loop it comes in its turn. */
  settleUnlessRunning(classMax: EventClassCode): void {
    if (!this.loop.isRunning) this.loop.settle(classMax);
  }

  request(thread: Thread, request: RequestOptions): Exchange {
    this.open();
    if (!this.loop.isRunning) this.start();
    const stream = new HttpStream({
      id: this.exchanges.length + 1,
      lane: thread,
      scheduler: this,
      recorder: this.recorder,
      request,
      requestId: uuidOf(this.#requestIds),
      wallClock: this.clock,
    });
    this.exchanges.push(stream);
    if (this.#hasRefused) {
      stream.abandon();
      return stream;
    }
    const begin = () => stream.begin(this.#filters(thread, stream));
    const arrival = new ThreadEvent(thread, EventClass.answer, () => thread.whenUp(begin));
    if (thread.isPaused || thread.waiting.has(EventClass.answer))
      this.schedule(arrival, this.nowNs);
    else arrival.run();
    this.settleUnlessRunning(EventClass.answer);
    return stream;
  }

  /** A new configuration: canary first, then each thread in its loop; a refused one changes nothing. */
  reconfigure(name: string, configuration: Uint8Array, note: TraceArgs): void {
    const plugin = this.plugin(name);
    this.open();
    const asked = { name, note, atNs: this.nowNs };
    this.#reconfigurations.add(asked);
    const event = new ThreadEvent(this.main, EventClass.startUp, () => {
      this.#reconfigurations.delete(asked);
      this.#reconfigure(plugin, configuration, note);
    });
    this.schedule(event, this.nowNs);
    this.settleUnlessRunning(EventClass.startUp);
  }

  /** SIGTERM: on_done and on_delete on each worker, then on main. Then the run has ended. */
  shutDown(): void {
    this.open();
    for (const thread of this.threads.slice(1)) thread.shutDown();
    this.main.shutDown();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.open();
    for (const { name, note, atNs } of this.#reconfigurations) {
      const result = `asked for at ${formatDuration(atNs)}, and main stood still to the end of the run`;
      this.recordVerb("reconfigure", note, { plugin: name, status: "not_applied", result });
    }
    this.recordHost(HostEvent.runEnded, runEndedArgs(this));
    this.#hasEnded = true;
  }

  recordHost(name: string, args: TraceArgs): void {
    this.recorder.record({ thread: "", vm: "", plugin: "", context: 0 }, "timer", name, args);
  }

  recordOf(thread: Thread, name: string, args: TraceArgs): void {
    this.recorder.record(
      { thread: thread.name, vm: "", plugin: "", context: 0 },
      "timer",
      name,
      args,
    );
  }

  /** `why` is null for a fault that happens; returns whether it does. */
  recordFault(
    name: FaultName | (string & {}),
    args: TraceArgs,
    thread: string,
    why: string | null,
  ): boolean {
    const status = why === null ? "applied" : "not_applied";
    this.recordVerb(name, args, { thread, status, result: why });
    return why === null;
  }

  recordVerb(
    name: string,
    args: TraceArgs,
    outcome: { thread?: string; plugin?: string; status: string; result?: TraceValue },
  ): void {
    const { thread = "", plugin = "", status, result = null } = outcome;
    this.recorder.record(
      { thread, vm: "", plugin, context: 0 },
      "fault",
      name,
      args,
      status,
      result,
    );
  }

  #startMain(): void {
    for (const plugin of this.plugins) {
      requireBase(this.main, plugin);
      const canary = runCanary(this.main, plugin, plugin.current);
      if (!canary.isOk) {
        this.#refuseStart(plugin, canary.lastLine);
        return;
      }
      this.main.startPlugin(plugin);
    }
    this.main.isUp = true;
    this.#hasComeUp = true;
    for (const worker of this.threads.slice(1)) worker.scheduleStartUp(1 + this.#draws.uint32());
  }

  #refuseStart(plugin: Plugin, lastLine: string): void {
    this.#hasRefused = true;
    for (const thread of this.threads) thread.discard();
    if (this.options.allowRefusedStart) return;
    const said = lastLine === "" ? "and logged nothing" : `its last log line: ${lastLine}`;
    throw new MockHostError("E_PLUGIN_START", `plugin ${plugin.name} refused to start, ${said}`, {
      remedy: "correct its configuration or code; a real Envoy rejects it too",
    });
  }

  #reconfigure(plugin: Plugin, configuration: Uint8Array, note: TraceArgs): void {
    if (this.#hasRefused) {
      this.recordVerb("reconfigure", note, {
        plugin: plugin.name,
        status: "not_applied",
        result: "nothing runs",
      });
      return;
    }
    const generation = { number: plugin.current.number + 1, configuration };
    const base = plugin.group.hasFailed ? "a VM of this code refused to start earlier" : null;
    const canary = base === null ? runCanary(this.main, plugin, generation) : null;
    if (canary === null || !canary.isOk) {
      const result = canary?.lastLine ?? base;
      this.recordVerb("reconfigure", note, { plugin: plugin.name, status: "refused", result });
      return;
    }
    this.recordVerb("reconfigure", note, { plugin: plugin.name, status: "applied" });
    plugin.current = generation;
    const drainedNs = this.nowNs + this.options.drainNs;
    this.main.replace(plugin, generation, drainedNs);
    for (const worker of this.threads.slice(1)) {
      const event = new ThreadEvent(worker, EventClass.startUp, () =>
        worker.replace(plugin, generation, drainedNs),
      );
      this.schedule(event, this.nowNs, 1 + this.#draws.uint32());
    }
  }

  #filters(thread: Thread, stream: HttpStream) {
    return this.plugins
      .filter((plugin) => plugin.spec.kind === "http")
      .map((plugin) => filterFor(thread, plugin, stream))
      .filter((filter) => filter !== null);
  }

  #onQueueReady(token: number, vm: Vm, rootId: number): void {
    const event = new ThreadEvent(vm.thread, EventClass.answer, () => {
      const root = vm.contexts.get(rootId);
      if (root !== undefined) vm.call(root, "proxy_on_queue_ready", [rootId, token]);
    });
    this.schedule(event, this.nowNs);
  }
}

/** Lease witnesses read the calls on shared data. */
function alsoCallsOf(
  options: MockEnvoyOptions,
  specs: readonly ResolvedPlugin[],
): { alsoCalls: ReadonlySet<string> } | undefined {
  const names = new Set(options.alsoCalls ?? []);
  if (specs.some(({ witness }) => witness === "lease")) {
    names.add("proxy_get_shared_data").add("proxy_set_shared_data");
  }
  return names.size === 0 ? undefined : { alsoCalls: names };
}
