import { linkImports } from "../abi/link.ts";
import { MockHostError } from "../errors.ts";
import type { Profile } from "../profiles/profile.ts";
import { readable } from "../trace/values.ts";
import type { TraceEvent } from "../trace/event.ts";
import { Instance, type CallOutcome } from "../vm/instance.ts";
import type { Snapshot, Snapshots } from "../vm/snapshots.ts";
import { Suspension } from "../vm/suspension.ts";
import { AnsweredData } from "./answered-data.ts";
import { refusedStatus, statusBits, type Answer, type Op } from "./op.ts";
import { readOp, type OpTables } from "./read-op.ts";
import type { SharedStore } from "./shared-store.ts";
import { SteppedClock } from "./stepped-clock.ts";
import { rootId } from "./stepped-context.ts";
import { SteppedHost } from "./stepped-host.ts";
import { suspensionPoints, type SteppedPlugin } from "./stepped-plugin.ts";

const points: ReadonlySet<string> = new Set(suspensionPoints);
const mismatch = 8;

/** What a guest needs to be put where it was. */
export interface GuestStart {
  /** null: as after start-up. */
  readonly snapshot: Snapshot | null;
  readonly periodMs: number;
  readonly tokenCount: number;
  readonly drawCount: number;
  readonly readMs: number;
}

/** What came of running a guest up to its next host call or the end of its callback. */
export interface GuestStep {
  /** null: the callback is over. */
  readonly op: Op | null;
  /** After its end: what the memory holds. */
  readonly snapshot: Snapshot | null;
  readonly trap: string;
  readonly lines: readonly TraceEvent[];
  readonly periodMs: number;
  readonly tokenCount: number;
  readonly drawCount: number;
  readonly readMs: number;
}

export interface GuestParts extends OpTables {
  readonly plugin: SteppedPlugin;
  readonly profile: Profile;
  readonly startWallNs: bigint;
  /** Its number among all guests, from 0. */
  readonly guest: number;
  readonly name: string;
}

/** One VM of real wasm that runs one callback at a time, from host call to host call. */
export class SteppedGuest {
  readonly name: string;
  readonly plugin: SteppedPlugin;
  /** Runs of wasm so far, each from a host call to the next. */
  runCount = 0;
  readonly #parts: GuestParts;
  readonly #clock: SteppedClock;
  readonly #data: AnsweredData;
  readonly #host: SteppedHost;
  readonly #instance: Instance;
  #snapshots: Snapshots | undefined;
  /** Answers still to be given without stopping, and how many were. */
  #answers: readonly Answer[] = [];
  #answered = 0;
  /** The call it stopped before. */
  #op: Op | null = null;
  /** While it starts, calls are carried out on a store. */
  #startLog: string[] | null = null;
  /** Whether the state after the running callback is wanted. */
  #isLast = false;
  /** Lines before this one belong to earlier steps. */
  #lineAt = 0;

