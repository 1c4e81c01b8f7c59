/** A gRPC server that answers each call as a case says, from the moment that it arrives. */
import { createServer } from "node:http2";
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { bytesOf, latin1 } from "../conformance/bytes-shown.ts";
import type { HeaderPairs } from "../conformance/bytes-shown.ts";
import type { GrpcMessage } from "../conformance/exchange-lines.ts";
import { defaultGapMs } from "../conformance/messages.ts";
import type { ProbeAnswer } from "../conformance/probe.ts";

/** A call as the server sees it. */
interface GrpcArrival {
  readonly headers: HeaderPairs;
  /** The frames as they came. */
  body: string;
}

export class GrpcServer {
  readonly #arrivals: GrpcArrival[] = [];
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  static async start(next: () => ProbeAnswer): Promise<GrpcServer> {
    const server = new GrpcServer(next);
    await new Promise<void>((resolve, reject) => {
      server.#server.once("error", reject);
      server.#server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }

  private constructor(next: () => ProbeAnswer) {
    this.#server = createServer();
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("error", () => undefined);
      session.on("close", () => this.#sessions.delete(session));
    });
    this.#server.on("stream", (stream, _headers, _flags, ...more: unknown[]) => {
      const arrival = { headers: pairsOf(more[0]), body: "" };
      this.#arrivals.push(arrival);
      stream.on("data", (bytes: Buffer) => (arrival.body += latin1(bytes)));
      // A cancelled call is told of by its close.
      stream.on("error", () => undefined);
      void answerCall(stream, next());
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** What came since the last look. */
  seen(): GrpcMessage[] {
    return this.#arrivals.splice(0).map(({ headers, body }) => {
      const named = (wanted: string): string =>
        headers.find(([name]) => name === wanted)?.[1] ?? "";
      return {
        path: named(":path"),
        authority: named(":authority"),
        metadata: headers.filter(([name]) => !name.startsWith(":")),
        messages: messagesIn(body),
      };
    });
  }

  stop(): void {
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
  }
}

function pairsOf(raw: unknown): HeaderPairs {
  const texts = raw as readonly string[];
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < texts.length; at += 2) pairs.push([texts[at]!, texts[at + 1]!]);
  return pairs;
}

async function answerCall(stream: ServerHttp2Stream, answer: ProbeAnswer): Promise<void> {
  if (answer.never === true) return;
  if (answer.resetAtOnce === true) {
    stream.session?.destroy();
    return;
  }
  const { status = 200, headers = [], frames = [], gapMs = defaultGapMs, delayMs = 0 } = answer;
  if (delayMs > 0) await sleep(delayMs);
  if (stream.destroyed) return;
  stream.respond(
    { ":status": status, "content-type": "application/grpc", ...Object.fromEntries(headers) },
    { waitForTrailers: answer.breakAfter === undefined },
  );
  stream.on("wantTrailers", () => {
    stream.sendTrailers({
      "grpc-status": String(answer.grpcStatus ?? 0),
      ...(answer.grpcMessage === undefined ? {} : { "grpc-message": answer.grpcMessage }),
      ...Object.fromEntries(answer.trailers ?? []),
    });
  });
  for (const [index, frame] of frames.entries()) {
    if (index === answer.breakAfter) break;
    if (index > 0) await sleep(gapMs);
    if (stream.destroyed) return;
    stream.write(grpcFrame(frame));
  }
  if (answer.breakAfter === undefined) {
    stream.end();
    return;
  }
  await sleep(defaultGapMs);
  stream.session?.destroy();
}

function messagesIn(body: string): string[] {
  const bytes = bytesOf(body);
  const messages: string[] = [];
  for (let at = 0; at + 5 <= bytes.length;) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    messages.push(body.slice(at + 5, end));
    at = end;
  }
  return messages;
}

/** | u8 compressed: 0 | u32 size, big endian | message | */
function grpcFrame(message: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, bytesOf(message)]);
}
