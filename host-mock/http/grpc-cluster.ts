import { kindOf, requireFlag, requireKeys, requireText } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { parseDuration } from "../time/duration.ts";
import { requireBreakAfter, requireFailure } from "./cluster.ts";
import {
  grpcFailures,
  type GrpcAnswerOptions,
  type GrpcClusterOptions,
  type GrpcFailure,
  type GrpcReplyOptions,
  type GrpcRequest,
  type GrpcScript,
} from "./grpc-options.ts";
import { grpcStatusMax } from "./grpc-status.ts";
import { bytesOf, pairsOf, requireBytes } from "./pairs.ts";
import { requireHeaders } from "./request-options.ts";

type Pairs = readonly (readonly [string, string | Uint8Array])[];

/** One answer, checked. */
export interface GrpcReply {
  readonly metadata: Pairs;
  readonly messages: readonly Uint8Array[];
  readonly end: GrpcEnding;
  readonly isTrailersOnly: boolean;
  readonly delayNs: number;
  readonly gapNs: number;
  readonly breakAfter: number | null;
}

export interface GrpcEnding {
  readonly status: number;
  readonly message: string;
  readonly trailers: Pairs;
}

/** What becomes of a call at the receiver. */
export type GrpcReceipt =
  | { readonly kind: "answer"; readonly reply: GrpcReply }
  | { readonly kind: "script"; readonly script: GrpcScript }
  | { readonly kind: Exclude<GrpcFailure, "no_healthy_host"> };

/** An upstream that speaks gRPC. */
export class GrpcCluster {
  readonly name: string;
  readonly isWithoutHosts: boolean;
  readonly #respond: (call: GrpcRequest) => GrpcReceipt;

  /** E_OPTION for a wrong status, duration or failure. */
  constructor(name: string, options: GrpcClusterOptions) {
    this.name = name;
    requireKeys(`cluster ${name}`, options, ["grpc"]);
    const { grpc } = options;
    if (typeof grpc === "function") {
      this.isWithoutHosts = false;
      this.#respond = (call) => requireHost(name, declaredBy(name, grpc(call)));
      return;
    }
    const declared = declaredBy(name, grpc);
    this.isWithoutHosts = declared.kind === "no_healthy_host";
    this.#respond = () => requireHost(name, declared);
  }

  /** The call arrives now. */
  receive(call: GrpcRequest): GrpcReceipt {
    return this.#respond(call);
  }
}

const answerKeys = [
  ...["metadata", "messages", "status", "message", "trailers", "trailersOnly"],
  ...["delay", "frameGap", "breakAfter"],
];
const scriptKeys = ["onStart", "onMessage", "onEnd", "onCancel"];

type Declared = GrpcReceipt | { readonly kind: "no_healthy_host" };

function declaredBy(name: string, options: GrpcReplyOptions): Declared {
  const called = `gRPC cluster ${name}`;
  requireKeys(called, options, [...answerKeys, "fail", "script"]);
  if ("fail" in options) {
    requireKeys(called, options, ["fail"]);
    return { kind: requireFailure(called, options.fail, grpcFailures) };
  }
  if ("script" in options) {
    requireKeys(called, options, ["script"]);
    requireScript(called, options.script);
    return { kind: "script", script: options.script };
  }
  return { kind: "answer", reply: replyOf(called, options) };
}

function requireScript(called: string, script: GrpcScript): void {
  requireKeys(`${called}: script`, script, scriptKeys);
  for (const [key, value] of Object.entries(script) as [string, unknown][]) {
    if (value === undefined || typeof value === "function") continue;
    throw new MockHostError("E_OPTION", `${called}: script's ${key} is ${kindOf(value)}`, {
      remedy: "give a function, or leave it out",
    });
  }
}

function requireHost(name: string, declared: Declared): GrpcReceipt {
  if (declared.kind !== "no_healthy_host") return declared;
  throw new MockHostError("E_OPTION", `cluster ${name} answered no_healthy_host to a call`, {
    remedy: `declare ${name} as {grpc: {fail: "no_healthy_host"}}: without hosts nobody is there to be asked`,
  });
}

function replyOf(called: string, options: GrpcAnswerOptions): GrpcReply {
  requireHeaders(`${called}: metadata`, options.metadata);
  const { messages = [] } = options;
  if (!Array.isArray(messages)) {
    throw new MockHostError("E_OPTION", `${called}: messages is ${kindOf(messages)}`, {
      remedy: "give a list of texts or bytes",
    });
  }
  requireBytes(`${called}: messages`, messages);
  requireTrailersOnly(called, options);
  return {
    metadata: pairsOf(options.metadata),
    messages: (messages as readonly (string | Uint8Array)[]).map(bytesOf),
    end: grpcEnding(called, options),
    isTrailersOnly: options.trailersOnly ?? false,
    delayNs: parseDuration(options.delay ?? "0ms", `${called}: delay`),
    gapNs: parseDuration(options.frameGap ?? "0ms", `${called}: frameGap`),
    breakAfter: requireBreakAfter(called, options.breakAfter),
  };
}

/** What cannot come in an answer that is all headers. */
function requireTrailersOnly(called: string, options: GrpcAnswerOptions): void {
  requireFlag(`${called}: trailersOnly`, options.trailersOnly);
  if (options.trailersOnly !== true) return;
  for (const key of ["messages", "frameGap", "breakAfter"] as const) {
    if (options[key] === undefined) continue;
    throw new MockHostError("E_OPTION", `${called}: ${key} cannot stand beside trailersOnly`, {
      remedy: "keep one of the two",
    });
  }
}

/** How a call ends; E_OPTION for a status that gRPC does not have. */
export function grpcEnding(
  called: string,
  end: Pick<GrpcAnswerOptions, "status" | "message" | "trailers">,
): GrpcEnding {
  requireHeaders(`${called}: trailers`, end.trailers);
  for (const [name] of pairsOf(end.trailers)) {
    const word = { "grpc-status": "status", "grpc-message": "message" }[name.toLowerCase()];
    if (word === undefined) continue;
    throw new MockHostError("E_OPTION", `${called}: trailers cannot set ${name}`, {
      remedy: `give ${word} instead`,
    });
  }
  requireText(`${called}: message`, end.message);
  const { status = 0, message = "" } = end;
  if (!Number.isInteger(status) || status < 0 || status > grpcStatusMax) {
    throw new MockHostError("E_OPTION", `${called} ends with status ${String(status)}`, {
      remedy: "give a gRPC status of 0 … 16",
    });
  }
  return { status, message, trailers: pairsOf(end.trailers) };
}
