import { MockHostError } from "../errors.ts";
import type { ProcessState } from "../abi/vm-host.ts";
import { unknownName } from "../did-you-mean.ts";
import { Callouts } from "../http/callout.ts";
import { Clusters } from "../http/clusters.ts";
import { DnsResolver } from "../http/dns.ts";
import { GrpcCalls } from "../http/grpc-calls.ts";
import { RedisCalls } from "../http/redis-calls.ts";
import type { Exchange, RequestOptions } from "../http/exchange.ts";
import { resolveListeners, type ResolvedListener } from "../http/listener-options.ts";
import type { DueEvent, Scheduler } from "../http/scheduler.ts";
import { HttpStream } from "../http/stream.ts";
import { Random } from "../random.ts";
import { Metrics } from "../state/metrics.ts";
import { SharedData } from "../state/shared-data.ts";
import { SharedQueues } from "../state/shared-queue.ts";
import type { Connection } from "../tcp/connection.ts";
import { Clock } from "../time/clock.ts";
import { formatDuration } from "../time/duration.ts";
import { EventClass, type EventClassCode } from "../time/event-queue.ts";
import { Chronicle } from "../trace/chronicle.ts";
import type { TraceArgs, TraceValue } from "../trace/event.ts";
import { HostEvent, type FaultName } from "../trace/names.ts";
import { Recorder } from "../trace/recorder.ts";
import { Loop, type Booking } from "./loop.ts";
import { loadPlugins } from "./load-plugins.ts";
import type { MockEnvoyOptions } from "./options.ts";
import { uuidOf } from "./request-id.ts";
import type { Plugin } from "./plugin.ts";
import { Placements } from "./placements.ts";
import { PluginChains } from "./plugin-chains.ts";
import {
  resolveOptions,
  resolvePlugins,
  type ResolvedOptions,
  type ResolvedPlugin,
} from "./resolved.ts";
import { runEndedArgs } from "./run-ended.ts";
import { startMain, startOrder } from "./start-up.ts";
import { StatsFlush } from "./stats-sink.ts";
import { WasmStatistics } from "./stats.ts";
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
  readonly sharedData: SharedData;
  readonly sharedQueues = new SharedQueues();
  readonly metrics: Metrics;
  readonly wasmStatistics = new WasmStatistics();
  readonly logLevel: number;
  readonly callCostNs: number;
  readonly clusters: Clusters;
  readonly callouts: Callouts;
  readonly grpcCalls: GrpcCalls;
  readonly redisCalls: RedisCalls;
  readonly dns: DnsResolver;
  /** In the order of the options. */
  readonly plugins: readonly Plugin[];
  readonly startOrder: readonly Plugin[];
  readonly listeners: ReadonlyMap<string, ResolvedListener>;
  readonly placements: Placements;
  readonly threads: readonly Thread[];
  readonly exchanges = new Chronicle<HttpStream>();
  readonly connections = new Chronicle<Connection>();
  readonly loop: Loop;
  /** A plugin refused to start: nothing runs. */
  hasRefused = false;
  readonly #statsFlush = new StatsFlush(this);
  readonly #byName = new Map<string, Thread>();
  readonly #draws: Random;
  readonly #requestIds: Random;
  readonly #clusterNames: readonly string[];
  readonly #firstListener: ResolvedListener | undefined;
  readonly #chains = new PluginChains(this);
  /** Asked for, and main has not come to them yet. */
  readonly #reconfigurations = new Set<PendingReconfiguration>();
  #isOpen = false;
  #isStarting = false;
  #hasComeUp = false;
  #hasEnded = false;

  constructor(options: MockEnvoyOptions) {
    this.options = resolveOptions(options);
    const { seed, startWallNs, allowUndeclared } = this.options;
    const specs = resolvePlugins(options.plugins);
    this.metrics = new Metrics(() => this.clock.nowNs, this.options.statsFlushNs);
    this.sharedData = new SharedData(this.options.profile.sharedData);
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
    this.clusters = new Clusters(this.recorder, clusters, allowUndeclared);
    const upstreams = { scheduler: this, recorder: this.recorder, clusters: this.clusters };
    this.callouts = new Callouts(upstreams);
    this.grpcCalls = new GrpcCalls(upstreams);
    this.redisCalls = new RedisCalls({
      ...upstreams,
      clusters,
      allowUndeclared,
      nowMs: () => Number(startWallNs / 1_000_000n) + Math.floor(this.nowNs / 1e6),
    });
    this.dns = new DnsResolver(this, options.dns ?? {});
    this.listeners = resolveListeners(options.listeners, specs);
    [this.#firstListener] = this.listeners.values();
    this.plugins = loadPlugins(options.plugins, specs, this.options);
    this.startOrder = startOrder(this.plugins, this.listeners.values());
    this.placements = new Placements(this);
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

  cancel(booking: Booking): void {
    this.loop.cancel(booking);
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

  /** Among equals of an instant. */
  drawTie(): number {
    return 1 + this.#draws.uint32();
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
      id: this.exchanges.nextId(),
      lane: thread,
      scheduler: this,
      recorder: this.recorder,
      listener: this.#listener(request.listener),
      request,
      requestId: uuidOf(this.#requestIds),
      wallClock: this.clock,
    });
    this.exchanges.add(stream);
    if (this.hasRefused) {
      stream.abandon();
      return stream;
    }
    const begin = () =>
      stream.begin(() => this.#chains.filters(thread, this.#listener(stream.listener), stream));
    if (thread.isPaused || thread.waiting.has(EventClass.answer)) {
      const arrival = new ThreadEvent(thread, EventClass.answer, () => thread.whenUp(begin));
      this.schedule(arrival, this.nowNs);
    } else thread.whenUp(begin);
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
      this.placements.reconfigure(plugin, configuration, note);
    });
    this.schedule(event, this.nowNs);
    this.settleUnlessRunning(EventClass.startUp);
  }

  /** SIGTERM: on_done and on_delete on each worker, then on main. Then the run has ended. */
  shutDown(): void {
    this.open();
    for (const thread of this.threads.slice(1)) thread.shutDown();
    this.#statsFlush.flush();
    this.main.shutDown();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.open();
    for (const { points } of this.threads) points.clear("by the end of the run");
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
    const { thread = "", plugin = "", result = null } = outcome;
    const isMissed = outcome.status === "not_applied" && args["may_miss"] === true;
    const status = isMissed ? "skipped" : outcome.status;
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
    if (!startMain(this)) return;
    this.#hasComeUp = true;
    this.#statsFlush.begin();
    for (const worker of this.threads.slice(1)) worker.scheduleStartUp(this.drawTie());
  }

  /** The one of that name, or the first; E_UNKNOWN_NAME. */
  #listener(name?: string): ResolvedListener {
    const found = name === undefined ? this.#firstListener : this.listeners.get(name);
    if (found === undefined) throw unknownName("listener", name ?? "", [...this.listeners.keys()]);
    this.placements.requireOpen(found.name);
    return found;
  }

  #onQueueReady(token: number, vm: Vm, rootId: number): void {
    const event = new ThreadEvent(vm.thread, EventClass.answer, () => {
      const root = vm.contexts.get(rootId);
      if (root !== undefined) vm.callThen(root, "proxy_on_queue_ready", [rootId, token]);
    });
    // Posted to the loop at once, while answers come over a network.
    this.schedule(event, this.nowNs, 0);
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
