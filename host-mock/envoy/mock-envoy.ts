import { MockHostError } from "../errors.ts";
import { requireFunction, requireText, unknownName } from "../did-you-mean.ts";
import type { Exchange } from "../http/exchange.ts";
import type { RedisHandle } from "../http/redis-options.ts";
import type { GrpcCall } from "../http/grpc-view.ts";
import { latin1, shownKey, utf8 } from "../state/bytes.ts";
import type { TcpConnection } from "../tcp/tcp-connection.ts";
import { parseDuration, parseSignedDuration } from "../time/duration.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs, TraceEvent } from "../trace/event.ts";
import { httpCalls, type HttpCall } from "../trace/http-calls.ts";
import type { Leadership } from "../trace/leadership.ts";
import { logLines, type LogLine } from "../trace/logs.ts";
import type { Recorder } from "../trace/recorder.ts";
import { Witness } from "../trace/witness.ts";
import type { ConfigurationValue, MockEnvoyOptions } from "./options.ts";
import {
  requireEviction,
  requireSharedData,
  type EvictOptions,
  type SharedDataOptions,
} from "./shared-data-options.ts";
import { EnvoyProcess } from "./process.ts";
import { configurationBytes } from "./resolved.ts";
import { logText } from "./log-text.ts";
import { statsOf, type Stats } from "./stats.ts";
import type { Thread } from "./thread.ts";
import { ThreadEvent } from "./thread-event.ts";

export type { ConfigurationValue, MockEnvoyOptions, PluginOptions } from "./options.ts";

export interface SharedValueView {
  readonly value: Uint8Array;
  readonly cas: number;
  /** The value as text; bytes that are not UTF-8 become U+FFFD. */
  text(): string;
}

export interface Election {
  /** Who leads now; of two, the one with the higher term. */
  readonly leader: Leadership | null;
  /** Every leadership so far, in the order of the claims. */
  readonly history: Leadership[];
}

interface WitnessState {
  readonly witness: Witness;
  fedCount: number;
}

/**
 * A whole Envoy in virtual time: a main thread and workers, each with its own VM of every plugin, one shared data, and
 * nothing that is not decided by the options and the seed.
 *
 *     const envoy = new MockEnvoy({ concurrency: 3, plugins: [{ name: "hello", wasm: "hello.wasm" }] });
 *     envoy.advance("10s");
 *     envoy.thread("worker_0").request({ path: "/" }).status;
 */
export class MockEnvoy {
  readonly recorder: Recorder;
  /** `main`, `worker_0`, … */
  readonly threads: readonly Thread[];
  readonly #process: EnvoyProcess;
  readonly #witnesses = new Map<string, WitnessState>();

  /**
   * Loads the modules; nothing runs yet. E_OPTION, E_UNKNOWN_NAME, E_FILE, and what a module can be refused for:
   * E_NOT_WASM, E_ABI_VERSION, E_MISSING_IMPORT, E_SIGNATURE, E_NO_ALLOCATOR, E_START_SECTION.
   */
  constructor(options: MockEnvoyOptions) {
    this.#process = new EnvoyProcess(options);
    this.recorder = this.#process.recorder;
    this.threads = this.#process.threads;
  }

  /** Nanoseconds since the start of the run. */
  get nowNs(): number {
    return this.#process.nowNs;
  }

  /** Milliseconds since the start of the run, with fractions. */
  get nowMs(): number {
    return this.#process.nowNs / 1e6;
  }

  /** What was recorded so far; with trace "outcome" without calls and callbacks. */
  get trace(): readonly TraceEvent[] {
    return this.recorder.events;
  }

  get logs(): LogLine[] {
    return logLines(this.recorder.events);
  }

