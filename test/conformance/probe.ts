/**
 * What a probe is: steps that run on any host, and the transcript of what plugins, clients and upstreams saw. A suite
 * is one configuration and many cases; a real Envoy and the mock run it through the same `ProbeHost`.
 */
import type { BuildOptions } from "../support/build-guest.ts";

/** A guest in AssemblyScript, or WebAssembly text of `test/conformance/wat/`, with a name section if asked for. */
export type ProbeGuest = BuildOptions | { readonly wat: string; readonly names?: boolean };

export interface ProbePlugin {
  /** The property `plugin_name`; the log lines of its streams carry it. */
  readonly name: string;
  /** The scripted guest when absent. */
  readonly guest?: ProbeGuest;
  readonly rootId?: string;
  readonly vmId?: string;
  /** Tells VMs of one vm_id apart; "" when absent. */
  readonly vmConfiguration?: string;
  /** A script of root callbacks (probe-script), or whatever the guest reads. */
  readonly configuration?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly failurePolicy?: "FAIL_CLOSED" | "FAIL_OPEN" | "FAIL_RELOAD";
  /** FAIL_RELOAD's back-off. */
  readonly reload?: { readonly baseInterval: string } | undefined;
  /** The older switch; not together with a policy. */
  readonly failOpen?: boolean;
  /** Names allowed by capability restriction; absent: everything is. */
  readonly allowedCapabilities?: readonly string[];
  readonly allowOnHeadersStopIteration?: boolean;
  /** `http` when absent. Bootstrap services are `service` and `singleton`. */
  readonly kind?: "http" | "network" | "service" | "singleton" | "access_log" | "stats_sink";
}

export interface ProbeListener {
  readonly name: string;
  /** Chain order; names of plugins of kind http or access_log, or of kind network: then it is a TCP listener. */
  readonly plugins: readonly string[];
  readonly bufferLimitBytes?: number;
  readonly maxRequestHeaderCount?: number;
  readonly maxRequestHeadersKb?: number;
  /** Answered by a direct response of the route; else routed to `upstream`. */
  readonly directResponse?: { readonly status: number; readonly body: string };
  readonly allowUpgrade?: boolean;
}

/** A cluster that plugins may call: each call gets the next answer, the last one again and again. */
export interface ProbeCluster {
  readonly name: string;
  readonly protocol: "http" | "grpc" | "dead" | "empty";
  readonly answers?: readonly ProbeAnswer[];
}

/**
 * What an upstream does with a request. `frames` leave `gapMs` apart. `breakAfter`: the connection is cut once so many
 * frames are out (0: right after the headers). `never`: the request is taken and not answered. `grpcStatus`, for
 * clusters of protocol grpc: `frames` are messages, the status stands in the trailers.
 */
export interface ProbeAnswer {
  readonly status?: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly frames?: readonly string[];
  readonly trailers?: readonly (readonly [name: string, value: string])[];
  readonly delayMs?: number;
  readonly gapMs?: number;
  readonly breakAfter?: number;
  readonly never?: boolean;
  readonly resetAtOnce?: boolean;
  readonly grpcStatus?: number;
  readonly grpcMessage?: string;
}

export interface ProbeRequest {
  /** The first listener when absent. */
  readonly listener?: string;
  readonly protocol?: "http1" | "http2";
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Text as `latin1`: one character a byte. Sent `gapMs` (default 30) apart, chunked unless `contentLength`. */
  readonly frames?: readonly string[];
  readonly gapMs?: number;
  readonly contentLength?: number;
  readonly trailers?: readonly (readonly [name: string, value: string])[];
  /** Scripts for the stream's plugins: sent as header `x-probe`, or `x-probe-NAME` for one plugin. */
  readonly script?: string | Readonly<Record<string, string>>;
  /** What `upstream` answers: 200 "ok" when absent. */
  readonly upstream?: ProbeAnswer;
}

export interface ProbeExchange {
  /** Waits for the answer (or a reset) and writes what client and upstream saw. Fails after 10 s. */
  end(): Promise<void>;
  /** Waits so long, writes `client: nothing yet`, fails if there is an answer; the exchange goes on. */
  stillWaits(ms: number): Promise<void>;
  /** The client goes away now. */
  abandon(): Promise<void>;
  readonly status: number | null;
  readonly body: string;
}

export interface ProbeConnection {
  send(bytes: string): Promise<void>;
  /** Half close. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
  /** Waits until so many bytes have come, or the end; writes them. */
  received(sizeBytes: number): Promise<void>;
  /** Waits until the connection has ended; writes all that came. */
  ended(): Promise<void>;
}

/** A host under probe. Everything awaited is real time on a real Envoy and virtual time on the mock. */
export interface ProbeHost {
  readonly kind: "envoy" | "mock";
  /** A line of the case's own in the transcript. */
  note(line: string): void;
  request(request: ProbeRequest): ProbeExchange;
  /** request() and its end(). */
  ask(request: ProbeRequest): Promise<ProbeExchange>;
  /** A TCP connection through a listener of network plugins; `upstream`: what its server does. */
  connect(options: {
    readonly listener: string;
    readonly upstream?:
      "echo" | "silent" | { readonly sends: readonly string[]; readonly closes?: boolean };
  }): Promise<ProbeConnection>;
  wait(ms: number): Promise<void>;
  /** Until plugins have logged, within this case, `count` (1) lines that contain the text. Fails after 10 s. */
  untilLogged(text: string, count?: number): Promise<void>;
  /** A new configuration of one plugin, put into effect on every thread; the old contexts drain. */
  reconfigure(plugin: string, configuration: string): Promise<void>;
  /** A plugin, and its listener, disappears; waits for the drain. */
  remove(listener: string): Promise<void>;
  add(listener: string): Promise<void>;
  /** Writes what a cluster of the suite was asked since the last look, a line for each call, or `nothing`. */
  called(cluster: string): Promise<void>;
  /** Writes the lines of the statistics page whose names match. */
  stats(filter: RegExp, format?: "text" | "prometheus"): Promise<void>;
  /** SIGTERM; the plugins' last lines go into this case. The suite's last case only. */
  shutdown(): Promise<void>;
}

export interface ProbeCase {
  /** Unique in the suite; kebab-case. */
  readonly id: string;
  /** A sentence. */
  readonly what: string;
  /** Numbers of the table of common mistakes in `test/conformance/README.md` that this case shows. */
  readonly shows?: readonly number[];
  run(host: ProbeHost): Promise<void>;
}

export interface ProbeSuite {
  /** Kebab-case; its expected transcript is `expected/NAME.txt`. */
  readonly name: string;
  readonly what: string;
  /** Workers; 1 when absent. */
  readonly concurrency?: number;
  readonly plugins: readonly ProbePlugin[];
  /** One HTTP listener "main" with every http plugin in order when absent. */
  readonly listeners?: readonly ProbeListener[];
  readonly clusters?: readonly ProbeCluster[];
  /** 1 when absent. */
  readonly drainSeconds?: number;
  /** Seconds between flushes of statistics (histograms and sinks); 5 when absent, as in Envoy. */
  readonly flushSeconds?: number;
  readonly cases: readonly ProbeCase[];
}
