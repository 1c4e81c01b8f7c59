import { MockHostError } from "../errors.ts";
import { bytesOf, joinedBytes, requirePart } from "../http/pairs.ts";
import type { DueEvent, Lane, Scheduler } from "../http/scheduler.ts";
import { openUpstream, StreamInfo, type RouteNames } from "../http/stream-info.ts";
import type { Body } from "../state/body.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { ConnectOptions, TcpBytes, TcpUpstreamOptions } from "./connection-options.ts";
import { FilterManager, type ReadSource } from "./filter-manager.ts";
import { Incoming } from "./incoming.ts";
import type { TcpConnection } from "./tcp-connection.ts";
import type { Closer, TcpFilter } from "./tcp-filter.ts";
import { Upstream, type UpstreamPort } from "./upstream.ts";

export interface ConnectionParts {
  readonly id: number;
  readonly listener: string;
  readonly lane: Lane;
  readonly scheduler: Scheduler;
  readonly recorder: Recorder;
  readonly options: ConnectOptions;
  /** Envoy's buffer of each direction. */
  readonly limitBytes: number;
  /** What properties call the parts of its listener. */
  readonly route: RouteNames;
  readonly wallClock: { readonly wallNs: bigint };
  /** What was asked for from outside happens before the verb returns. */
  readonly settle: () => void;
}

/**
 * A connection through a listener: the client's side, the chain of network filters, the TCP proxy at its end, and the
 * server behind it. Half closes pass both ways; when both sides have ended theirs, the connection is over.
 *
 * Source: Envoy `source/common/network/connection_impl.cc`, `source/common/tcp_proxy/tcp_proxy.cc`.
 */
