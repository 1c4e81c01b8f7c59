/** The servers behind the clusters that plugins call, and what came to them. */
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { grpcLine, messageLine } from "../conformance/exchange-lines.ts";
import type { ProbeAnswer, ProbeCluster } from "../conformance/probe.ts";
import type { ClusterSpec } from "./clusters.ts";
import { GrpcServer } from "./grpc-server.ts";
import { HttpServer, messageOf } from "./http-server.ts";
import type { Arrival } from "./http-server.ts";

export interface CalledServer {
  readonly spec: ClusterSpec;
  /** What came since the last look, a line for each call. */
  seen(): string[];
  stop(): void;
}

export function startServer(cluster: ProbeCluster): Promise<CalledServer> {
  switch (cluster.protocol) {
    case "http":
      return startHttp(cluster);
    case "grpc":
      return startGrpc(cluster);
    case "dead":
      return startDead(cluster.name);
    case "empty":
      return Promise.resolve(withoutServer({ name: cluster.name }));
  }
}

async function startHttp({ name, answers }: ProbeCluster): Promise<CalledServer> {
  const arrivals: Arrival[] = [];
  const next = answersOf(answers);
  const server = await HttpServer.start((arrival) => {
    arrivals.push(arrival);
    return next();
  });
  return {
    spec: { name, port: server.port },
    seen: () => arrivals.splice(0).map((arrival) => messageLine(name, messageOf(arrival))),
    stop: () => {
      server.stop();
    },
  };
}

async function startGrpc({ name, answers }: ProbeCluster): Promise<CalledServer> {
  const server = await GrpcServer.start(answersOf(answers));
  return {
    spec: { name, port: server.port, protocol: "http2" },
    seen: () => server.seen().map((call) => grpcLine(name, call)),
    stop: () => {
      server.stop();
    },
  };
}

/** A port where nobody listens. */
async function startDead(name: string): Promise<CalledServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return withoutServer({ name, port });
}

function withoutServer(spec: ClusterSpec): CalledServer {
  return { spec, seen: () => [], stop: () => undefined };
}

/** One after another, the last one again and again. */
function answersOf(answers: readonly ProbeAnswer[] = [{}]): () => ProbeAnswer {
  let count = 0;
  return () => answers[Math.min(count++, answers.length - 1)] ?? {};
}