  constructor(parts: GuestParts) {
    this.#parts = parts;
    const { plugin, guest, name } = parts;
    this.name = name;
    this.plugin = plugin;
    this.#clock = new SteppedClock(parts.startWallNs);
    this.#data = new AnsweredData(parts.keys);
    this.#host = new SteppedHost(plugin, guest, name, { clock: this.#clock, data: this.#data });
    const suspension = new Suspension((call, args) => this.#stopsAt(call, args));
    const imports = linkImports(plugin.module, parts.profile, () => this.#host);
    const wrapped = suspension.wrap(imports, points);
    this.#instance = new Instance(plugin.module, wrapped, () => false, suspension);
    this.#host.instance = this.#instance;
  }

  get hasOddNames(): boolean {
    return this.#host.hasOddNames;
  }

  /**
   * Runs start-up on the store without stopping: `_initialize`, the context, start and configuration. The calls it
   * made and their answers, as text. E_PLUGIN_START when it refuses.
   */
  start(store: SharedStore): string {
    const log: string[] = (this.#startLog = []);
    this.#data.store = store;
    this.#require(this.#instance.start());
    const { context } = this.#host;
    context.isConfiguring = true;
    this.#require(this.#instance.call("proxy_on_context_create", [rootId, 0]));
    context.isConfiguring = false;
    const { configuration, vmConfiguration } = this.plugin;
    this.#accept("proxy_on_vm_start", vmConfiguration.length);
    context.isConfiguring = true;
    this.#accept("proxy_on_configure", configuration.length);
    context.isConfiguring = false;
    this.#data.store = null;
    this.#startLog = null;
    this.#host.recorder.events.length = 0;
    this.#snapshots = this.#instance.snapshots();
    return log.join("\n");
  }

  /** Where it stands after start-up. */
  get started(): GuestStart {
    const { periodMs, tokenCount, drawCount } = this.#host.context.counters;
    return { snapshot: null, periodMs, tokenCount, drawCount, readMs: 0 };
  }

  /**
   * A tick from that state on, answered so, up to the call behind the last answer. After the last tick of a guest
   * nothing is kept.
   */
  tick(from: GuestStart, answers: readonly Answer[], isLast: boolean): GuestStep {
    this.#isLast = isLast;
    this.#restore(from);
    this.#answers = answers;
    this.#answered = 0;
    this.#op = null;
    return this.#finish(this.#instance.call("proxy_on_tick", [rootId]));
  }

  /** Goes on with the call that the last step stopped before. */
  goOn(answer: Answer): GuestStep {
    const op = this.#op!;
    this.#op = null;
    this.#answers = [];
    this.#answered = 0;
    this.#prime(op.name, answer);
    this.#host.recorder.events.length = 0;
    this.#lineAt = 0;
    return this.#finish(this.#instance.resume());
  }

  #restore(from: GuestStart): void {
    if (this.#instance.isLeft) this.#instance.abandon();
    this.#snapshots!.restore(from.snapshot);
    const { counters } = this.#host.context;
    counters.periodMs = from.periodMs;
    counters.tokenCount = from.tokenCount;
    counters.drawCount = from.drawCount;
    this.#clock.nowMs = from.readMs;
    this.#host.recorder.events.length = 0;
    this.#lineAt = 0;
    this.#host.refusedWith = undefined;
  }

  #finish(outcome: CallOutcome): GuestStep {
    this.runCount++;
    const isOver = outcome.ok && outcome.isSuspended !== true;
    const { periodMs, tokenCount, drawCount } = this.#host.context.counters;
    return {
      op: this.#op,
      snapshot: isOver && !this.#isLast ? this.#snapshots!.save() : null,
      trap: outcome.ok ? "" : outcome.trap.text(),
      lines: this.#host.recorder.events.slice(this.#lineAt).filter(({ event }) => event === "log"),
      periodMs,
      tokenCount,
      drawCount,
      readMs: this.#clock.nowMs,
    };
  }

  /** Asked at every point: false goes on at once with the answer at hand. */
  #stopsAt(call: string, args: readonly (number | bigint)[]): boolean {
    if (this.#instance.phase !== "callback") return false;
    const read = (): Op => readOp(this.#parts, this.plugin.vmId, this.#instance.memory, call, args);
    if (this.#startLog !== null) {
      this.#startLog.push(read().text);
      return false;
    }
    const answer = this.#answers[this.#answered];
    if (answer === undefined) {
      this.#op = read();
      return true;
    }
    this.#answered++;
    this.#prime(call, answer);
    this.#lineAt = this.#host.recorder.events.length;
    return false;
  }

  /** Sets the answer that the call, carried out next, will find. */
  #prime(call: string, answer: Answer): void {
    this.#host.refusedWith = refusedStatus(answer);
    if (answer < 0) return;
    if (call === "proxy_get_shared_data") this.#data.entry = answer;
    else if (call === "proxy_set_shared_data")
      this.#data.isMismatch = (answer & ((1 << statusBits) - 1)) === mismatch;
    else if (call !== "proxy_http_call") this.#clock.nowMs = answer;
  }

  #accept(callback: string, size: number): void {
    if (!this.#instance.has(callback)) return;
    const outcome = this.#require(this.#instance.call(callback, [rootId, size]));
    if (outcome !== 0) return;
    const line = this.#host.recorder.events.findLast(({ event }) => event === "log");
    throw new MockHostError("E_PLUGIN_START", `${this.plugin.name} refuses to start`, {
      place: this.name,
      remedy: line === undefined ? "it logged nothing" : readable(line.args["message"]),
    });
  }

  #require(outcome: CallOutcome): number {
    if (outcome.ok) return outcome.value;
    throw new MockHostError("E_PLUGIN_START", `${this.plugin.name} traps at start-up`, {
      place: this.name,
      remedy: outcome.trap.text(),
    });
  }
}
