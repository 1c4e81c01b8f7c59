/** A TCP connection on the mock. */
import type { MockEnvoy } from "../../host-mock/index.ts";
import { bytesOf, latin1, shownBytes } from "./bytes-shown.ts";
import type { MockProbeHost } from "./mock-host.ts";
import type { ProbeConnection, ProbeHost } from "./probe.ts";

type Options = Parameters<ProbeHost["connect"]>[0];

/** As far as it is used here; the mock's own is `TcpConnection`. */
interface Connection {
  readonly received: Uint8Array;
  readonly hasEnd: boolean;
  readonly isClosed: boolean;
  readonly upstream: { readonly received: Uint8Array; readonly hasEnd: boolean };
  send(bytes: Uint8Array): void;
  finish(): void;
  abandon(): void;
}

interface Connects {
  connect(options: unknown): Connection;
}

/** What is sent is on its way for so long before the next step. */
const stepMs = 30;

export function connectMock(
  envoy: MockEnvoy,
  host: MockProbeHost,
  { listener, upstream = "silent" }: Options,
): Promise<ProbeConnection> {
  const thread = envoy.thread("worker_0") as Partial<Connects>;
  if (thread.connect === undefined) throw new Error("the mock takes no TCP connections");
  const server =
    typeof upstream === "string"
      ? upstream
      : { ...upstream, sends: upstream.sends.map(bytesOf), gap: `${String(stepMs)}ms` };
  const connection = thread.connect({ listener, upstream: server });
  host.advance(stepMs);
  return Promise.resolve(new MockConnection(connection, host));
}

class MockConnection implements ProbeConnection {
  readonly #connection: Connection;
  readonly #host: MockProbeHost;

  constructor(connection: Connection, host: MockProbeHost) {
    this.#connection = connection;
    this.#host = host;
  }

  send(bytes: string): Promise<void> {
    this.#connection.send(bytesOf(bytes));
    return this.#step();
  }

  finish(): Promise<void> {
    this.#connection.finish();
    return this.#step();
  }

  async abandon(): Promise<void> {
    this.#connection.abandon();
    await this.#step();
    this.#noteUpstream();
  }

  async received(sizeBytes: number): Promise<void> {
    const has = (): boolean => this.#connection.received.length >= sizeBytes || this.#hasEnded();
    await this.#host.until(`${String(sizeBytes)} bytes`, has);
    this.#host.note(`client received ${shownBytes(latin1(this.#connection.received))}`);
  }

  async ended(): Promise<void> {
    await this.#host.until("the connection's end", () => this.#hasEnded());
    this.#host.advance(stepMs);
    const { received } = this.#connection;
    this.#host.note(`client received ${shownBytes(latin1(received))} and the end`);
    this.#noteUpstream();
  }

  #hasEnded(): boolean {
    return this.#connection.hasEnd || this.#connection.isClosed;
  }

  #noteUpstream(): void {
    const { received, hasEnd } = this.#connection.upstream;
    const end = hasEnd ? " and the end" : "";
    this.#host.note(`upstream received ${shownBytes(latin1(received))}${end}`);
  }

  #step(): Promise<void> {
    this.#host.advance(stepMs);
    return Promise.resolve();
  }
}
