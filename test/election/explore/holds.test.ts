/** The right protocols hold where the wrong ones fail: everything within the bounds is seen, and nothing is violated. */
import { beforeAll, describe, expect, it } from "vitest";
import { holds } from "./holds.ts";
import { refuted } from "./refuted.ts";
import { search, steppableGuests, type Guests } from "./search.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await steppableGuests();
});

describe("holds", () => {
  it.each(holds)("$name", (row) => {
    const { violation, complete, missed } = search(guests, row, row.properties);

    expect(violation?.text ?? "").toBe("");
    expect(complete).toBe(true);
    // A writer of a cell leads for no time at all.
    if (row.fleets[0]?.guest !== "writer") expect(missed).toEqual([]);
  });

  /** The mistake alone is what fails: the same bounds without it hold. */
  const mistakes = refuted.flatMap((row) => {
    const { wipes = 0, fleets, violated } = row;
    const right = fleets.map((one) => ({ ...one, configuration: without(one.configuration) }));
    const isChanged = right.some(({ configuration }, at) => {
      return configuration !== fleets[at]!.configuration;
    });
    return isChanged && row.isLarge !== true ? [{ ...row, fleets: right, wipes, violated }] : [];
  });

  it.each(mistakes)("without the mistake: $name", (row) => {
    const { violation, complete } = search(guests, row, [row.violated]);

    expect(violation?.text ?? "").toBe("");
    expect(complete).toBe(true);
  });
});

const mistake =
  /-(observe-from-r0|promise-after-set|short-wait|flag|corrupt-at-once|go-by-timestamp|term-first|term-in-record|no-restart|restart-at-end)/;

/** The right form of a configuration that has a mistake. */
function without(configuration: string): string {
  const terms = /term-(first|in-record)/.test(configuration) ? " terms=key" : "";
  return configuration.replace(mistake, "") + terms;
}
