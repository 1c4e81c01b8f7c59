/** A client's TCP connection through Envoy. */
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { shownBytes } from "../conformance/bytes-shown.ts";
import type { ProbeConnection } from "../conformance/probe.ts";
import type { TcpArrival } from "./tcp-server.ts";

/** What is sent is on its way for so long before the next step. */
const stepMs = 30;

export interface TcpHost {
  note(line: string): void;
  until(what: string, condition: () => boolean): Promise<void>;
}

export class TcpClient implements ProbeConnection {
  readonly #socket: Socket;
  readonly #arrival: TcpArrival;
  readonly #host: TcpHost;
  #received = "";
  #hasEnded = false;

  static async connect(port: number, arrival: TcpArrival, host: TcpHost): Promise<TcpClient> {
    const client = new TcpClient(port, arrival, host);
    await new Promise((resolve, reject) => {
      client.#socket.once("connect", resolve);
      client.#socket.once("error", reject);
    });
    await sleep(stepMs);
    return client;
  }

  private constructor(port: number, arrival: TcpArrival, host: TcpHost) {
    this.#arrival = arrival;
    this.#host = host;
    this.#socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    this.#socket.on("data", (bytes) => (this.#received += bytes.toString("latin1")));
    this.#socket.on("end", () => (this.#hasEnded = true));
    this.#socket.on("close", () => (this.#hasEnded = true));
    // A reset is told of by its close.
    this.#socket.on("error", () => undefined);
  }

  async send(bytes: string): Promise<void> {
    this.#socket.write(bytes, "latin1");
    await sleep(stepMs);
  }

  async finish(): Promise<void> {
    this.#socket.end();
    await sleep(stepMs);
  }

  async abandon(): Promise<void> {
    this.#socket.resetAndDestroy();
    await sleep(stepMs);
    this.#noteUpstream();
  }

  async received(sizeBytes: number): Promise<void> {
    const has = (): boolean => this.#received.length >= sizeBytes || this.#hasEnded;
    await this.#host.until(`${String(sizeBytes)} bytes`, has);
    this.#host.note(`client received ${shownBytes(this.#received)}`);
  }

  async ended(): Promise<void> {
    await this.#host.until("the connection's end", () => this.#hasEnded);
    await sleep(stepMs);
    this.#host.note(`client received ${shownBytes(this.#received)} and the end`);
    this.#noteUpstream();
    this.#socket.destroy();
  }

  #noteUpstream(): void {
    const { received, hasEnd } = this.#arrival;
    this.#arrival.isOver = true;
    this.#host.note(`upstream received ${shownBytes(received)}${hasEnd ? " and the end" : ""}`);
  }
}
