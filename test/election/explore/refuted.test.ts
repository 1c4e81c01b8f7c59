/** Every protocol and detail that is known to be wrong is found wrong, in the way that is known. */
import { beforeAll, describe, expect, it } from "vitest";
import type { StepView } from "../../../host-mock/schedule/world.ts";
import { lateCreate, lateCellCreate } from "./kinds.ts";
import { refuted } from "./refuted.ts";
import type { RefutedRow } from "./rows.ts";
import { search, steppableGuests, worldOf, type Guests } from "./search.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await steppableGuests();
});

const rows = refuted.filter(({ isLarge }) => isLarge !== true);
const found = new Map<string, readonly StepView[]>();

function counterexample(row: RefutedRow): readonly StepView[] {
  const known = found.get(row.name);
  if (known !== undefined) return known;
  const { violation } = search(guests, row, [row.violated]);
  if (violation === null) throw new Error(`${row.name}: nothing is found`);
  found.set(row.name, violation.steps);
  return violation.steps;
}

describe("refuted", () => {
  it.each(rows)("$name: $kind", (row) => {
    const { violation } = search(guests, row, [row.violated]);

    expect(violation?.property).toBe(row.violated);
    expect(row.isKind(violation!.steps), violation!.text).toBe(true);
    found.set(row.name, violation!.steps);
  });

  it("P0's shortest counterexample is two gets and then two sets", () => {
    const steps = counterexample(rows[0]!);

    const calls = steps.filter(({ call }) => call.endsWith("_shared_data"));
    expect(calls.map(({ call, status }) => `${call.slice(6, 9)} ${status}`)).toEqual([
      ...["get NotFound", "get NotFound"],
      ...["set Ok", "set Ok"],
    ]);
  });

  it("no protocol is without a searched row", () => {
    const named = refuted.flatMap(({ fleets }) => fleets.map(({ configuration }) => configuration));

    for (const name of ["P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7"])
      expect(
        named.some((configuration) => configuration.startsWith(name)),
        name,
      ).toBe(true);
  });
});

/** A kind that took everything for its own would show nothing. */
describe("kinds", () => {
  const kindOf = (name: string) => refuted.find((row) => row.name === name)!;

  it.each(rows)("$kind ($name) is not every counterexample", (row) => {
    const other = [lateCreate, lateCellCreate].includes(row.isKind)
      ? kindOf("flag without self-expiry")
      : kindOf("P1");

    expect(row.isKind(counterexample(other))).toBe(false);
    expect(row.isKind([])).toBe(false);
  });

  it("none is seen in the steps of a run in which one leads", () => {
    const row = kindOf("P1");
    const world = worldOf(guests, row, [row.violated]);
    const steps: StepView[] = [];
    let state = new Int32Array(world.stateSize);
    world.begin(state, 0);
    for (let i = 0; i < 6; i++) {
      const after = new Int32Array(world.stateSize);
      steps.push(world.describe(state, 0, 0));
      world.step(state, 0, 0, after, 0);
      state = after;
    }

    expect(steps.at(-1)?.leaders).toEqual(["worker_0 (term 1)"]);
    for (const { name, isKind } of refuted) expect(isKind(steps), name).toBe(false);
  });
});
