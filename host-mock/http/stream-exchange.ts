import type { HeaderMap } from "../state/header-map.ts";
import type { TraceArgs, TraceSubject, TraceValue } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { ClientSide } from "./client-side.ts";
import type { Exchange, HttpProtocol, RequestOptions } from "./exchange.ts";
import { routeNames, type ResolvedListener } from "./listener-options.ts";
import { framesOf, joinedBytes, pairsOf, shownHeaders, type ShownHeaders } from "./pairs.ts";
import { resolveProperties } from "./property-overrides.ts";
import type { Lane, Scheduler } from "./scheduler.ts";
import { StreamInfo } from "./stream-info.ts";
import type { UpstreamSide } from "./upstream-side.ts";

export interface StreamOptions {
  readonly id: number;
  readonly lane: Lane;
  readonly scheduler: Scheduler;
  readonly recorder: Recorder;
  readonly listener: ResolvedListener;
  readonly request: RequestOptions;
  /** Deterministic: what Envoy would draw for `x-request-id`. */
  readonly requestId: string;
  readonly wallClock: { readonly wallNs: bigint };
}

/** What of a stream is to be seen from outside: the exchange that a test looks at, and the trace. */
export abstract class StreamExchange implements Exchange {
  readonly id: number;
  readonly thread: string;
  readonly listener: string;
  readonly protocol: HttpProtocol;
  readonly startedNs: number;
  /** What properties and logs show of it. */
  readonly info = new StreamInfo();
  done = false;
  status: number | null = null;
  receivedStatus: number | null = null;
  local = false;
  protected abstract readonly client: ClientSide;
  protected abstract readonly router: UpstreamSide;
  readonly #recorder: Recorder;

  constructor(options: StreamOptions) {
    const { id, lane, scheduler, recorder, listener, request } = options;
    this.id = id;
    this.thread = lane.name;
    this.listener = listener.name;
    this.protocol = request.protocol ?? "HTTP/1.1";
    this.startedNs = scheduler.nowNs;
    this.info.protocol = this.protocol;
    this.info.route = routeNames(listener);
    const own = resolveProperties("a request's properties", request.properties);
    this.info.overrides =
      own.size === 0 ? listener.properties : new Map([...listener.properties, ...own]);
    this.noteStart(options);
    this.#recorder = recorder;
    this.#record(HostEvent.requestStarted, {
      request: this.id,
      method: request.method ?? "GET",
      path: request.path ?? "/",
      headers: pairsOf(request.headers),
      body: joinedBytes(framesOf(request.body)),
    });
  }

  get headers(): ShownHeaders {
    return shownHeaders(this.client.headers, { pseudo: false });
  }

  get body(): Uint8Array {
    return joinedBytes(this.client.chunks);
  }

  get trailers(): ShownHeaders {
    return shownHeaders(this.client.trailers);
  }

  get isReset(): boolean {
    return this.client.isReset;
  }

  get upstream(): Exchange["upstream"] {
    return this.router.seen;
  }

  text(): string {
    return new TextDecoder().decode(this.body);
  }

  abstract abandon(): void;

  /** It begins now, as far as properties know. */
  protected noteStart({ wallClock, scheduler }: StreamOptions): void {
    this.info.startedWallNs = wallClock.wallNs;
    this.info.startedNs = scheduler.nowNs;
  }

  /** The upstream has the whole request. */
  onRequestArrived(headers: HeaderMap, body: Uint8Array): void {
    this.#record(HostEvent.requestUpstream, {
      request: this.id,
      headers: shownHeaders(headers),
      body,
    });
  }

  protected recordIgnoredContinue(direction: string): void {
    this.#record(HostEvent.continueIgnored, { request: this.id, direction });
  }

  protected recordEnd(expect: RequestOptions["expect"]): void {
    const { id: request, headers, body, local } = this;
    const args =
      expect === undefined
        ? { request, headers, body, local }
        : { request, headers, body, local, expect: expect.status };
    this.#record(HostEvent.requestEnded, args, this.status);
  }

  #record(name: string, args: TraceArgs, result: TraceValue = null): void {
    const subject: TraceSubject = { thread: this.thread, vm: "", plugin: "", context: 0 };
    this.#recorder.record(subject, "timer", name, args, null, result);
  }
}
