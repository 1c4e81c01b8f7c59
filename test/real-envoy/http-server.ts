/** An HTTP/1.1 server that does with each request what a case says, byte by byte. */
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "../conformance/exchange-lines.ts";
import { answerHeaders, defaultGapMs } from "../conformance/messages.ts";
import type { ProbeAnswer } from "../conformance/probe.ts";
import { chunkText, headText, Http1Message, lastChunkText } from "./http1-message.ts";

/** A request as it arrived, as far as it has. */
export interface Arrival {
  readonly message: Http1Message;
  /** No more of it comes. */
  isOver: boolean;
}

/** What the server is to do with a request; undefined: nobody expects one. */
export type Choose = (arrival: Arrival, method: string, path: string) => ProbeAnswer | undefined;

export class HttpServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async start(choose: Choose): Promise<HttpServer> {
    const server = new HttpServer(choose);
    await new Promise<void>((resolve, reject) => {
      server.#server.once("error", reject);
      server.#server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }

  private constructor(choose: Choose) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      new Conversation(socket, choose);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** One connection from Envoy: requests one after another. */
class Conversation {
  readonly #socket: Socket;
  readonly #choose: Choose;
  #arrival: Arrival | undefined;
  #answer: ProbeAnswer | undefined;

  constructor(socket: Socket, choose: Choose) {
    this.#socket = socket;
    this.#choose = choose;
    socket.setNoDelay(true);
    socket.on("data", (bytes) => this.#take(bytes.toString("latin1")));
    // A broken connection is told of by its close.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (this.#arrival !== undefined) this.#arrival.isOver = true;
    });
  }

  #take(bytes: string): void {
    let rest = bytes;
    do {
      this.#arrival ??= { message: new Http1Message({ isAnswer: false }), isOver: false };
      const arrival = this.#arrival;
      const { message } = arrival;
      rest = message.push(rest);
      if (message.hasHead && this.#answer === undefined) {
        const [method = "", path = ""] = message.startLine.split(" ");
        this.#answer = this.#choose(arrival, method, path) ?? unexpected;
        if (this.#answer.resetAtOnce === true) this.#socket.destroy();
      }
      if (!message.isComplete) return;
      arrival.isOver = true;
      const answer = this.#answer ?? unexpected;
      this.#arrival = this.#answer = undefined;
      void this.#send(answer, message.startLine.split(" ")[0] ?? "");
    } while (rest !== "");
  }

  async #send(answer: ProbeAnswer, method: string): Promise<void> {
    const { status = 200, frames = [], trailers = [], delayMs = 0, gapMs = defaultGapMs } = answer;
    if (answer.never === true || answer.resetAtOnce === true) return;
    if (delayMs > 0) await sleep(delayMs);
    const headers = answerHeaders(answer, method);
    const isChunked = headers.some(([name]) => name === "transfer-encoding");
    this.#write(headText(`HTTP/1.1 ${String(status)} Status`, headers));
    for (const [index, frame] of frames.entries()) {
      if (index === answer.breakAfter) break;
      if (index > 0) await sleep(gapMs);
      this.#write(isChunked ? chunkText(frame) : frame);
    }
    if (answer.breakAfter !== undefined) {
      await sleep(defaultGapMs);
      this.#socket.destroy();
    } else if (isChunked) this.#write(lastChunkText(trailers));
  }

  #write(text: string): void {
    if (!this.#socket.destroyed) this.#socket.write(text, "latin1");
  }
}

const unexpected: ProbeAnswer = { status: 599, frames: ["nobody expects this request"] };

/** As a transcript shows it. */
export function messageOf({ message }: Arrival): Message {
  const { startLine, headers, trailers, body } = message;
  return { head: startLine.replace(/ HTTP\/1\.1$/, ""), headers, body, trailers, isBroken: false };
}
