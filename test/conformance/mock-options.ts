/** A suite's configuration and requests in the mock's own words. */
import type {
  CallRequest,
  ClusterOptions,
  MockEnvoyOptions,
  PluginOptions,
  ReplyOptions,
  RequestOptions,
} from "../../host-mock/index.ts";
import { bytesOf, latin1 } from "./bytes-shown.ts";
import type { HeaderPairs } from "./bytes-shown.ts";
import { grpcLine, messageLine } from "./exchange-lines.ts";
import type { GrpcMessage, Message } from "./exchange-lines.ts";
import {
  answerHeaders,
  authority,
  defaultAnswer,
  defaultGapMs,
  methodOf,
  requestHeaders,
} from "./messages.ts";
import type {
  ProbeAnswer,
  ProbeCluster,
  ProbeListener,
  ProbePlugin,
  ProbeRequest,
  ProbeSuite,
} from "./probe.ts";
import { guestBytes } from "./probe-script.ts";

export const nodeNames = { id: "conformance-node", cluster: "conformance-cluster" };
/** What the listeners of every suite call their parts. */
export const routing = {
  routeName: "a-route",
  virtualHostName: "all-hosts",
  filterChainName: "",
  clusterName: "upstream",
} as const;
/** The cluster behind listeners of network plugins. */
const tcpCluster = "tcp-upstream";

type Pairs = readonly (readonly [string, Uint8Array])[];

/** What each cluster was asked: a line for each call, written when it is looked at. */
export type SeenCalls = Map<string, (() => string)[]>;

export async function envoyOptions(suite: ProbeSuite, seen: SeenCalls): Promise<MockEnvoyOptions> {
  const plugins: PluginOptions[] = [];
  for (const plugin of suite.plugins) plugins.push(await pluginOptions(plugin));
  return {
    concurrency: suite.concurrency ?? 1,
    drain: `${String(suite.drainSeconds ?? 1)}s`,
    statsFlushInterval: `${String(suite.flushSeconds ?? 5)}s`,
    node: nodeNames,
    plugins,
    clusters: Object.fromEntries(
      (suite.clusters ?? []).map((cluster) => [cluster.name, clusterOptions(cluster, seen)]),
    ),
    listeners: listenersOption(suite),
  } as MockEnvoyOptions;
}

function listenersOption(suite: ProbeSuite): Record<string, unknown> {
  const all = listenersOf(suite);
  return Object.fromEntries(all.map((one) => [one.name, listenerOptions(one, isTcp(one, suite))]));
}

function isTcp({ plugins }: ProbeListener, suite: ProbeSuite): boolean {
  return suite.plugins.some(({ name, kind }) => kind === "network" && plugins.includes(name));
}

/** The suite's listeners; one with every plugin of kind http when it names none. */
export function listenersOf(suite: ProbeSuite): readonly ProbeListener[] {
  if (suite.listeners !== undefined) return suite.listeners;
  const names = suite.plugins.filter(({ kind = "http" }) => kind === "http");
  return [{ name: "main", plugins: names.map(({ name }) => name) }];
}

export async function pluginOptions(plugin: ProbePlugin): Promise<PluginOptions> {
  const { guest, rootId, ...same } = plugin;
  const wasm = await guestBytes(guest);
  return { ...same, rootId: rootId ?? plugin.name, wasm } as PluginOptions;
}

export function listenerOptions(listener: ProbeListener, isTcp = false): Record<string, unknown> {
  const same = Object.fromEntries(Object.entries(listener).filter(([key]) => key !== "name"));
  return { ...same, ...routing, ...(isTcp ? { clusterName: tcpCluster } : {}) };
}

function clusterOptions(cluster: ProbeCluster, seen: SeenCalls): ClusterOptions {
  const { name, protocol, answers = [{}] } = cluster;
  if (protocol === "dead") return { fail: "refuse_connection" };
  if (protocol === "empty") return { fail: "no_healthy_host" };
  const lines: (() => string)[] = [];
  seen.set(name, lines);
  let count = 0;
  const next = (): ProbeAnswer => answers[Math.min(count++, answers.length - 1)] ?? {};
  if (protocol === "grpc") {
    const grpc = (call: GrpcCall): unknown => {
      lines.push(() => grpcLine(name, shownCall(call)));
      return grpcReply(next());
    };
    return { grpc } as unknown as ClusterOptions;
  }
  return (request: CallRequest) => {
    const line = messageLine(name, callMessage(request));
    lines.push(() => line);
    return httpReply(next(), request.method);
  };
}

