/** A real Envoy: start, wait until ready, read its log, stop; on failure its last words. It never outlives the check. */
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startLogged } from "./children.ts";
import { get } from "./http-client.ts";
import { bootstrap, writeListeners } from "./listeners.ts";
import type { ClusterSpec, ListenerSpec, PluginSpec } from "./listeners.ts";
import { parseLogLine } from "./witness-log.ts";
import type { LogLine } from "./witness-log.ts";

export interface EnvoyOptions {
  /** Path of the Envoy binary. */
  readonly binary: string;
  /** Worker threads; one more VM runs on the main thread. */
  readonly concurrency: number;
  readonly clusters: readonly ClusterSpec[];
  readonly listeners: readonly ListenerSpec[];
  /** How long a replaced listener and its contexts live on; default 600 s, as Envoy's. */
  readonly drainSeconds?: number;
  readonly services?: readonly PluginSpec[];
  readonly statsSinks?: readonly PluginSpec[];
  readonly flushSeconds?: number;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Long, because a large module compiles for half a minute on a loaded machine. */
const startMs = 60_000;

export class EnvoyProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<Ended>;
  #end: Ended | undefined;
  #adminPort = 0;
  #ports = new Map<string, number>();

  /** Starts Envoy and waits until it serves; throws with its last log lines when it does not. */
  static async start(options: EnvoyOptions): Promise<EnvoyProcess> {
    const envoy = new EnvoyProcess(options);
    try {
      await envoy.#ready();
      await envoy.#serves(options.listeners);
    } catch (error) {
      await envoy.stop();
      throw error;
    }
    return envoy;
  }

