/** What docs/concepts/lease-pause.md says and shows of the model, beside the model. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  leasePausePlot,
  modelLeasePause,
  type LeasePauseRow,
} from "../../host-mock/model/index.ts";
import { root } from "../support/build-guest.ts";
import { isRecording, readPage } from "./support/page.ts";

const page = "docs/concepts/lease-pause.md";
const picture = join(root, "docs/concepts/lease-pause.svg");
const { rows } = modelLeasePause({ ttlsMs: [1_500, 3_000, 10_000, 29_000], trials: 10_000 });

/** Each form as the page writes it, the same as a function, and what the model expects. */
const forms: readonly [string, (lease: number) => number, (row: LeasePauseRow) => number][] = [
  [
    "0.01 · (30 − L) / 29",
    (lease) => (0.01 * (30 - lease)) / 29,
    ({ elections }) => elections.expected,
  ],
  ["1 − 0.55 / (30 − L)", (lease) => 1 - 0.55 / (30 - lease), ({ split }) => split.expected],
  ["0.0583 / (30 − L)", (lease) => 0.0583 / (30 - lease), ({ early }) => early.expected],
  ["0.492 / (30 − L)", (lease) => 0.492 / (30 - lease), ({ lateFence }) => lateFence.expected],
  [
    "0.01 · (30 − ⅚ L) / 29",
    (lease) => (0.01 * (30 - (5 / 6) * lease)) / 29,
    ({ outlived }) => outlived.expected,
  ],
  [
    "L + 0.15 s and L + 0.28 s",
    (lease) => lease + 0.15,
    ({ latency }) => latency!.p50.expectedMs / 1000,
  ],
];

describe(page, () => {
  it.each(forms)("has the form %s, and the model expects it", (text, form, expected) => {
    expect(readPage(page)).toContain(` ${text} |`);
    for (const row of rows.filter(({ latency }) => latency !== null))
      expect(expected(row) / form(row.ttlMs / 1000)).toBeCloseTo(1, 2);
  });

  it("has the model's numbers beside the module's", () => {
    const shares = (pick: (row: LeasePauseRow) => number | null | undefined): string =>
      modelLeasePause()
        .rows.map((row) => (100 * pick(row)!).toFixed(2))
        .join(", ");

    for (const text of [
      shares(({ elections }) => elections.rate),
      shares(({ split }) => split.rate),
      shares(({ lateFence }) => lateFence.rate),
      shares(({ outlived }) => outlived.rate),
    ])
      expect(readPage(page)).toContain(`| ${text} % |`);
  });

  it("shows the picture of a fresh run", () => {
    const drawn = leasePausePlot(modelLeasePause());
    if (isRecording) writeFileSync(picture, drawn);

    expect(readFileSync(picture, "utf8")).toBe(drawn);
  });
});
