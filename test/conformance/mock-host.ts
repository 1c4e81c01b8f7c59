/** A suite on the mock: what is awaited takes virtual time and no real one. */
import { MockEnvoy } from "../../host-mock/index.ts";
import { readable } from "../../host-mock/trace/values.ts";
import type { Exchange, TraceEvent } from "../../host-mock/index.ts";
import { latin1 } from "./bytes-shown.ts";
import type { HeaderPairs } from "./bytes-shown.ts";
import { messageLine } from "./exchange-lines.ts";
import type { Message } from "./exchange-lines.ts";
import { envoyOptions, listenersOf, requestOptions } from "./mock-options.ts";
import type { SeenCalls } from "./mock-options.ts";
import { connectMock } from "./mock-connection.ts";
import type {
  ProbeConnection,
  ProbeExchange,
  ProbeHost,
  ProbeRequest,
  ProbeSuite,
} from "./probe.ts";
import type { RunningHost } from "./run-suite.ts";
import { statsLines } from "./stats-lines.ts";
import { blockOf } from "./transcript.ts";
import type { LoggedLine } from "./transcript.ts";

const patienceMs = 10_000;
/** What may come by itself after a case's last step. */
const settleMs = 60;

export async function startMock(suite: ProbeSuite): Promise<RunningHost> {
  const seen: SeenCalls = new Map();
  const envoy = new MockEnvoy(await envoyOptions(suite, seen));
  envoy.start();
  const host = new MockProbeHost(suite, envoy, seen);
  envoy.advance("1ms");
  return host;
}

type Headers = readonly (readonly [name: string, value: string | Uint8Array])[];

export class MockProbeHost implements RunningHost {
  readonly kind = "mock";
  readonly #suite: ProbeSuite;
  readonly #envoy: MockEnvoy;
  readonly #seen: SeenCalls;
  #notes: string[] = [];
  /** Trace events that belong to earlier blocks. */
  #readCount = 0;
  #hasEnded = false;

  constructor(suite: ProbeSuite, envoy: MockEnvoy, seen: SeenCalls) {
    this.#suite = suite;
    this.#envoy = envoy;
    this.#seen = seen;
  }

  note(line: string): void {
    this.#notes.push(line);
  }