  /** All lines so far as Envoy writes them, prefixes included. */
  logText(): string {
    return logText(this.#process);
  }

  /** The HTTP calls that plugins made, in the order of dispatch. */
  get calls(): HttpCall[] {
    return httpCalls(this.recorder.events);
  }

  /** The gRPC calls and streams that plugins began, in the order of their starts. */
  get grpcCalls(): readonly GrpcCall[] {
    return this.#process.grpcCalls.records.entries;
  }

  /** All requests so far, in order. */
  get exchanges(): readonly Exchange[] {
    return this.#process.exchanges.entries;
  }

  /** All TCP connections so far, in order. */
  get connections(): readonly TcpConnection[] {
    return this.#process.connections.entries;
  }

  get seed(): number {
    return this.#process.options.seed;
  }

  /** Names of the plugins in the order of the filter chain. */
  get pluginNames(): string[] {
    return this.#process.plugins.map(({ name }) => name);
  }

  /** What tells who leads, by plugin: its log lines or its lease. */
  get witnesses(): Record<string, "log" | "lease"> {
    return Object.fromEntries(this.#process.plugins.map(({ name, spec }) => [name, spec.witness]));
  }

  get clusterNames(): string[] {
    return this.#process.clusters.names;
  }

  /** The Redis server of a cluster `{ redis: … }`. E_UNKNOWN_NAME for a cluster that has none. */
  redis(cluster: string): RedisHandle {
    const { redisCalls } = this.#process;
    const found = redisCalls.cluster(cluster);
    if (found === undefined) throw unknownName("Redis cluster", cluster, redisCalls.clusterNames);
    return found;
  }

  /** E_UNKNOWN_NAME for a thread that does not exist. */
  thread(name: string): Thread {
    return this.#process.thread(name);
  }

  /**
   * Brings everything up: what was asked for at 0s first, then base VM, canary, main thread, workers. advance() and
   * request() do it too. E_PLUGIN_START when a canary refuses, unless `allowRefusedStart`.
   */
  start(): this {
    this.#process.start();
    return this;
  }

  /**
   * Moves virtual time on and runs everything due, the last instant included. With a call cost the clock may go past
   * it in a callback; nothing begins after that.
   */
  advance(duration: string): this {
    const untilNs = this.nowNs + parseDuration(duration, "advance");
    this.#process.requestStart();
    this.#process.loop.runUntil(untilNs);
    return this;
  }

  /**
   * Does something at an instant, counted from the start of the run, before everything else that is due then; several
   * of one instant in the order of asking. E_OPTION for an instant that is past.
   */
  at(time: string, run: () => void): this {
    const atNs = parseDuration(time, "at");
    requireFunction("at: what is to be done", run, "give a function: at(time, () => …)");
    if (atNs < this.nowNs) {
      throw new MockHostError("E_OPTION", `at ${time} is past: it is ${this.nowMs} ms`, {
        remedy: "give an instant from now on, counted from the start of the run",
      });
    }
    this.scheduleAt(atNs, run);
    return this;
  }

  /** @internal As `at`; an instant that the cost of calls has gone past comes in its place among what is late. */
  scheduleAt(atNs: number, run: () => void): void {
    this.#process.schedule(new ThreadEvent(null, EventClass.file, run), atNs);
  }

  /**
   * Gives a plugin a new configuration: contexts beside the old ones, which drain. A configuration that the canary
   * refuses changes nothing and is recorded as "refused". False when it was refused at once.
   */
  reconfigure(plugin: string, configuration: ConfigurationValue = "", note?: TraceArgs): boolean {
    const bytes = configurationBytes(configuration);
    const args = note ?? { plugin, configuration: bytes };
    const before = this.recorder.events.length;
    this.#process.reconfigure(plugin, bytes, args);
    const mine = this.recorder.events
      .slice(before)
      .find(
        (event) => event.event === "fault" && event.name === "reconfigure" && event.args === args,
      );
    return mine === undefined || mine.status === "applied";
  }

  /**
   * A listener goes: no request comes in there from now on. When its drain is over its open requests and connections
   * are closed, and plugins that no other listener has end on every thread; with the last plugin of a vm_id goes its
   * shared data, and its queues. E_UNKNOWN_NAME; E_STATE for one that is gone.
   */
  removeListener(name: string, note: TraceArgs = { listener: name }): void {
    this.#process.start();
    this.#process.placements.changeListener("remove_listener", name, note);
  }

  /**
   * A listener that was removed comes back; plugins that no other one has begin anew, canary first. E_UNKNOWN_NAME;
   * E_STATE for one that is there.
   */
  addListener(name: string, note: TraceArgs = { listener: name }): void {
    this.#process.start();
    this.#process.placements.changeListener("add_listener", name, note);
  }

  /** Drops all shared data of a vm_id, and its shared queues with it; versions go on counting. */
  wipe(vmId = "", note: TraceArgs = { vm_id: vmId }): boolean {
    requireText("wipe: vmId", vmId);
    this.#process.open();
    this.#process.recordVerb("wipe", note, { status: "applied" });
    this.#process.sharedData.wipe(vmId);
    this.#process.sharedQueues.wipe(vmId);
    return true;
  }

  /** The wall clock jumps, "+1h" or "-30s"; the monotonic clock does not. */
  shiftWallClock(by: string, note: TraceArgs = { by }): boolean {
    const byNs = parseSignedDuration(by, "wall_clock");
    this.#process.open();
    this.#process.clock.shiftWall(BigInt(byNs));
    this.#process.recordVerb("wall_clock", note, { status: "applied" });
    return true;
  }

  /** Writes shared data as a plugin would, with cas 0 unless given. False when the cas does not match. */
  setSharedData(data: SharedDataOptions, note?: TraceArgs): boolean {
    requireSharedData(data);
    const { vmId = "", key, cas = 0 } = data;
    const value = typeof data.value === "string" ? utf8(data.value) : new Uint8Array(data.value);
    this.#process.open();
    const outcome = this.#process.sharedData.set(vmId, latin1(utf8(key)), value, cas);
    const args = note ?? { vm_id: vmId, key, value, cas };
    const isApplied = outcome === "Ok";
    this.#process.recordVerb("set_shared_data", args, {
      status: isApplied ? "applied" : "not_applied",
      result: isApplied ? null : outcome,
    });
    return isApplied;
  }

