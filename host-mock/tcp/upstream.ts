import { MockHostError } from "../errors.ts";
import { bytesOf, joinedBytes, requirePart } from "../http/pairs.ts";
import { parseDuration } from "../time/duration.ts";
import type { TcpBytes, TcpUpstreamOptions } from "./connection-options.ts";
import { Incoming } from "./incoming.ts";
import type { TcpUpstream } from "./tcp-connection.ts";

/** What the server asks of the connection it stands behind. */
export interface UpstreamPort {
  /** Nanoseconds since the start of the run. */
  readonly nowNs: number;
  /** Runs on the connection's thread, so much later. */
  later(delayNs: number, run: () => void): void;
  /** The server has sent, ended its side or gone away. */
  onUpstreamEvent(): void;
  /** What was caused from outside has happened when this returns. */
  settle(): void;
}

/** The server behind a connection: what it has seen, and what it does by itself. */
export class Upstream implements TcpUpstream {
  isConnected = false;
  hasEnd = false;
  isBroken = false;
  /** It broke the connection. */
  hasLeft = false;
  /** What it sends, as Envoy reads it. */
  readonly incoming: Incoming;
  /** It has ended its side, whether Envoy knows or not. */
  #hasFinished = false;
  readonly #options: TcpUpstreamOptions;
  readonly #port: UpstreamPort;
  readonly #chunks: Uint8Array[] = [];
  /** What is on its way to Envoy, in order: equals of an instant come as they were sent. */
  readonly #onTheWay: { readonly dueNs: number; readonly step: () => void }[] = [];

  constructor(options: TcpUpstreamOptions, port: UpstreamPort, limitBytes: number) {
    this.#options = options;
    this.#port = port;
    this.incoming = new Incoming(limitBytes);
  }

  get received(): Uint8Array {
    return joinedBytes(this.#chunks);
  }

  text(): string {
    return new TextDecoder().decode(this.received);
  }

  get connectNs(): number {
    return parseDuration(this.#options.delay ?? "0ms");
  }

  send(bytes: TcpBytes): void {
    requirePart("upstream.send's argument", bytes);
    this.#requireOpen("send");
    this.#send(bytesOf(bytes));
    this.#port.settle();
  }

  finish(): void {
    this.#requireOpen("finish");
    this.#finish();
    this.#port.settle();
  }

  abandon(): void {
    if (!this.isConnected) throw notConnected("abandon");
    this.hasLeft = true;
    this.#port.later(0, () => this.#port.onUpstreamEvent());
    this.#port.settle();
  }

  /** Envoy's connection has come: it begins to do what it does by itself. */
  onConnected(): void {
    this.isConnected = true;
    const { sends = [], gap = "0ms", closes = false } = this.#options;
    const frames = (
      Array.isArray(sends) ? (sends as readonly TcpBytes[]) : [sends as TcpBytes]
    ).map(bytesOf);
    const gapNs = parseDuration(gap);
    for (const [index, bytes] of frames.entries()) this.#send(bytes, index * gapNs);
    if (closes) this.#finish(frames.length * gapNs);
  }

  onData(bytes: Uint8Array, isEnd: boolean): void {
    if (bytes.length > 0) this.#chunks.push(bytes);
    if (bytes.length > 0 && this.#options.echoes === true && !this.#hasFinished) this.#send(bytes);
    if (!isEnd) return;
    this.hasEnd = true;
    if (this.#options.lingers !== true && !this.#hasFinished) this.#finish();
  }

  /** Envoy has ended the connection; `isReset`: as the client did, with a reset. */
  onGone(isReset: boolean): void {
    if (!this.isConnected) return;
    this.isConnected = false;
    this.isBroken = isReset && !this.hasEnd;
    this.hasEnd ||= !isReset;
  }

  #send(bytes: Uint8Array, delayNs = 0): void {
    this.#stepAt(this.#port.nowNs + delayNs, () => this.incoming.push(bytes));
  }

  /** Behind all that it has sent. */
  #finish(delayNs = 0): void {
    this.#hasFinished = true;
    const lastNs = this.#onTheWay.at(-1)?.dueNs ?? 0;
    const dueNs = Math.max(this.#port.nowNs + delayNs, lastNs);
    this.#stepAt(dueNs, () => this.incoming.finish());
  }

  /** Each step comes by itself. */
  #stepAt(dueNs: number, step: () => void): void {
    const behind = this.#onTheWay.findLastIndex((other) => other.dueNs <= dueNs);
    this.#onTheWay.splice(behind + 1, 0, { dueNs, step });
    this.#port.later(dueNs - this.#port.nowNs, () => {
      this.#onTheWay.shift()!.step();
      if (this.isConnected) this.#port.onUpstreamEvent();
    });
  }

  #requireOpen(verb: string): void {
    if (!this.isConnected) throw notConnected(verb);
    if (!this.#hasFinished) return;
    throw new MockHostError("E_STATE", `upstream.${verb}: it has ended its side`, {
      remedy: "leave out finish(), or closes",
    });
  }
}

function notConnected(verb: string): MockHostError {
  return new MockHostError("E_STATE", `upstream.${verb}: Envoy is not connected to it`, {
    remedy: "ask upstream.isConnected first; a filter may hold the connection up",
  });
}