/** As far as it is shown; the mock's own is `GrpcRequest`. */
interface GrpcCall {
  readonly path: string;
  readonly authority: string;
  readonly metadata: HeaderPairs;
  readonly messages: readonly Uint8Array[];
}

function shownCall(call: GrpcCall): GrpcMessage {
  const { path, authority, metadata } = call;
  return { path, authority, metadata, messages: call.messages.map(latin1) };
}

/** The receiver's headers are text, U+FFFD for what is not UTF-8. */
function callMessage(request: CallRequest): Message {
  return {
    head: `${request.method} ${request.path}`,
    headers: [["host", request.authority], ...request.rawHeaders.map(asLatin1)],
    body: latin1(request.body),
    trailers: [],
    isBroken: false,
  };
}

function httpReply(answer: ProbeAnswer, method: string): ReplyOptions {
  if (answer.never === true) return { fail: "timeout" };
  if (answer.resetAtOnce === true) return { fail: "disconnect" };
  return answerOptions(answer, method);
}

function grpcReply(answer: ProbeAnswer): Record<string, unknown> {
  if (answer.never === true) return { fail: "timeout" };
  if (answer.resetAtOnce === true) return { fail: "reset" };
  return {
    messages: (answer.frames ?? []).map(bytesOf),
    metadata: [...pairs(answer.headers ?? []), ["date", "Thu, 01 Jan 2026 00:00:00 GMT"]],
    ...(answer.grpcStatus === undefined ? {} : { status: answer.grpcStatus }),
    ...(answer.grpcMessage === undefined ? {} : { message: answer.grpcMessage }),
    ...(answer.trailers === undefined ? {} : { trailers: pairs(answer.trailers) }),
    ...timing(answer),
  };
}

/** Values of the mock are text where they are UTF-8. */
function asLatin1([name, value]: readonly [string, string | Uint8Array]): [string, string] {
  return [name, latin1(typeof value === "string" ? Buffer.from(value, "utf8") : value)];
}

function answerOptions(answer: ProbeAnswer, method: string): Record<string, unknown> {
  return {
    status: answer.status ?? 200,
    headers: pairs(answerHeaders(answer, method)),
    ...(answer.frames === undefined ? {} : { body: answer.frames.map(bytesOf) }),
    ...(answer.trailers === undefined ? {} : { trailers: pairs(answer.trailers) }),
    ...timing(answer),
  };
}

/** Said only where it means something. */
function timing({ frames = [], delayMs, gapMs, breakAfter }: ProbeAnswer): Record<string, unknown> {
  return {
    ...(delayMs === undefined ? {} : { delay: `${String(delayMs)}ms` }),
    ...(frames.length > 1 ? { frameGap: `${String(gapMs ?? defaultGapMs)}ms` } : {}),
    ...(breakAfter === undefined ? {} : { breakAfter }),
  };
}

export function requestOptions(request: ProbeRequest, listener: string): RequestOptions {
  const { path, frames, trailers, gapMs, protocol, upstream = defaultAnswer } = request;
  const method = methodOf(request);
  const gaps = (frames?.length ?? 0) + (trailers === undefined ? 0 : 1);
  return {
    listener,
    method,
    path: path ?? "/",
    headers: [[":authority", authority], ...pairs(requestHeaders(request))],
    ...(protocol === "http2" ? { protocol: "HTTP/2" } : {}),
    ...(frames === undefined ? {} : { body: frames.map(bytesOf) }),
    ...(trailers === undefined ? {} : { trailers: pairs(trailers) }),
    ...(gaps > 1 ? { frameGap: `${String(gapMs ?? defaultGapMs)}ms` } : {}),
    upstream: upstreamOptions(upstream, method),
  };
}

function upstreamOptions(answer: ProbeAnswer, method: string): Record<string, unknown> {
  if (answer.never === true) return { fail: "timeout" };
  if (answer.resetAtOnce === true) return { fail: "reset" };
  return answerOptions(answer, method);
}

function pairs(headers: readonly (readonly [string, string])[]): Pairs {
  return headers.map(([name, value]) => [name, bytesOf(value)]);
}