  request(request: ProbeRequest): ProbeExchange {
    const listener = request.listener ?? listenersOf(this.#suite)[0]?.name ?? "";
    const exchange = this.#envoy.thread("worker_0").request(requestOptions(request, listener));
    return new MockExchange(exchange, this);
  }

  async ask(request: ProbeRequest): Promise<ProbeExchange> {
    const exchange = this.request(request);
    await exchange.end();
    return exchange;
  }

  connect(options: Parameters<ProbeHost["connect"]>[0]): Promise<ProbeConnection> {
    return connectMock(this.#envoy, this, options);
  }

  wait(ms: number): Promise<void> {
    this.advance(ms);
    return Promise.resolve();
  }

  async untilLogged(text: string, count = 1): Promise<void> {
    await this.until(`"${text}" is logged`, () => {
      const found = this.#logged().filter((line) => line.text.includes(text));
      return found.length >= count;
    });
  }

  reconfigure(plugin: string, configuration: string): Promise<void> {
    const isTaken = this.#envoy.reconfigure(plugin, configuration);
    if (!isTaken) this.note(`the new configuration of ${plugin} is refused`);
    this.advance(1);
    return Promise.resolve();
  }

  remove(listener: string): Promise<void> {
    this.#envoy.removeListener(listener);
    this.advance(1000 * (this.#suite.drainSeconds ?? 1) + 1);
    return Promise.resolve();
  }

  add(listener: string): Promise<void> {
    this.#envoy.addListener(listener);
    this.advance(1);
    return Promise.resolve();
  }

  called(cluster: string): Promise<void> {
    const lines = this.#seen.get(cluster)?.splice(0);
    if (lines === undefined) return Promise.reject(new Error(`no cluster ${cluster}`));
    for (const line of lines) this.note(line());
    if (lines.length === 0) this.note(`${cluster}: nothing`);
    return Promise.resolve();
  }

  stats(filter: RegExp, format: "text" | "prometheus" = "text"): Promise<void> {
    const page = format === "text" ? this.#envoy.stats().text() : this.#envoy.stats().prometheus();
    for (const line of statsLines(page, filter)) this.note(line);
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    this.#envoy.shutdown();
    this.#hasEnded = true;
    return Promise.resolve();
  }

  block(head: { readonly id: string; readonly what: string }): Promise<string[]> {
    if (!this.#hasEnded) this.advance(settleMs);
    const lines = blockOf(head, this.#logged(), this.#notes);
    this.#notes = [];
    this.#readCount = this.#envoy.trace.length;
    return Promise.resolve(lines);
  }

  close(): Promise<void> {
    if (!this.#hasEnded) this.#envoy.end();
    this.#hasEnded = true;
    return Promise.resolve();
  }

  advance(ms: number): void {
    if (ms > 0) this.#envoy.advance(`${String(ms)}ms`);
  }

  /** Lets virtual time go on until it is so; an error when it never is. */
  until(what: string, condition: () => boolean): Promise<void> {
    const endMs = this.#envoy.nowMs + patienceMs;
    while (!condition()) {
      if (this.#envoy.nowMs >= endMs)
        return Promise.reject(new Error(`did not happen within 10 s of virtual time: ${what}`));
      this.advance(1);
    }
    return Promise.resolve();
  }

  #logged(): LoggedLine[] {
    const { trace } = this.#envoy;
    const lines: LoggedLine[] = [];
    for (let at = this.#readCount; at < trace.length; at++) {
      const event = trace[at];
      if (event?.event === "log") lines.push(loggedLine(event));
    }
    return lines;
  }
}

/** What the host itself says of a failed VM belongs to no plugin. */
const hostWords =
  /^(Function: |Proxy-Wasm plugin in-VM backtrace:| *\d+: {2}0x|Wasm VM failed|Plugin |Attempted call to restricted )/;

function loggedLine({ thread, plugin, context, name, args }: TraceEvent): LoggedLine {
  const { message } = args;
  const text = message instanceof Uint8Array ? latin1(message) : readable(message);
  const isHosts = context === 0 || hostWords.test(text);
  return { thread, plugin: isHosts ? "" : plugin, level: name, text };
}

class MockExchange implements ProbeExchange {
  readonly #exchange: Exchange;
  readonly #host: MockProbeHost;

  constructor(exchange: Exchange, host: MockProbeHost) {
    this.#exchange = exchange;
    this.#host = host;
  }

  get status(): number | null {
    return this.#exchange.status;
  }

  get body(): string {
    return latin1(this.#exchange.body);
  }

  async end(): Promise<void> {
    await this.#host.until("the answer", () => this.#exchange.done);
    this.#host.note(messageLine("client", this.#answer()));
    this.#noteUpstream();
  }

  stillWaits(ms: number): Promise<void> {
    this.#host.advance(ms);
    if (this.#exchange.done) return Promise.reject(new Error("the request did not wait"));
    this.#host.note("client: nothing yet");
    return Promise.resolve();
  }

  abandon(): Promise<void> {
    this.#exchange.abandon();
    this.#host.advance(30);
    this.#host.note("client: gone");
    this.#noteUpstream();
    return Promise.resolve();
  }

  #answer(): Message | null {
    const { receivedStatus: status, headers, body, trailers } = this.#exchange;
    const { isReset } = this.#exchange as { isReset?: boolean };
    if (status === null && headers.length === 0) return null;
    const head = status ?? headers.find(([name]) => name === ":status")?.[1] ?? "";
    return {
      head: String(head),
      headers: texts(headers),
      body: latin1(body),
      trailers: texts(trailers),
      isBroken: isReset ?? status === null,
    };
  }

  #noteUpstream(): void {
    const { upstream } = this.#exchange;
    if (upstream === null) {
      this.#host.note(messageLine("upstream", null));
      return;
    }
    const all = texts(upstream.headers);
    const pseudo = (name: string): string => all.find(([key]) => key === name)?.[1] ?? "";
    const authority = all.filter(([key]) => key === ":authority");
    const message = {
      head: `${pseudo(":method")} ${pseudo(":path")}`,
      headers: [
        ...authority.map(([, value]) => ["host", value] as const),
        ...all.filter(([key]) => key[0] !== ":"),
      ],
      body: latin1(upstream.body),
      trailers: texts(upstream.trailers),
      isBroken: false,
    };
    this.#host.note(messageLine("upstream", message));
  }
}

/** The mock shows what is UTF-8 as text. */
function texts(headers: Headers): HeaderPairs {
  return headers.map(([name, value]) => [
    name,
    latin1(typeof value === "string" ? Buffer.from(value, "utf8") : value),
  ]);
}