export class Connection implements TcpConnection, TcpFilter, UpstreamPort {
  readonly id: number;
  readonly thread: string;
  readonly listener: string;
  readonly startedNs: number;
  /** What properties show of it. */
  readonly info = new StreamInfo();
  readonly upstream: Upstream;
  closedBy: Closer | null = null;
  hasEnd = false;
  /** Envoy never resets a client's connection by itself. */
  readonly isBroken = false;
  readonly #parts: ConnectionParts;
  readonly #refuses: boolean;
  readonly #fromClient: Incoming;
  readonly #chunks: Uint8Array[] = [];
  #manager: FilterManager | undefined;
  #hasClientLeft = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.thread = parts.lane.name;
    this.listener = parts.listener;
    this.startedNs = parts.scheduler.nowNs;
    this.info.protocol = undefined;
    this.info.route = parts.route;
    this.#fromClient = new Incoming(parts.limitBytes);
    const { upstream = "silent" } = parts.options;
    this.#refuses = upstream === "refuse";
    this.upstream = new Upstream(behaviourOf(upstream), this, parts.limitBytes);
    this.#record(HostEvent.connectionStarted, { listener: this.listener });
  }

  get nowNs(): number {
    return this.#parts.scheduler.nowNs;
  }

  get received(): Uint8Array {
    return joinedBytes(this.#chunks);
  }

  get isClosed(): boolean {
    return this.closedBy !== null;
  }

  text(): string {
    return new TextDecoder().decode(this.received);
  }

  send(bytes: TcpBytes): void {
    requirePart("send's argument", bytes);
    this.#requireSending("send");
    this.#fromClient.push(bytesOf(bytes));
    this.#readSoon();
  }

  finish(): void {
    this.#requireSending("finish");
    this.#fromClient.finish();
    this.#readSoon();
  }

  abandon(): void {
    if (this.isClosed || this.#hasClientLeft) return;
    this.#hasClientLeft = true;
    this.#readSoon();
  }

  /** The thread's loop takes the connection up. */
  begin(filters: readonly TcpFilter[]): void {
    this.info.startedWallNs = this.#parts.wallClock.wallNs;
    this.info.startedNs = this.#parts.scheduler.nowNs;
    const fromClient = this.#fromClient;
    const source: ReadSource = {
      isOpen: () => !this.isClosed,
      buffer: fromClient.buffer,
      isEnd: () => fromClient.isEnd,
    };
    this.#manager = new FilterManager(filters, this, source);
    this.#manager.read();
  }

  /** `proxy_continue_stream`: reading goes on behind this filter. */
  resume(filter: TcpFilter): void {
    this.#manager?.read(filter);
    this.#read();
  }

  /** Envoy ends the connection; what is on its way to the client arrives. */
  close(): void {
    this.#close("local");
  }

  /** The proxy: it connects, and reads on when it is connected. */
  onNewConnection(): boolean {
    this.info.attemptCount = 1;
    this.later(this.upstream.connectNs, () => {
      if (this.isClosed) return;
      if (this.#refuses) {
        this.#close("local");
        return;
      }
      this.info.upstream = openUpstream(this.#parts.scheduler.nowNs);
      this.upstream.onConnected();
      this.#read();
    });
    return true;
  }

  onDownstreamData(data: Body, isEnd: boolean): boolean {
    const bytes = data.drain();
    if (bytes.length > 0) this.#record(HostEvent.connectionData, { to: "upstream", bytes });
    this.upstream.onData(bytes, isEnd);
    // Both of its directions may be over now.
    if (isEnd) this.later(0, () => this.onUpstreamEvent());
    return true;
  }

  /** The proxy is where writes begin. */
  onUpstreamData(): boolean {
    return true;
  }

  onClose(): void {
    this.upstream.onGone(this.#hasClientLeft);
  }

  onUpstreamEvent(): void {
    const { upstream } = this;
    const { incoming } = upstream;
    // What does not fit into the buffer comes with the reads that follow.
    while (!this.isClosed && incoming.read()) this.#write(incoming.buffer, incoming.isEnd);
    if (this.isClosed) return;
    // Both of the upstream's directions are over, or it broke: the client's connection ends after what was written.
    const isOver = upstream.hasLeft || (incoming.isEnd && upstream.hasEnd);
    if (isOver) this.#close("local");
  }

  later(delayNs: number, run: () => void): void {
    const { lane, scheduler } = this.#parts;
    scheduler.schedule(new ConnectionEvent(lane, run), scheduler.nowNs + delayNs);
  }

  settle(): void {
    this.#parts.settle();
  }

  #readSoon(): void {
    this.later(0, () => this.#read());
    this.#parts.settle();
  }

  /** Nothing is read while the proxy is not connected: a new connection that is held up sees no data. */
  #read(): void {
    if (this.isClosed || this.#manager === undefined || !this.upstream.isConnected) return;
    while (this.#fromClient.read()) {
      this.info.receivedBytes = this.#fromClient.readBytes;
      this.#manager.read();
      if (this.#isOver()) return;
    }
    if (this.#hasClientLeft) this.#close("remote");
    else if (this.#fromClient.isEnd && this.hasEnd) this.#close("remote");
  }

  #isOver(): boolean {
    return this.isClosed;
  }

  #write(data: Body, isEnd: boolean): void {
    if (this.hasEnd || !this.#manager!.write(data, isEnd)) return;
    const bytes = data.drain();
    if (bytes.length > 0) {
      this.#chunks.push(bytes);
      this.#record(HostEvent.connectionData, { to: "client", bytes });
    }
    this.info.sentBytes += bytes.length;
    this.hasEnd = isEnd;
    if (isEnd && this.#fromClient.isEnd) this.#close("local");
  }

  #close(by: Closer): void {
    if (this.isClosed) return;
    this.closedBy = by;
    this.hasEnd = true;
    this.#manager?.close(by);
    this.#record(HostEvent.connectionEnded, { by });
    this.#manager = undefined;
  }

  #requireSending(verb: string): void {
    const isOver = this.isClosed || this.#hasClientLeft;
    if (!isOver && !this.#fromClient.hasFinished) return;
    const why = isOver ? "it is over" : "the client has ended its side";
    throw new MockHostError("E_STATE", `connection ${this.id}: ${verb}: ${why}`, {
      remedy: this.isClosed
        ? "ask isClosed first"
        : `call ${verb} before ${isOver ? "abandon()" : "finish()"}`,
    });
  }

  #record(name: string, args: TraceArgs): void {
    const subject = { thread: this.thread, vm: "", plugin: "", context: 0 };
    this.#parts.recorder.record(subject, "timer", name, { connection: this.id, ...args });
  }
}

class ConnectionEvent implements DueEvent {
  readonly class = EventClass.answer;
  readonly lane: Lane;
  readonly run: () => void;

  constructor(lane: Lane, run: () => void) {
    this.lane = lane;
    this.run = run;
  }
}

function behaviourOf(upstream: NonNullable<ConnectOptions["upstream"]>): TcpUpstreamOptions {
  if (typeof upstream === "object") return upstream;
  return upstream === "echo" ? { echoes: true } : {};
}
