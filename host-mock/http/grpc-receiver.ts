import { MockHostError } from "../errors.ts";
import { lossyUtf8 } from "../state/bytes.ts";
import { HeaderMap } from "../state/header-map.ts";
import { parseDuration } from "../time/duration.ts";
import type { HeaderList } from "./cluster-options.ts";
import { grpcEnding, type GrpcEnding, type GrpcReply } from "./grpc-cluster.ts";
import type { GrpcEnd, GrpcRequest, GrpcServerStream } from "./grpc-options.ts";
import { bytesOf, pairsOf, requireBytes } from "./pairs.ts";
import { requireHeaders } from "./request-options.ts";

/** What comes back from a receiver, in order. */
export type GrpcPart =
  | {
      readonly kind: "headers";
      readonly headers: HeaderMap;
      readonly isEnd: boolean;
      /** Envoy's words for an answer of its own. */
      readonly details?: string;
    }
  | { readonly kind: "message"; readonly message: Uint8Array }
  | { readonly kind: "trailers"; readonly trailers: HeaderMap }
  /** What is no message of gRPC. */
  | { readonly kind: "garbage" }
  /** The connection broke. */
  | { readonly kind: "reset" };

/** Sends a part `afterNs` from now, or behind what was sent before when that is later. */
export type Emit = (part: GrpcPart, afterNs: number) => void;

type Pairs = readonly (readonly [string, string | Uint8Array])[];

/** A call as its receiver sees it. */
export class ReceivedGrpc implements GrpcRequest {
  readonly cluster: string;
  readonly messages: Uint8Array[] = [];
  isEnded = false;
  isCancelled = false;
  readonly #headers: HeaderMap;

  constructor(cluster: string, headers: HeaderMap) {
    this.cluster = cluster;
    this.#headers = headers;
  }

  get path(): string {
    return this.#headers.text(":path") ?? "";
  }

  get service(): string {
    return this.path.split("/")[1] ?? "";
  }

  get method(): string {
    return this.path.split("/")[2] ?? "";
  }

  get authority(): string {
    return this.#headers.text(":authority") ?? "";
  }

  get metadata(): readonly (readonly [string, string])[] {
    return this.#headers
      .entries()
      .map(([name, value]): readonly [string, string] => [lossyUtf8(name), lossyUtf8(value)])
      .filter(([name]) => !name.startsWith(":"));
  }

  header(name: string): string | undefined {
    return this.#headers.text(name);
  }
}

/** The answering side of a call: keeps the order of headers, messages and end. */
export class GrpcAnswering implements GrpcServerStream {
  readonly call: GrpcRequest;
  readonly #emit: Emit;
  #hasHeaders = false;
  #hasEnded = false;

  constructor(call: GrpcRequest, emit: Emit) {
    this.call = call;
    this.#emit = emit;
  }

  sendMetadata(headers: HeaderList, after?: string): void {
    requireHeaders(`${this.#called}: metadata`, headers);
    if (this.#hasHeaders) throw this.#wrong("sends its metadata twice", "send it once, and first");
    this.#requireOpen();
    this.#headers(pairsOf(headers), nsOf(after));
  }

  send(message: string | Uint8Array, after?: string): void {
    requireBytes(`${this.#called}: a message`, message);
    this.#requireOpen();
    const afterNs = nsOf(after);
    if (!this.#hasHeaders) this.#headers([], afterNs);
    this.#emit({ kind: "message", message: bytesOf(message) }, afterNs);
  }

  close(end: GrpcEnd = {}, after?: string): void {
    this.#requireOpen();
    const afterNs = nsOf(after);
    const ending = grpcEnding(this.#called, end);
    if (!this.#hasHeaders) this.#headers([], afterNs);
    this.#end(ending, afterNs);
  }

  reset(after?: string): void {
    this.#requireOpen();
    this.#hasEnded = true;
    this.#emit({ kind: "reset" }, nsOf(after));
  }

  /** A whole answer, part by part. */
  answer(reply: GrpcReply): void {
    const { delayNs, gapNs, breakAfter, end } = reply;
    if (reply.isTrailersOnly) {
      const headers = HeaderMap.from([...opening, ...reply.metadata, ...endPairs(end)], "response");
      this.#emit({ kind: "headers", headers, isEnd: true }, delayNs);
      return;
    }
    this.#headers(reply.metadata, delayNs);
    const messages = reply.messages.slice(0, breakAfter ?? reply.messages.length);
    messages.forEach((message, index) => {
      this.#emit({ kind: "message", message }, delayNs + index * gapNs);
    });
    const lastNs = delayNs + Math.max(0, messages.length - 1) * gapNs;
    if (breakAfter === null) this.#end(end, lastNs);
    else this.#emit({ kind: "reset" }, lastNs);
  }

  #headers(metadata: Pairs, afterNs: number): void {
    this.#hasHeaders = true;
    const headers = HeaderMap.from([...opening, ...metadata], "response");
    this.#emit({ kind: "headers", headers, isEnd: false }, afterNs);
  }

  #end(end: GrpcEnding, afterNs: number): void {
    this.#hasEnded = true;
    const trailers = HeaderMap.from([...endPairs(end)], "responseTrailers");
    this.#emit({ kind: "trailers", trailers }, afterNs);
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw this.#wrong("sends after its end", "end it once, and last");
  }

  #wrong(what: string, remedy: string): MockHostError {
    return new MockHostError("E_OPTION", `${this.#called} ${what}`, { remedy });
  }

  get #called(): string {
    return `gRPC cluster ${this.call.cluster}`;
  }
}

const opening: Pairs = [
  [":status", "200"],
  ["content-type", "application/grpc"],
];

function endPairs({ status, message, trailers }: GrpcEnding): Pairs {
  const text: Pairs = message === "" ? [] : [["grpc-message", message]];
  return [["grpc-status", String(status)], ...text, ...trailers];
}

function nsOf(duration: string | undefined): number {
  return duration === undefined ? 0 : parseDuration(duration);
}
