import { isRecord, nearest, requireKeys, shown } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { parseDuration } from "../time/duration.ts";
import {
  failures,
  type AnswerOptions,
  type CallRequest,
  type Failure,
  type HttpClusterOptions,
  type ReplyOptions,
} from "./cluster-options.ts";
import { Fence, requireFence } from "./fence.ts";
import { framesOf, pairsOf, requireBytes } from "./pairs.ts";
import { requireHeaders } from "./request-options.ts";

/** What the receiver sends back. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string | Uint8Array])[];
  /** Data frames, `gapNs` apart, the first one with the headers. */
  readonly frames: readonly Uint8Array[];
  readonly trailers: readonly (readonly [string, string | Uint8Array])[];
  /** From the call's arrival to the headers. */
  readonly delayNs: number;
  readonly gapNs: number;
  /** The connection breaks after so many frames; null: it is answered to the end. */
  readonly breakAfter: number | null;
}

/** What becomes of a call at the receiver. */
export type Receipt =
  | { readonly kind: "answer"; readonly reply: Reply; readonly isRefused: boolean }
  | { readonly kind: Exclude<Failure, "no_healthy_host"> };

/** A cluster's answer before there is a call: it is asked, or it has no host at all. */
type Declared = Receipt | { readonly kind: "no_healthy_host" };

/** An upstream that plugins may call over HTTP. */
export class Cluster {
  readonly name: string;
  /** No host to send to: a call fails where it is made. */
  readonly isWithoutHosts: boolean;
  readonly #respond: (request: CallRequest) => Receipt;

  /** E_OPTION for a wrong status, duration or failure. */
  constructor(name: string, options: HttpClusterOptions) {
    this.name = name;
    this.isWithoutHosts = false;
    if (typeof options === "function") {
      this.#respond = (request) => requireHost(name, declaredBy(name, options(request)));
      return;
    }
    const declared = declaredBy(name, options, ["fence"]);
    if (declared.kind === "no_healthy_host") {
      this.isWithoutHosts = true;
      this.#respond = () => requireHost(name, declared);
      return;
    }
    if ("fail" in options || options.fence === undefined) {
      this.#respond = () => declared;
      return;
    }
    requireFence(`cluster ${name}: fence`, options.fence);
    requireStatus(`cluster ${name}: fence`, options.fence.refuse);
    const fence = new Fence(options.fence);
    const { refuseStatus: status } = fence;
    const delayNs = parseDuration(options.delay ?? "0ms");
    const refusal = { ...noReply, status, delayNs };
    const refused: Receipt = { kind: "answer", reply: refusal, isRefused: true };
    this.#respond = (request) => (fence.admits(request) ? declared : refused);
  }

  /** The call arrives now. */
  receive(request: CallRequest): Receipt {
    return this.#respond(request);
  }
}

/** An answer of status 200 and nothing else, at once. */
export const noReply: Reply = {
  status: 200,
  headers: [],
  frames: [],
  trailers: [],
  delayNs: 0,
  gapNs: 0,
  breakAfter: null,
};

const answerKeys = [
  "status",
  "headers",
  "body",
  "trailers",
  "delay",
  "frameGap",
  "breakAfter",
] as const satisfies readonly (keyof AnswerOptions)[];

/** `more`: what else may stand beside an answer. */
function declaredBy(name: string, options: ReplyOptions, more: readonly string[] = []): Declared {
  const given: unknown = options;
  if (!isRecord(given)) {
    throw new MockHostError("E_OPTION", `cluster ${name} gave ${shown(given)} for an answer`, {
      remedy:
        "give {status, headers, body, delay} or {fail}, at once: no promise, no async function",
    });
  }
  const called = `cluster ${name}`;
  if ("fail" in options) {
    requireKeys(`${called}, which fails,`, options, ["fail"]);
    return { kind: requireFailure(called, options.fail, failures) };
  }
  requireKeys(called, options, [...answerKeys, "fail", ...more]);
  return { kind: "answer", reply: replyOf(name, options), isRefused: false };
}

/** E_OPTION for a way to fail that is none of these. */
export function requireFailure<Kind extends string>(
  called: string,
  fail: string,
  known: readonly Kind[],
): Kind {
  const found = known.find((kind) => kind === fail);
  if (found !== undefined) return found;
  const what = `${called} fails by ${shown(fail)}${nearest(fail, known)}`;
  throw new MockHostError("E_OPTION", what, {
    remedy: `write ${known.slice(0, -1).join(", ")} or ${known.at(-1)!}`,
  });
}

function requireHost(name: string, declared: Declared): Receipt {
  if (declared.kind !== "no_healthy_host") return declared;
  throw new MockHostError("E_OPTION", `cluster ${name} answered no_healthy_host to a call`, {
    remedy: `declare ${name} as {fail: "no_healthy_host"}: without hosts nobody is there to be asked`,
  });
}

function replyOf(name: string, options: AnswerOptions): Reply {
  const called = `cluster ${name}`;
  requireHeaders(`${called}: headers`, options.headers);
  requireHeaders(`${called}: trailers`, options.trailers);
  const { status = 200, body } = options;
  requireStatus(called, status);
  if (body !== undefined) requireBytes(`${called}: body`, body);
  return {
    status,
    headers: pairsOf(options.headers),
    frames: framesOf(body),
    trailers: pairsOf(options.trailers),
    delayNs: parseDuration(options.delay ?? "0ms", `${called}: delay`),
    gapNs: parseDuration(options.frameGap ?? "0ms", `${called}: frameGap`),
    breakAfter: requireBreakAfter(called, options.breakAfter),
  };
}

/** E_OPTION unless it is a number of frames. */
export function requireBreakAfter(called: string, breakAfter: number | undefined): number | null {
  if (breakAfter === undefined) return null;
  if (Number.isSafeInteger(breakAfter) && breakAfter >= 0) return breakAfter;
  throw new MockHostError("E_OPTION", `${called}: breakAfter is ${String(breakAfter)}`, {
    remedy: "give a number of frames, 0 or more",
  });
}

function requireStatus(called: string, status: number): void {
  if (Number.isInteger(status) && status >= 200 && status <= 999) return;
  throw new MockHostError("E_OPTION", `${called} answers status ${String(status)}`, {
    remedy: "give a final status of 200 … 999",
  });
}
