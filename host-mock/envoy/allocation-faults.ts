import { requireKeys } from "../did-you-mean.ts";
import { requireCount } from "./fault-checks.ts";
import type { EnvoyProcess } from "./process.ts";
import type { Vm } from "./vm.ts";

export interface AllocationOptions {
  /** Gifts to this plugin alone; to any when absent. */
  readonly plugin?: string;
  /** How many; default 1. */
  readonly count?: number;
}

interface Wanted {
  readonly plugin: string | undefined;
  left: number;
}

/** Gifts of the host that find no memory in the guest. */
export class AllocationFaults {
  #wanted: Wanted[] = [];

  /** E_UNKNOWN_NAME for a plugin that does not exist, E_OPTION for the rest. */
  wanted(options: AllocationOptions, world: EnvoyProcess): Wanted {
    requireKeys("fail_allocation", options, ["plugin", "count"]);
    const { plugin, count } = options;
    if (plugin !== undefined) world.plugin(plugin);
    requireCount("fail_allocation: count", count);
    return { plugin, left: count ?? 1 };
  }

  add(wanted: Wanted): void {
    this.#wanted.push(wanted);
  }

  /** Whether a gift to this VM fails. */
  take(vm: Vm): boolean {
    if (this.#wanted.length === 0 || vm.kind !== "thread") return false;
    const { plugin } = vm.current;
    const found = this.#wanted.find((one) => one.plugin === undefined || one.plugin === plugin);
    if (found === undefined) return false;
    if (--found.left === 0) this.#wanted = this.#wanted.filter((one) => one !== found);
    return true;
  }
}
