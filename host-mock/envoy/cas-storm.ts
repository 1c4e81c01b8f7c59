import type { CallRule } from "../abi/vm-host.ts";
import { requireKeys, requireText } from "../did-you-mean.ts";
import { latin1, utf8 } from "../state/bytes.ts";
import { requireCount } from "./fault-checks.ts";
import type { EnvoyProcess } from "./process.ts";
import type { Vm } from "./vm.ts";

export interface CasStormOptions {
  readonly key: string;
  readonly vmId?: string;
  /** Before how many sets; default 1. */
  readonly count?: number;
}

/** E_OPTION for a key that is none. */
export function requireStorm(options: CasStormOptions): void {
  requireKeys("cas_storm", options, ["key", "vmId", "count"]);
  requireText("cas_storm: key", options.key);
  if (options.vmId !== undefined) requireText("cas_storm: vmId", options.vmId);
  requireCount("cas_storm: count", options.count);
}

/**
 * Another writer that is always a little faster: a key gets its own value again right before each set of a thread's VMs,
 * whichever key that sets. A set that finds the key absent does not count.
 */
export class CasStormRule implements CallRule {
  readonly #vmId: string;
  readonly #key: string;
  readonly #list: CallRule[];
  readonly #world: EnvoyProcess;
  #left: number;

  /** A rule of this list, to which it is added. */
  constructor(
    { key, vmId = "", count = 1 }: CasStormOptions,
    list: CallRule[],
    world: EnvoyProcess,
  ) {
    this.#vmId = vmId;
    this.#key = latin1(utf8(key));
    this.#left = count;
    this.#list = list;
    this.#world = world;
    list.push(this);
  }

  answer(call: string, vm: unknown): undefined {
    if (call !== "proxy_set_shared_data" || (vm as Vm).kind !== "thread") return;
    const { sharedData } = this.#world;
    const found = sharedData.get(this.#vmId, this.#key);
    if (found === undefined) return;
    sharedData.set(this.#vmId, this.#key, found.value, 0);
    if (--this.#left === 0) this.#list.splice(this.#list.indexOf(this), 1);
  }
}
