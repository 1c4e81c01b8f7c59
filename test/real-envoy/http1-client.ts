/** A client's HTTP/1.1 request on a connection of its own, byte by byte. */
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "../conformance/exchange-lines.ts";
import { authority, defaultGapMs, methodOf, requestHeaders } from "../conformance/messages.ts";
import type { ProbeRequest } from "../conformance/probe.ts";
import { chunkText, headText, Http1Message, lastChunkText } from "./http1-message.ts";

/** A request under way, whatever its protocol. */
export interface ClientRequest {
  /** The answer is complete, or the stream is over without it. */
  readonly isOver: boolean;
  /** Null until headers have come. */
  readonly answer: Message | null;
  readonly status: number | null;
  abandon(): void;
}

export class Http1Client implements ClientRequest {
  readonly #socket: Socket;
  readonly #message: Http1Message;
  #isClosed = false;

  constructor(port: number, request: ProbeRequest) {
    this.#message = new Http1Message({
      isAnswer: true,
      isBodiless: methodOf(request) === "HEAD",
    });
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (bytes) => {
      this.#message.push(bytes.toString("latin1"));
      if (this.#message.isComplete) this.#socket.destroy();
    });
    // A reset is told of by its close.
    this.#socket.on("error", () => undefined);
    this.#socket.on("end", () => this.#message.end());
    this.#socket.on("close", () => (this.#isClosed = true));
    this.#socket.once("connect", () => void this.#send(request));
  }

  get isOver(): boolean {
    return this.#message.isComplete || this.#isClosed;
  }

  get status(): number | null {
    return this.#message.hasHead ? this.#message.status : null;
  }

  get answer(): Message | null {
    if (!this.#message.hasHead) return null;
    const { headers, body, trailers, status, isComplete } = this.#message;
    return { head: String(status), headers, body, trailers, isBroken: !isComplete };
  }

  abandon(): void {
    this.#socket.destroy();
  }

  async #send(request: ProbeRequest): Promise<void> {
    const { path = "/", frames, trailers, gapMs = defaultGapMs } = request;
    const headers = requestHeaders(request);
    const isChunked = headers.some(([name]) => name === "transfer-encoding");
    const line = `${methodOf(request)} ${path} HTTP/1.1`;
    this.#write(headText(line, [["host", authority], ...headers]));
    for (const [index, frame] of (frames ?? []).entries()) {
      if (index > 0) await sleep(gapMs);
      this.#write(isChunked ? chunkText(frame) : frame);
    }
    if (!isChunked) return;
    if (trailers !== undefined && (frames?.length ?? 0) > 0) await sleep(gapMs);
    this.#write(lastChunkText(trailers ?? []));
  }

  #write(text: string): void {
    if (!this.#socket.destroyed) this.#socket.write(text, "latin1");
  }
}
