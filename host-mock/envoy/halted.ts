import type { CallRule } from "../abi/vm-host.ts";
import { GuestHalted } from "../vm/trap.ts";

/** Rules of a VM that must not go on: a guest that catches what is thrown through it comes no further than its next call. */
export const haltedRules: readonly CallRule[] = [
  {
    answer: () => {
      throw new GuestHalted();
    },
  },
];
