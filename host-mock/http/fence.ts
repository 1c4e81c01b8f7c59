import { kindOf, requireKeys } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import type { CallRequest, FenceOptions } from "./cluster-options.ts";

const keys = ["header", "idHeader", "refuse"] as const satisfies readonly (keyof FenceOptions)[];

/** E_OPTION for what is no fence; its status is the cluster's to look at. */
export function requireFence(called: string, options: FenceOptions): void {
  requireKeys(called, options, keys);
  for (const key of ["header", "idHeader"] as const) {
    const value: unknown = options[key];
    if (typeof value === "string" || (key === "idHeader" && value === undefined)) continue;
    throw new MockHostError("E_OPTION", `${called}: ${key} is ${kindOf(value)}`, {
      remedy: "give a header's name",
    });
  }
}

/**
 * A receiver that keeps the highest term it accepted and the id that came with it. It refuses a lower term, an equal
 * term of another id (where ids are looked at), and a call whose term is missing or no integer; a header that is
 * there twice is no integer. A refused call changes nothing.
 */
export class Fence {
  readonly refuseStatus: number;
  readonly #header: string;
  readonly #idHeader: string | undefined;
  #term: bigint | undefined;
  #id: string | undefined;

  constructor(options: FenceOptions) {
    this.refuseStatus = options.refuse;
    this.#header = options.header;
    this.#idHeader = options.idHeader;
  }

  /** The highest term accepted so far. */
  get term(): bigint | undefined {
    return this.#term;
  }

  /** True when the call is let through; its term is then remembered. */
  admits(request: CallRequest): boolean {
    const text = joined(request, this.#header);
    if (text === undefined || !/^[+-]?\d+$/.test(text)) return false;
    const term = BigInt(text);
    const id = this.#idHeader === undefined ? undefined : joined(request, this.#idHeader);
    if (this.#term !== undefined) {
      if (term < this.#term) return false;
      if (term === this.#term && this.#idHeader !== undefined && id !== this.#id) return false;
    }
    this.#term = term;
    this.#id = id;
    return true;
  }
}

/** All values of a header, as HTTP joins them; no other reading of two values is the same at every receiver. */
function joined(request: CallRequest, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = request.headers.filter(([key]) => key.toLowerCase() === wanted);
  if (values.length <= 1) return request.header(name);
  return values.map(([, value]) => value).join(", ");
}
