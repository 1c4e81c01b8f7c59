import { MockHostError } from "../errors.ts";
import { shown } from "../did-you-mean.ts";

/** E_OPTION unless the value is a whole number of at least `least`, or absent. */
export function requireCount(called: string, value: number | undefined, least: number): void {
  if (value === undefined || value === Infinity) return;
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new MockHostError("E_OPTION", `${called} is ${shown(value)}`, {
    remedy: `give a whole number of at least ${least}`,
  });
}

/** E_OPTION for two options of which each makes the other wrong. */
export function exclude(one: string, other: string, why: string): never {
  throw new MockHostError("E_OPTION", `${one} and ${other} are given together`, {
    remedy: `leave one out: ${why}`,
  });
}