  /**
   * The host drops one key of shared data, as one whose store is full does. False when the key is not there. E_OPTION where
   * the profile's host never does that.
   *
   *     new MockEnvoy({ profile: "nginx", plugins }).evict({ key: "higress_wasm_vm_lease:p" });
   */
  evict(entry: EvictOptions, note?: TraceArgs): boolean {
    requireEviction(entry, this.#process.options.profile);
    const { vmId = "", key } = entry;
    this.#process.open();
    const wasThere = this.#process.sharedData.evict(vmId, latin1(utf8(key)));
    this.#process.recordVerb("evict", note ?? { vm_id: vmId, key }, {
      status: wasThere ? "applied" : "not_applied",
      result: wasThere ? null : "there is no such key",
    });
    return wasThere;
  }

  /** Shared data of a vm_id by key; keys that are not UTF-8 are shown as `base64:…`. */
  sharedData(vmId = ""): Map<string, SharedValueView> {
    requireText("sharedData: vmId", vmId);
    const shown = new Map<string, SharedValueView>();
    for (const [key, { value, cas }] of this.#process.sharedData.partition(vmId)) {
      const text = () => new TextDecoder().decode(value);
      shown.set(shownKey(key), { value, cas, text });
    }
    return shown;
  }

  /** Counters and gauges by name; of a histogram the number of samples. */
  metrics(): Record<string, number> {
    return this.#process.metrics.results();
  }

  /**
   * Envoy's statistics pages as they are when asked for, in virtual time.
   *
   *     envoy.stats().text(/^wasmcustom/); // "wasmcustom.requests: 3\n"
   */
  stats(): Stats {
    return statsOf(this.#process);
  }

  /** Who leads a plugin now, as in `election(plugin).leader`, without the history's cost. */
  leader(plugin: string): Leadership | null {
    return this.#witness(plugin).leader(this.nowNs);
  }

  /** What the witness says of a plugin's elections up to now; it costs a step for each leadership so far. */
  election(plugin: string): Election {
    const witness = this.#witness(plugin);
    return { leader: witness.leader(this.nowNs), history: witness.history(this.nowNs) };
  }

  /** @internal Records a fault that is no verb of a thread or of this class (`chaos`), or one that found no thread. */
  note(name: string, args: TraceArgs, outcome: { status: string; result?: string | null }): void {
    this.#process.open();
    const { status, result = null } = outcome;
    this.#process.recordVerb(name, args, { status, result });
  }

  /**
   * Drops what is over from memory, for runs of any length: events, requests, connections and calls. Elections are
   * remembered; logs, matchers and verdicts see only what comes after. Numbers and virtual time go on.
   *
   *     for (let batch = 0; batch < 1000; batch++) { ask(envoy); envoy.advance("1s").forget(); }
   */
  forget(): this {
    for (const name of this.pluginNames) this.#witness(name);
    this.recorder.events.length = 0;
    for (const state of this.#witnesses.values()) state.fedCount = 0;
    this.#process.exchanges.forget(({ done }) => done);
    this.#process.connections.forget(({ isClosed }) => isClosed);
    this.#process.grpcCalls.records.forget(({ isOver }) => isOver);
    return this;
  }

  /** As SIGTERM: on_done and on_delete on each worker, then on the main thread; then end(). */
  shutdown(): void {
    this.#process.shutDown();
    this.end();
  }

  /** The run is over: nothing is told to plugins. Records `run_ended` once. */
  end(): void {
    this.#process.end();
  }

  #witness(name: string): Witness {
    const { spec } = this.#process.plugin(name);
    let state = this.#witnesses.get(name);
    if (state === undefined) {
      state = { witness: new Witness({ plugin: name, witness: spec.witness }), fedCount: 0 };
      this.#witnesses.set(name, state);
    }
    const { events } = this.recorder;
    for (; state.fedCount < events.length; state.fedCount++)
      state.witness.feed(events[state.fedCount]!);
    return state.witness;
  }
}
