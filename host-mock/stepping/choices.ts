/** What can happen next in the stepped world. */
export type Choice =
  | { readonly kind: "guest" | "crash" | "refuse"; readonly guest: number; readonly word: string }
  | { readonly kind: "time" | "wipe" | "corrupt"; readonly guest: -1; readonly word: string };

export interface FaultCounts {
  readonly time: number;
  readonly crash: number;
  readonly wipe: number;
  readonly refuse: number;
  readonly corrupt: number;
}

/** All choices, numbered; those without a budget are left out. Guests have the numbers they have as agents. */
export function choicesOf(names: readonly string[], counts: FaultCounts): Choice[] {
  const choices: Choice[] = names.map((word, guest) => ({ kind: "guest", guest, word }));
  for (const kind of ["time", "wipe", "corrupt"] as const)
    if (counts[kind] > 0) choices.push({ kind, guest: -1, word: kind });
  for (const kind of ["crash", "refuse"] as const) {
    if (counts[kind] === 0) continue;
    names.forEach((name, guest) => choices.push({ kind, guest, word: `${kind}:${name}` }));
  }
  return choices;
}