  private constructor(options: EnvoyOptions) {
    this.#folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-envoy-"));
    writeListeners(this.#path("listeners.json"), options.listeners);
    const config = bootstrap({ ...options, listenersFile: this.#path("listeners.json") });
    writeFileSync(this.#path("envoy.json"), JSON.stringify(config, null, 1));
    const args = ["-c", this.#path("envoy.json"), "--concurrency", String(options.concurrency)];
    args.push("--disable-hot-restart", "--admin-address-path", this.#path("admin"));
    args.push("--drain-time-s", String(options.drainSeconds ?? 600));
    args.push("-l", "warning", "--component-log-level", "wasm:debug");
    args.push("--log-format", "[%H:%M:%S.%f][%t][%l][%n] %v");
    this.#child = startLogged({ command: options.binary, args, log: this.logPath });
    this.#ended = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("exit", (code, signal) => {
        this.#end = { code, signal };
        resolve(this.#end);
      });
    });
  }

  /**
   * Replaces listeners and waits until each serves; ports stay. Returns the instant of the change on the machine's
   * monotonic clock, which the guests read too.
   */
  async update(listeners: readonly ListenerSpec[]): Promise<bigint> {
    const atNs = await this.#change(listeners, "listener_manager.lds.update_success");
    await this.#serves(listeners);
    return atNs;
  }

  /** Offers listeners, and waits until they serve or are turned down: whether it took them. */
  async offer(listeners: readonly ListenerSpec[]): Promise<boolean> {
    const count = async (what: string): Promise<number> =>
      (await this.statistic(`listener_manager.lds.update_${what}`)) ?? 0;
    const taken = await count("success");
    const refused = await count("rejected");
    writeListeners(this.#path("listeners.json"), listeners);
    let isTaken = false;
    await this.until("the listeners are taken or refused", async () => {
      isTaken = (await count("success")) > taken;
      return isTaken || (await count("rejected")) > refused;
    });
    if (isTaken) await this.#serves(listeners);
    return isTaken;
  }

  /** Offers listeners and waits until Envoy has turned them down; those it has go on. */
  async refuses(listeners: readonly ListenerSpec[]): Promise<void> {
    await this.#change(listeners, "listener_manager.lds.update_rejected");
  }

  /** The operating system's id of the process, and of its main thread. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get logPath(): string {
    return this.#path("log");
  }

  /** A page of the admin interface. */
  async adminPage(path: string): Promise<string> {
    return (await get(this.#adminPort, path)).body;
  }

  /** The port that a listener got. */
  port(listener: string): number {
    const port = this.#ports.get(listener);
    if (port === undefined)
      throw new Error(`no listener ${listener}; there are: ${[...this.#ports.keys()].join(", ")}`);
    return port;
  }

  /** The log so far; a last line still being written is left out. */
  log(): LogLine[] {
    const text = readFileSync(this.#path("log"), "utf8");
    return text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .map(parseLogLine);
  }

  /** Waits until no listener is going any more. */
  async drained(): Promise<void> {
    const statistic = "listener_manager.total_listeners_draining";
    const isOver = async (): Promise<boolean> => (await this.statistic(statistic)) === 0;
    await this.until("the drain is over", isOver, startMs);
  }

  /** Waits for a condition on the log or elsewhere; throws with Envoy's last lines when it does not come. */
  async until(
    what: string,
    condition: () => boolean | Promise<boolean>,
    timeoutMs = 30_000,
  ): Promise<void> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      if (await condition()) return;
      if (this.#end !== undefined)
        throw new Error(`Envoy ended before: ${what}\n${this.lastLines()}`);
      if (performance.now() > end) {
        throw new Error(
          `did not happen within ${String(timeoutMs)} ms: ${what}\n${this.lastLines()}`,
        );
      }
      await sleep(20);
    }
  }

  /** Value of one statistic; undefined when Envoy has none of that name. */
  async statistic(name: string): Promise<number | undefined> {
    const { body } = await get(this.#adminPort, `/stats?filter=${encodeURIComponent(`^${name}$`)}`);
    const found = /: (\d+)$/m.exec(body)?.[1];
    return found === undefined ? undefined : Number(found);
  }

  /** SIGTERM, and SIGKILL when that takes more than 15 s; safe to call again. */
  async stop(): Promise<Ended> {
    if (this.#end === undefined) this.#child.kill("SIGTERM");
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 15_000);
    const ended = await this.#ended;
    clearTimeout(late);
    return ended;
  }

  /** Removes the scratch folder; the log is gone then. */
  discard(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  lastLines(count = 25): string {
    const lines = readFileSync(this.#path("log"), "utf8").trimEnd().split("\n");
    return [`--- Envoy's last log lines (${this.#path("log")})`, ...lines.slice(-count)].join("\n");
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  async #change(listeners: readonly ListenerSpec[], statistic: string): Promise<bigint> {
    const count = async (): Promise<number> => (await this.statistic(statistic)) ?? 0;
    const before = await count();
    const atNs = process.hrtime.bigint();
    writeListeners(this.#path("listeners.json"), listeners);
    await this.until(`${statistic} grows`, async () => (await count()) > before, startMs);
    return atNs;
  }

  async #ready(): Promise<void> {
    await this.until("the admin address", () => this.#readAdminPort(), startMs);
    const isReady = async (): Promise<boolean> => {
      const answer = await get(this.#adminPort, "/ready").catch(() => undefined);
      return answer?.status === 200;
    };
    await this.until("ready", isReady, startMs);
  }

  /** Until every listener is open and none is still getting its plugins. */
  async #serves(listeners: readonly ListenerSpec[]): Promise<void> {
    await this.until(
      `listeners ${listeners.map(({ name }) => name).join(", ")}`,
      async () => {
        if ((await this.statistic("listener_manager.total_listeners_warming")) !== 0) return false;
        this.#ports = await this.#readPorts();
        return listeners.every(({ name }) => this.#ports.has(name));
      },
      startMs,
    );
  }

  async #readPorts(): Promise<Map<string, number>> {
    const { body } = await get(this.#adminPort, "/listeners?format=json");
    const { listener_statuses: statuses = [] } = JSON.parse(body) as ListenersAnswer;
    return new Map(
      statuses.map(({ name, local_address: local }) => [name, local.socket_address.port_value]),
    );
  }

  #readAdminPort(): boolean {
    if (!existsSync(this.#path("admin"))) return false;
    this.#adminPort = Number(
      /:(\d+)$/.exec(readFileSync(this.#path("admin"), "utf8").trim())?.[1] ?? 0,
    );
    return this.#adminPort > 0;
  }
}

/** What the admin's `/listeners?format=json` answers, as far as it is read here. */
interface ListenersAnswer {
  readonly listener_statuses?: readonly {
    readonly name: string;
    readonly local_address: { readonly socket_address: { readonly port_value: number } };
  }[];
}
