import { requireKeys } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { parseDuration } from "../time/duration.ts";
import type {
  AnswerOptions,
  CallRequest,
  ClusterOptions,
  FailureOptions,
  ReplyOptions,
} from "./cluster-options.ts";
import { Fence } from "./fence.ts";
import { bytesOf, pairsOf } from "./pairs.ts";
import { requireHeaders } from "./request-options.ts";

/** What the receiver sends back. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string | Uint8Array])[];
  readonly body: Uint8Array;
  readonly delayNs: number;
}

/** What becomes of a call at the receiver. */
export type Receipt =
  | { readonly kind: "answer"; readonly reply: Reply; readonly isRefused: boolean }
  | { readonly kind: FailureOptions["fail"] };

/** An upstream that plugins may call. */
export class Cluster {
  readonly name: string;
  readonly #respond: (request: CallRequest) => Receipt;

  /** E_OPTION for a wrong status, duration or failure. */
  constructor(name: string, options: ClusterOptions) {
    this.name = name;
    if (typeof options === "function") {
      this.#respond = (request) => receiptOf(name, options(request));
      return;
    }
    const receipt = receiptOf(name, options);
    const fence =
      "fence" in options && options.fence !== undefined ? new Fence(options.fence) : null;
    if (fence === null) {
      this.#respond = () => receipt;
      return;
    }
    const refusal: Receipt = {
      kind: "answer",
      reply: {
        status: fence.refuseStatus,
        headers: [],
        body: new Uint8Array(0),
        delayNs: delayOf(options),
      },
      isRefused: true,
    };
    requireStatus(name, fence.refuseStatus);
    this.#respond = (request) => (fence.admits(request) ? receipt : refusal);
  }

  /** The call arrives now. */
  receive(request: CallRequest): Receipt {
    return this.#respond(request);
  }
}

const answerKeys = ["status", "headers", "body", "delay", "fence", "fail"];

function receiptOf(name: string, options: ReplyOptions): Receipt {
  if (typeof options !== "object" || options === null) {
    throw new MockHostError("E_OPTION", `cluster ${name} gave ${String(options)} for an answer`, {
      remedy: "give {status, headers, body, delay} or {fail}",
    });
  }
  requireKeys(`cluster ${name}`, options, answerKeys);
  if ("fail" in options) {
    if (["timeout", "reset", "refuse_connection"].includes(options.fail))
      return { kind: options.fail };
    throw new MockHostError(
      "E_OPTION",
      `cluster ${name} fails by ${JSON.stringify(options.fail)}`,
      {
        remedy: "write timeout, reset or refuse_connection",
      },
    );
  }
  requireHeaders(`cluster ${name}: headers`, options.headers);
  const status = options.status ?? 200;
  requireStatus(name, status);
  const reply = {
    status,
    headers: pairsOf(options.headers),
    body: bytesOf(options.body),
    delayNs: delayOf(options),
  };
  return { kind: "answer", reply, isRefused: false };
}

function delayOf(options: AnswerOptions | FailureOptions): number {
  return "delay" in options && options.delay !== undefined ? parseDuration(options.delay) : 0;
}

function requireStatus(name: string, status: number): void {
  if (Number.isInteger(status) && status >= 200 && status <= 999) return;
  throw new MockHostError("E_OPTION", `cluster ${name} answers status ${String(status)}`, {
    remedy: "give a final status of 200 … 999",
  });
}
