import type { StatusCode } from "../abi/status.ts";
import type { CallRule, VmHost } from "../abi/vm-host.ts";

/** What is refused, with which status, until when and how often. */
export interface Refusal {
  readonly call: string;
  readonly code: StatusCode;
  /** Infinity: to the end of the run. */
  readonly untilNs: number;
  /** Infinity: every call. */
  readonly count: number;
}

/** A host call that answers a status in place of its work, for a while or so many times; then it leaves its list. */
export class RefuseRule implements CallRule {
  readonly #call: string;
  readonly #code: StatusCode;
  readonly #untilNs: number;
  readonly #list: CallRule[];
  #count: number;

  /** A rule of this list, to which it is added. */
  constructor(options: Refusal, list: CallRule[]) {
    this.#call = options.call;
    this.#code = options.code;
    this.#untilNs = options.untilNs;
    this.#count = options.count;
    this.#list = list;
    list.push(this);
  }

  answer(call: string, vm: VmHost): StatusCode | undefined {
    if (vm.process.clock.nowNs >= this.#untilNs) {
      this.#leave();
      return undefined;
    }
    if (call !== this.#call) return undefined;
    if (--this.#count === 0) this.#leave();
    return this.#code;
  }

  #leave(): void {
    const at = this.#list.indexOf(this);
    if (at >= 0) this.#list.splice(at, 1);
  }
}
