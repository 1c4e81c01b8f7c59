import type { ItemColumns, ItemKind } from "./report-data.ts";
import type { Texts } from "./texts.ts";

/** One thing that the picture shows. */
export interface Item {
  readonly atNs: number;
  readonly untilNs?: number;
  /** −1: all rows. */
  readonly row: number;
  readonly kind: ItemKind;
  readonly tone?: number;
  readonly label?: string;
  readonly text: string;
}

export const itemKinds: readonly ItemKind[] = [
  ...(["life", "draining", "gap", "lead", "set", "unset", "pause", "band", "double"] as const),
  ...(["mismatch", "log", "config", "request", "call", "refused"] as const),
  ...(["restart", "warning", "fault", "missed", "crash", "trap", "expected", "violation"] as const),
];

/** The largest unit of which all instants are whole multiples. */
export function unitOf(times: Iterable<number>): number {
  let unitNs = 1e9;
  for (const ns of times) while (ns % unitNs !== 0) unitNs /= 10;
  return unitNs;
}

export function itemColumns(items: readonly Item[], unitNs: number, texts: Texts): ItemColumns {
  const columns = {
    at: [] as number[],
    length: [] as number[],
    row: [] as number[],
    kind: [] as number[],
    tone: [] as number[],
    label: [] as number[],
    text: [] as number[],
  };
  const order = new Map(itemKinds.map((kind, index) => [kind, index]));
  const rank = (item: Item): number => order.get(item.kind) ?? 0;
  const sorted = [...items].sort(
    (one, other) => one.atNs - other.atNs || rank(one) - rank(other) || one.row - other.row,
  );
  let last = 0;
  for (const item of sorted) {
    const at = item.atNs / unitNs;
    columns.at.push(at - last);
    columns.length.push(((item.untilNs ?? item.atNs) - item.atNs) / unitNs);
    columns.row.push(item.row);
    columns.kind.push(rank(item));
    columns.tone.push(item.tone ?? -1);
    columns.label.push(texts.add(item.label ?? ""));
    columns.text.push(texts.add(item.text));
    last = at;
  }
  return columns;
}
