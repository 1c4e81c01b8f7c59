/** The rows of refuted.ts that take minutes, with their counts. */
import { beforeAll, expect, it } from "vitest";
import { refuted } from "./refuted.ts";
import { search, steppableGuests, type Guests } from "./search.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await steppableGuests();
});

it.each(refuted.filter(({ isLarge }) => isLarge === true))("$name: $kind", (row) => {
  const begunMs = Date.now();
  const { violation, states, steps } = search(guests, row, [row.violated]);
  const seconds = ((Date.now() - begunMs) / 1000).toFixed(0);
  console.log(`${row.name}: ${states} states, ${steps} steps, ${seconds} s: ${violation?.text}`);

  expect(violation?.property).toBe(row.violated);
  expect(row.isKind(violation!.steps)).toBe(true);
});
