/** A suite on a real Envoy. */
import { setTimeout as sleep } from "node:timers/promises";
import { defaultAnswer, methodOf } from "../conformance/messages.ts";
import { listenersOf } from "../conformance/mock-options.ts";
import type {
  ProbeConnection,
  ProbeExchange,
  ProbeHost,
  ProbeRequest,
  ProbeSuite,
} from "../conformance/probe.ts";
import type { RunningHost } from "../conformance/run-suite.ts";
import { statsLines } from "../conformance/stats-lines.ts";
import { blockOf } from "../conformance/transcript.ts";
import { startServer } from "./called-servers.ts";
import type { CalledServer } from "./called-servers.ts";
import { EnvoyProcess } from "./envoy-process.ts";
import { Http1Client } from "./http1-client.ts";
import { Http2Client } from "./http2-client.ts";
import type { ListenerSpec, PluginSpec } from "./listeners.ts";
import { tcpCluster, upstreamCluster } from "./listeners.ts";
import { PluginLog } from "./plugin-log.ts";
import { RealExchange } from "./real-exchange.ts";
import { listenerSpecs, pluginSpecs } from "./real-options.ts";
import { TcpClient } from "./tcp-client.ts";
import { TcpServer } from "./tcp-server.ts";
import { Upstream } from "./upstream.ts";

const patienceMs = 10_000;
/** A case is over when nothing has been logged for so long. */
const quietMs = 60;

interface Machines {
  readonly upstream: Upstream;
  readonly tcp: TcpServer;
  readonly called: ReadonlyMap<string, CalledServer>;
}

export async function startReal(suite: ProbeSuite, binary: string): Promise<RunningHost> {
  const plugins = await pluginSpecs(suite.plugins);
  const machines = await startMachines(suite);
  const listeners = listenerSpecs(suite, plugins);
  const all = [...plugins.values()];
  try {
    const envoy = await EnvoyProcess.start({
      binary,
      concurrency: suite.concurrency ?? 1,
      clusters: [
        { name: upstreamCluster, port: machines.upstream.port },
        { name: tcpCluster, port: machines.tcp.port },
        ...[...machines.called.values()].map(({ spec }) => spec),
      ],
      listeners: [...listeners.values()],
      drainSeconds: suite.drainSeconds ?? 1,
      services: all.filter(({ kind }) => kind === "service" || kind === "singleton"),
      statsSinks: all.filter(({ kind }) => kind === "stats_sink"),
      ...(suite.flushSeconds === undefined ? {} : { flushSeconds: suite.flushSeconds }),
    });
    return new RealProbeHost(suite, { envoy, machines, listeners, plugins });
  } catch (error) {
    stopMachines(machines);
    throw error;
  }
}

async function startMachines(suite: ProbeSuite): Promise<Machines> {
  const called = new Map<string, CalledServer>();
  for (const cluster of suite.clusters ?? []) called.set(cluster.name, await startServer(cluster));
  return { upstream: await Upstream.start(), tcp: await TcpServer.start(), called };
}

function stopMachines({ upstream, tcp, called }: Machines): void {
  upstream.stop();
  tcp.stop();
  for (const server of called.values()) server.stop();
}

interface Parts {
  readonly envoy: EnvoyProcess;
  readonly machines: Machines;
  readonly listeners: Map<string, ListenerSpec>;
  readonly plugins: ReadonlyMap<string, PluginSpec>;
}

export class RealProbeHost implements RunningHost {
  readonly kind = "envoy";
  readonly #suite: ProbeSuite;
  readonly #envoy: EnvoyProcess;
  readonly #machines: Machines;
  /** All that the suite knows. */
  readonly #listeners: Map<string, ListenerSpec>;
  /** Those that Envoy has now, in order. */
  readonly #open: Set<string>;
  readonly #log: PluginLog;
  #notes: string[] = [];

  constructor(suite: ProbeSuite, { envoy, machines, listeners, plugins }: Parts) {
    this.#suite = suite;
    this.#envoy = envoy;
    this.#machines = machines;
    this.#listeners = listeners;
    this.#open = new Set(listeners.keys());
    const named = [...plugins.values()].map(({ name, rootId = "", vmId = "" }) => {
      return { name, rootId, vmId };
    });
    this.#log = new PluginLog(envoy.logPath, envoy.pid, named);
  }

