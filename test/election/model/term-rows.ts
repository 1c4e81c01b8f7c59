import { P5, type Row, type VmKind } from "./index.ts";

const as2: readonly VmKind[] = ["as", "as"];

/** A row whose published counts this model does not reproduce; what it says must agree all the same. */
export interface DifferingRow extends Row {
  readonly name: string;
  readonly published: DifferingCounts;
  readonly counted: DifferingCounts;
}

/** What was counted; what is left out was not published. */
interface DifferingCounts {
  readonly states: number;
  readonly transitions?: number;
  readonly staleWork?: number;
  readonly refused?: number;
  readonly repeatedTerms?: number;
}

function differing(
  name: string,
  options: Pick<Row, "terms"> & Partial<Row>,
  [published, counted]: readonly [DifferingCounts, DifferingCounts],
): DifferingRow {
  const fixed = { vms: as2, lease: 2, start: "boot", protocol: P5 } as const;
  return { name, ...fixed, ...options, published, counted };
}

/** Everything with terms: how many there are in a state depends on what is kept of a term that nobody needs any more. */
export const termRows: readonly DifferingRow[] = [
  differing(
    "fence advanced by the first work",
    { work: true, terms: { order: "record first", fence: "lazy" } },
    [
      { states: 156_762, transitions: 484_291, staleWork: 330, refused: 246 },
      { states: 136_493, transitions: 417_694, staleWork: 195, refused: 199 },
    ],
  ),
  differing(
    "fence touched before leadership is reported",
    { work: true, terms: { order: "record first", fence: "eager" } },
    [
      { states: 53_777, transitions: 165_398, staleWork: 0, refused: 185 },
      { states: 43_045, transitions: 131_434, staleWork: 0, refused: 211 },
    ],
  ),
  differing(
    "the same with release",
    { work: true, release: true, terms: { order: "record first", fence: "eager" } },
    [
      { states: 198_557, transitions: 610_065, staleWork: 0, refused: 420 },
      { states: 140_345, transitions: 428_313, staleWork: 0, refused: 507 },
    ],
  ),
  differing(
    "term key raised before the record is read",
    { terms: { order: "term key first", fence: "none" } },
    [
      { states: 33_642, repeatedTerms: 422 },
      { states: 56_813, repeatedTerms: 486 },
    ],
  ),
  differing(
    "term only in the record, beside wasm-go",
    { start: "absent", vms: ["as", "go"], terms: { order: "record only", fence: "none" } },
    [
      { states: 70_697, repeatedTerms: 2352 },
      { states: 65_886, repeatedTerms: 660 },
    ],
  ),
];
