import { parseDuration } from "../../host-mock/time/duration.ts";
import type {
  TraceArgs,
  TraceEvent,
  TraceEventKind,
  TraceSubject,
  TraceValue,
} from "../../host-mock/trace/event.ts";

const monoStartNs = 3_600_000_000_000n;

export interface CallOptions {
  readonly cluster?: string;
  readonly term?: number | string | undefined;
  readonly header?: string;
  /** Reaches the receiver this much later; null: never. */
  readonly held?: string | null;
  readonly refused?: boolean;
  readonly answered?: number | null;
  /** The context that calls; the thread's root when absent. */
  readonly context?: number;
  readonly body?: string;
}

interface Waiting {
  readonly atNs: number;
  readonly order: number;
  readonly write: () => void;
}

/**
 * Hand-written traces: what the host would record, said in the words of a test. Times are set with `at`, and only grow;
 * a held call's arrival is written when its time comes.
 */
export class TraceBuilder {
  readonly events: TraceEvent[] = [];
  readonly plugin: string;
  #nowNs = 0;
  #callCount = 0;
  #requestCount = 0;
  readonly #incarnations = new Map<string, number>();
  readonly #roots = new Map<string, number>();
  readonly #waiting: Waiting[] = [];

  constructor(plugin = "metrics-reporter") {
    this.plugin = plugin;
  }

  get nowNs(): number {
    return this.#nowNs;
  }

  at(time: string): this {
    return this.atNs(parseDuration(time));
  }