  note(line: string): void {
    this.#notes.push(line);
  }

  request(request: ProbeRequest): ProbeExchange {
    const { upstream } = this.#machines;
    const awaited = upstream.await({
      method: methodOf(request),
      path: request.path ?? "/",
      answer: request.upstream ?? defaultAnswer,
    });
    const port = this.#envoy.port(request.listener ?? listenersOf(this.#suite)[0]?.name ?? "");
    const Client = request.protocol === "http2" ? Http2Client : Http1Client;
    return new RealExchange(new Client(port, request), awaited, upstream, this);
  }

  async ask(request: ProbeRequest): Promise<ProbeExchange> {
    const exchange = this.request(request);
    await exchange.end();
    return exchange;
  }

  connect(options: Parameters<ProbeHost["connect"]>[0]): Promise<ProbeConnection> {
    const arrival = this.#machines.tcp.await(options.upstream ?? "silent");
    return TcpClient.connect(this.#envoy.port(options.listener), arrival, this);
  }

  async wait(ms: number): Promise<void> {
    await sleep(ms);
  }

  async untilLogged(text: string, count = 1): Promise<void> {
    await this.until(`"${text}" is logged`, () => {
      return this.#log.lines.filter((line) => line.text.includes(text)).length >= count;
    });
  }

  async reconfigure(plugin: string, configuration: string): Promise<void> {
    const before = new Map(this.#listeners);
    for (const [name, listener] of before) {
      const plugins = listener.plugins.map((one) =>
        one.name === plugin ? { ...one, configuration } : one,
      );
      this.#listeners.set(name, { ...listener, plugins });
    }
    if (await this.#update()) return;
    this.note(`the new configuration of ${plugin} is refused`);
    for (const [name, listener] of before) this.#listeners.set(name, listener);
  }

  async remove(listener: string): Promise<void> {
    this.#open.delete(listener);
    await this.#update();
    await this.#envoy.drained();
  }

  async add(listener: string): Promise<void> {
    this.#open.add(listener);
    await this.#update();
  }

  called(cluster: string): Promise<void> {
    const server = this.#machines.called.get(cluster);
    if (server === undefined) return Promise.reject(new Error(`no cluster ${cluster}`));
    const lines = server.seen();
    for (const line of lines) this.note(line);
    if (lines.length === 0) this.note(`${cluster}: nothing`);
    return Promise.resolve();
  }

  async stats(filter: RegExp, format: "text" | "prometheus" = "text"): Promise<void> {
    const page = format === "text" ? "/stats" : "/stats/prometheus";
    for (const line of statsLines(await this.#envoy.adminPage(page), filter)) this.note(line);
  }

  async shutdown(): Promise<void> {
    await this.#envoy.stop();
  }

  async block(head: { readonly id: string; readonly what: string }): Promise<string[]> {
    const beganMs = performance.now();
    const isQuiet = (): boolean => {
      void this.#log.lines;
      const nowMs = performance.now();
      return nowMs - Math.max(beganMs, this.#log.changedMs) >= quietMs;
    };
    await this.until("the log is quiet", isQuiet);
    const lines = blockOf(head, this.#log.take(), this.#notes);
    this.#notes = [];
    return lines;
  }

  async close(): Promise<void> {
    await this.#envoy.stop();
    this.#log.close();
    this.#envoy.discard();
    stopMachines(this.#machines);
  }

  /** Waits for it; fails with Envoy's last lines after 10 s. */
  async until(what: string, condition: () => boolean): Promise<void> {
    const endMs = performance.now() + patienceMs;
    while (!condition()) {
      if (performance.now() > endMs)
        throw new Error(`did not happen within 10 s: ${what}\n${this.#envoy.lastLines()}`);
      await sleep(3);
    }
  }

  async #update(): Promise<boolean> {
    const open = [...this.#listeners.values()].filter(({ name }) => this.#open.has(name));
    const isTaken = await this.#envoy.offer(open);
    // The main thread has it; the workers follow within their next turn.
    await sleep(quietMs);
    return isTaken;
  }
}
