/** A client's HTTP/2 request on a connection of its own, with prior knowledge of the protocol. */
import { connect } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { bytesOf, latin1 } from "../conformance/bytes-shown.ts";
import type { HeaderPairs } from "../conformance/bytes-shown.ts";
import type { Message } from "../conformance/exchange-lines.ts";
import { authority, defaultGapMs, methodOf, requestHeaders } from "../conformance/messages.ts";
import type { ProbeRequest } from "../conformance/probe.ts";
import type { ClientRequest } from "./http1-client.ts";

export class Http2Client implements ClientRequest {
  readonly #session: ClientHttp2Session;
  readonly #stream: ClientHttp2Stream;
  readonly #parts: string[] = [];
  #headers: HeaderPairs | null = null;
  #trailers: HeaderPairs = [];
  #isComplete = false;
  #isOver = false;

  constructor(port: number, request: ProbeRequest) {
    this.#session = connect(`http://127.0.0.1:${String(port)}`);
    this.#session.on("error", () => (this.#isOver = true));
    const { frames, trailers } = request;
    const hasBody = frames !== undefined || trailers !== undefined;
    this.#stream = this.#session.request(outgoing(request), {
      endStream: !hasBody,
      waitForTrailers: trailers !== undefined,
    });
    this.#listen();
    if (trailers !== undefined)
      this.#stream.on("wantTrailers", () => this.#stream.sendTrailers(headersOf(trailers)));
    if (hasBody) void this.#send(request);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get status(): number | null {
    const status = this.#headers?.find(([name]) => name === ":status")?.[1];
    return status === undefined ? null : Number(status);
  }

  get answer(): Message | null {
    if (this.#headers === null) return null;
    return {
      head: String(this.status),
      headers: this.#headers.filter(([name]) => !name.startsWith(":")),
      body: this.#parts.join(""),
      trailers: this.#trailers,
      isBroken: !this.#isComplete,
    };
  }

  abandon(): void {
    this.#session.destroy();
  }

  #listen(): void {
    this.#stream.on("response", (...given: unknown[]) => (this.#headers = rawPairs(given)));
    this.#stream.on("trailers", (...given: unknown[]) => (this.#trailers = rawPairs(given)));
    this.#stream.on("data", (bytes: Buffer) => this.#parts.push(latin1(bytes)));
    this.#stream.on("end", () => (this.#isComplete = this.#stream.rstCode === 0));
    // A reset is told of by its close.
    this.#stream.on("error", () => undefined);
    this.#stream.on("close", () => {
      if (this.#stream.rstCode !== 0) this.#isComplete = false;
      this.#isOver = true;
      this.#session.destroy();
    });
  }

  /** The last frame carries the end of the stream, unless trailers follow. */
  async #send({ frames = [], gapMs = defaultGapMs, trailers }: ProbeRequest): Promise<void> {
    for (const [index, frame] of frames.entries()) {
      if (index > 0) await sleep(gapMs);
      if (this.#stream.destroyed) return;
      this.#stream.write(bytesOf(frame));
    }
    if (trailers !== undefined && frames.length > 0) await sleep(gapMs);
    if (!this.#stream.destroyed) this.#stream.end();
  }
}

function outgoing(request: ProbeRequest): OutgoingHttpHeaders {
  return {
    ":authority": authority,
    ":path": request.path ?? "/",
    ":method": methodOf(request),
    ":scheme": "http",
    ...headersOf(requestHeaders(request)),
  };
}

/** Several values of a name stand in a list; node sends them as headers of their own. */
function headersOf(pairs: HeaderPairs): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const known = headers[name];
    headers[name] = known === undefined ? value : [...[known].flat(), value];
  }
  return headers;
}

/** Node hands out names and values as they came as the third argument. */
function rawPairs([, , raw]: readonly unknown[]): HeaderPairs {
  const texts = raw as readonly string[];
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < texts.length; at += 2) pairs.push([texts[at]!, texts[at + 1]!]);
  return pairs;
}
