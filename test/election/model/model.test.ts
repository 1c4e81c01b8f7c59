import { describe, expect, it } from "vitest";
import { isSoak } from "../../support/soak.ts";
import { mistakes, P5, verdictOf, type Row, type Verdict } from "./index.ts";
import { allRows, type NamedRow } from "./rows.ts";
import { termRows } from "./term-rows.ts";

/** MODEL_STATES_MAX=20000000 runs the huge rows, too. */
const statesMax = Number(process.env["MODEL_STATES_MAX"] ?? (isSoak ? 2_000_000 : 310_000));
const rows = allRows.filter(({ published }) => published.states <= statesMax);

const verdicts = new Map<NamedRow, Verdict>();

function verdict(row: NamedRow): Verdict {
  const known = verdicts.get(row);
  if (known !== undefined) return known;
  const found = verdictOf(row, { findStuck: row.published.stuck !== undefined });
  verdicts.set(row, found);
  return found;
}

function named(name: string): NamedRow {
  const found = rows.find((row) => row.name === name);
  if (found === undefined) throw new Error(`no row is named ${name}`);
  return found;
}

/** Whether all of `wanted` stand in `steps`, in this order. */
function hasInOrder(steps: readonly string[], wanted: readonly string[]): boolean {
  let at = 0;
  for (const step of steps) if (step === wanted[at]) at++;
  return at === wanted.length;
}

describe("every row has the published counts", () => {
  it.each(rows)(
    "$name: $published.states states",
    (row) => {
      expect(verdict(row)).toMatchObject({ ...row.published, isComplete: true });
    },
    600_000,
  );

  it("P6 that goes on after a late renewal, one wipe: 522 bad states", () => {
    const protocol = mistakes.IGNORES_LATE_RENEWAL;

    const found = verdictOf({ protocol, vms: ["as", "as"], lease: 2, start: "boot", wipes: 1 });

    expect(found).toMatchObject({ bad: 522, isComplete: true });
  });
});

describe("counterexamples", () => {
  it.each(rows.filter(({ published }) => published.bad > 0))("$name", (row) => {
    const { counterexample } = verdict(row);

    expect(row.way, "a row with bad states says how the first one comes about").toBeDefined();
    expect(hasInOrder(counterexample ?? [], row.way ?? []), counterexample?.join(", ")).toBe(true);
  });

  it.each(rows.filter(({ published }) => published.bad === 0))("$name has none", (row) => {
    expect(verdict(row).counterexample).toBeNull();
  });

  it("two leaders of wasm-go's recipe need six steps, four after a wipe", () => {
    expect(verdict(named("P0, 2 VMs, T = 2")).counterexample).toHaveLength(6);
    expect(verdict(named("P0, one wipe")).counterexample).toHaveLength(4);
  });
});

describe("terms and fences", () => {
  it.each(termRows)("$name: agrees with what is published, in other numbers", (row) => {
    const found = verdictOf(row);

    expect(found).toMatchObject({ ...row.counted, twoValidAs: 0, isComplete: true });
    for (const measure of ["staleWork", "refused", "repeatedTerms"] as const)
      if (row.published[measure] !== undefined)
        expect(found[measure] > 0, measure).toBe(row.published[measure] > 0);
  });

  it("no term is repeated where the record is read first and the term key raised second", () => {
    const row: Row = { protocol: P5, vms: ["as", "as"], lease: 2, start: "boot", release: true };

    const found = verdictOf({ ...row, terms: { order: "record first", fence: "none" } });

    expect(found).toMatchObject({ bad: 0, repeatedTerms: 0, isComplete: true });
  });
});

describe("the search", () => {
  const row: Row = { protocol: P5, vms: ["as", "as"], lease: 2, start: "boot", wipes: 1 };

  it("that ends at the first bad state finds the same way and says that it is not complete", () => {
    const whole = verdictOf(row);

    const part = verdictOf(row, { stopAtBad: true });

    expect(part.counterexample).toEqual(whole.counterexample);
    expect(part.states).toBeLessThan(whole.states);
    expect(part.isComplete).toBe(false);
  });

  it("that is cut off says so", () => {
    expect(verdictOf(row, { statesMax: 100 }).isComplete).toBe(false);
  });

  it("refuses `as` VMs without a protocol", () => {
    expect(() => verdictOf({ vms: ["as"], lease: 2, start: "absent" })).toThrow("protocol");
  });
});