  atNs(ns: number): this {
    if (ns < this.#nowNs) throw new Error(`time runs forwards: ${ns} after ${this.#nowNs}`);
    this.#flush(ns);
    this.#nowNs = ns;
    return this;
  }

  vm(thread: string): string {
    return `${thread}#${this.#incarnations.get(thread) ?? 1}`;
  }

  subject(thread: string, context = this.#roots.get(thread) ?? 1): TraceSubject {
    return { thread, vm: this.vm(thread), plugin: this.plugin, context };
  }

  record(
    subject: Partial<TraceSubject>,
    event: TraceEventKind,
    name: string,
    args: TraceArgs = {},
    status: string | null = null,
    result: TraceValue = null,
  ): this {
    this.events.push({
      n: this.events.length + 1,
      atNs: this.#nowNs,
      monoNs: monoStartNs + BigInt(this.#nowNs),
      thread: "",
      vm: "",
      plugin: "",
      context: 0,
      ...subject,
      event,
      name,
      args,
      status,
      result,
    });
    return this;
  }

  /** The canary accepts its configuration, then a context on each thread. */
  start(...threads: readonly string[]): this {
    const canary = { thread: "main", vm: "main#canary", plugin: this.plugin, context: 1 };
    this.record(canary, "timer", "context_configured", { root_id: "", generation: 1 }, "Ok");
    for (const thread of threads) this.configure(thread);
    return this;
  }

  configure(thread: string, context = 1, generation = 1): this {
    this.#roots.set(thread, context);
    const args = { root_id: "", generation, configuration: new Uint8Array() };
    return this.record(this.subject(thread), "timer", "context_configured", args, "Ok");
  }

  log(thread: string, level: string, message: string | Uint8Array, context?: number): this {
    const subject = this.subject(thread, context);
    const bytes = typeof message === "string" ? new TextEncoder().encode(message) : message;
    return this.record(subject, "log", level, {
      message: bytes,
      root: this.#roots.get(thread) ?? 1,
    });
  }

  claim(thread: string, term: number | bigint, promise = "15s"): this {
    return this.#witness(thread, `claim term=${term}`, promise);
  }

  renew(thread: string, term: number | bigint, promise = "15s"): this {
    return this.#witness(thread, `renew term=${term}`, promise);
  }

  stop(thread: string, term: number | bigint, reason: string): this {
    const line = `stop term=${term} at_ns=${this.#mono()} reason=${reason}`;
    return this.log(
      thread,
      "debug",
      `proxy-wasm-as.election ${line} id=${this.id(thread)} key=lease`,
    );
  }

  id(thread: string): string {
    return `id-of-${this.vm(thread)}-${this.#roots.get(thread) ?? 1}`;
  }

  crash(thread: string): this {
    this.fault("crash", { thread }, "applied", thread);
    return this.record({ thread, vm: this.vm(thread) }, "timer", "vm_gone", { reason: "crashed" });
  }

  restart(thread: string): this {
    this.fault("restart", { thread }, "applied", thread);
    return this.fresh(thread);
  }

  /** A new incarnation that accepts its configuration. */
  fresh(thread: string): this {
    this.#incarnations.set(thread, (this.#incarnations.get(thread) ?? 1) + 1);
    return this.configure(thread);
  }

  pause(thread: string, duration: string): this {
    const untilNs = this.#nowNs + parseDuration(duration);
    this.fault("pause", { thread, for: duration }, "applied", thread);
    this.record({ thread }, "timer", "thread_paused", { until_ns: untilNs });
    this.#later(untilNs, () => this.record({ thread }, "timer", "thread_resumed"));
    return this;
  }

  trap(thread: string, callback = "proxy_on_tick", message = "unreachable"): this {
    return this.record(this.subject(thread), "trap", callback, {}, null, message);
  }

  fault(
    name: string,
    args: TraceArgs,
    status = "applied",
    thread = "",
    result: TraceValue = null,
  ): this {
    return this.record({ thread }, "fault", name, args, status, result);
  }

  call(thread: string, options: CallOptions = {}): this {
    const {
      cluster = "collector",
      held = "0s",
      refused = false,
      header = "x-leader-term",
    } = options;
    const answered = options.answered === undefined ? (refused ? 409 : 204) : options.answered;
    const call = ++this.#callCount;
    const subject = this.subject(thread, options.context);
    const headers = options.term === undefined ? [] : [[header, String(options.term)]];
    const args = {
      call,
      cluster,
      method: "POST",
      path: "/",
      headers,
      body: options.body ?? "{}",
      token: call,
    };
    this.record(subject, "timer", "http_call_sent", args);
    if (held === null) return this;
    const arrive = (): void => {
      this.record(subject, "timer", "http_call_arrived", { call, refused }, null, answered);
      this.record(subject, "timer", "http_call_answered", { call }, null, answered);
    };
    if (parseDuration(held) === 0) arrive();
    else this.#later(this.#nowNs + parseDuration(held), arrive);
    return this;
  }

  request(
    thread: string,
    status: number | null,
    options: { local?: boolean; body?: string } = {},
  ): this {
    const request = ++this.#requestCount;
    const asked = { request, method: "GET", path: "/", headers: [], body: "" };
    this.record({ thread }, "timer", "request_started", asked);
    if (options.local !== true) {
      this.record({ thread }, "timer", "request_upstream", {
        request,
        headers: [["a", "b"]],
        body: "",
      });
    }
    const answer = {
      request,
      headers: [["server", "envoy"]],
      body: options.body ?? "",
      local: options.local === true,
    };
    return this.record({ thread }, "timer", "request_ended", answer, null, status);
  }

  setLease(thread: string, vmId: string, context?: number): this {
    const value = new TextEncoder().encode(JSON.stringify({ vmID: vmId, timestamp: 1 }));
    const args = { key: "higress_wasm_vm_lease:", value, cas: 1 };
    return this.record(this.subject(thread, context), "call", "proxy_set_shared_data", args, "Ok");
  }

  getLease(thread: string, vmId: string, context?: number): this {
    const value = new TextEncoder().encode(JSON.stringify({ vmID: vmId, timestamp: 1 }));
    const args = { key: "higress_wasm_vm_lease:" };
    return this.record(this.subject(thread, context), "call", "proxy_get_shared_data", args, "Ok", {
      value,
      cas: 2,
    });
  }

  end(time: string, state: TraceArgs = {}): this {
    this.at(time);
    const args = { shared_data: {}, metrics: {}, host_calls: 0, ...state };
    return this.record({}, "timer", "run_ended", args);
  }

  #witness(thread: string, what: string, promise: string): this {
    const untilNs = this.#mono() + BigInt(parseDuration(promise));
    const line = `${what} at_ns=${this.#mono()} until_ns=${untilNs} id=${this.id(thread)} key=lease`;
    return this.log(thread, "debug", `proxy-wasm-as.election ${line}`);
  }

  #mono(): bigint {
    return monoStartNs + BigInt(this.#nowNs);
  }

  #later(atNs: number, write: () => void): void {
    this.#waiting.push({ atNs, order: this.#waiting.length, write });
    this.#waiting.sort((one, other) => one.atNs - other.atNs || one.order - other.order);
  }

  #flush(untilNs: number): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.atNs <= untilNs;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift();
      this.#nowNs = next.atNs;
      next.write();
    }
  }
}
