import { lossyUtf8, noBytes } from "../state/bytes.ts";
import type { TraceSubject } from "../trace/event.ts";
import type { ExchangeParts, GrpcKind } from "./grpc-exchange.ts";
import type { GrpcRequest } from "./grpc-options.ts";
import type { ReceivedGrpc } from "./grpc-receiver.ts";

/** One gRPC call or stream that the host accepted, as far as it has come. */
export interface GrpcCall extends TraceSubject {
  readonly kind: GrpcKind;
  readonly token: number;
  readonly cluster: string;
  /** `/package.Service/Method`. */
  readonly path: string;
  /** When it was started, nanoseconds since the start of the run. */
  readonly atNs: number;
  /** What the receiver sees, live; null when it never got there. */
  readonly received: GrpcRequest | null;
  /** The gRPC status that the plugin was told; null while it goes on, and for one that was cancelled. */
  readonly status: number | null;
  /** The status message; bytes that are not UTF-8 are shown as U+FFFD. */
  readonly message: string;
}

/** What stays of a call when it is over: it holds neither its caller nor what is under way. */
export class GrpcRecord implements GrpcCall {
  readonly thread: string;
  readonly vm: string;
  readonly plugin: string;
  readonly context: number;
  readonly kind: GrpcKind;
  readonly token: number;
  readonly cluster: string;
  readonly path: string;
  readonly atNs: number;
  /** Nothing more is told to the plugin. */
  isOver = false;
  received: ReceivedGrpc | null = null;
  status: number | null = null;
  statusMessage: Uint8Array = noBytes;

  constructor({ subject, kind, token, cluster, headers, sentNs }: ExchangeParts) {
    this.thread = subject.thread;
    this.vm = subject.vm;
    this.plugin = subject.plugin;
    this.context = subject.context;
    this.kind = kind;
    this.token = token;
    this.cluster = cluster;
    this.path = headers.text(":path") ?? "";
    this.atNs = sentNs;
  }

  get message(): string {
    return lossyUtf8(this.statusMessage);
  }
}
