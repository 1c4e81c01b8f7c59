import type { CallRule, VmHost } from "../abi/vm-host.ts";

/** Something that a test does inside a host call of a plugin. */
export interface Interposition {
  /** Name of the host call. */
  readonly call: string;
  /** Calls of this plugin alone; of any when absent. */
  readonly plugin?: string;
  /** At the first such call from now on (1, default), the second, … */
  readonly nth?: number;
  /** What happens after the plugin has made the call, and before the host carries it out. */
  run(): void;
}

/** Runs once, then leaves its list; the call itself is carried out as ever. */
export class InterposeRule implements CallRule {
  readonly #interposition: Interposition;
  readonly #list: CallRule[];
  #left: number;

  /** A rule of this list, to which it is added. */
  constructor(interposition: Interposition, list: CallRule[]) {
    this.#interposition = interposition;
    this.#left = interposition.nth ?? 1;
    this.#list = list;
    list.push(this);
  }

  answer(call: string, vm: VmHost): undefined {
    const { call: wanted, plugin } = this.#interposition;
    if (call !== wanted || (plugin !== undefined && vm.subject().plugin !== plugin)) return;
    if (--this.#left > 0) return;
    this.#list.splice(this.#list.indexOf(this), 1);
    this.#interposition.run();
  }
}
