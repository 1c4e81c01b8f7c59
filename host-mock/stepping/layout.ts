/**
 * Where things stand in a state of the stepped world:
 *
 *     | a local state for each guest | instant, ms | faults left | highest term | a stamp for each receiver | an entry for each key |
 *
 * A crashed guest has the local state `crashed`.
 */
export class Layout {
  readonly guestCount: number;
  readonly now: number;
  readonly budget: number;
  readonly term: number;
  readonly receivers: number;
  readonly keys: number;
  readonly size: number;

  constructor(guestCount: number, receiverCount: number, keyCountMax: number) {
    this.guestCount = guestCount;
    this.now = guestCount;
    this.budget = guestCount + 1;
    this.term = guestCount + 2;
    this.receivers = guestCount + 3;
    this.keys = this.receivers + receiverCount;
    this.size = this.keys + keyCountMax;
  }
}

export const crashed = -1;

/** How many of each are left: four bits each in one number, and above them a mark. */
export const Budget = {
  time: 0,
  crash: 4,
  wipe: 8,
  refuse: 12,
  corrupt: 16,
} as const;

/** Time has just passed, and nobody has read a clock since. */
export const timePassed = 1 << 20;

export type BudgetKind = keyof typeof Budget;
export const budgetMax = 15;

export function left(budget: number, kind: BudgetKind): number {
  return (budget >>> Budget[kind]) & budgetMax;
}

export function spent(budget: number, kind: BudgetKind): number {
  return budget - (1 << Budget[kind]);
}
