import { test as property } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { chainOf, filter, headers } from "./scripted-chain.ts";

test("held at its headers and again at its body, a filter sees trailers twice and the body is lost", () => {
  const a = filter("a", { headers: [4], data: [1] });
  const { chain, seen, letGo } = chainOf([a]);
  chain.passHeaders(headers(), false);
  chain.passData(utf8("1"), false);
  chain.passTrailers(headers());

  letGo(a);

  expect(seen).toEqual([
    ...["a headers", "sink headers", "a 1", "a trailers", "a trailers"],
    "sink trailers",
  ]);
});

describe("limits", () => {
  test("more than may be held, by a filter that buffers, is too much", () => {
    const a = filter("a", { data: [1, 1, 1] });
    const { chain, seen } = chainOf([a], undefined, { limitBytes: 4 });
    chain.passHeaders(headers(), false);

    for (const text of ["12", "34", "5"]) chain.passData(utf8(text), false);

    expect(seen.slice(2)).toEqual(["a 12", "a 1234", "too much", "a 12345", "aborted"]);
  });

  test("by a filter that asks for back pressure, is pressure until half of it has gone on", () => {
    const a = filter("a", { headers: [4] });
    const { chain, seen, letGo } = chainOf([a], undefined, { limitBytes: 4 });
    chain.passHeaders(headers(), false);
    chain.passData(utf8("1234"), false);
    const atLimit = [...seen];
    chain.passData(utf8("5"), false);
    const above = [...seen];

    letGo(a);

    expect(atLimit).toEqual(["a headers"]);
    expect(above.at(-1)).toBe("pressure");
    expect(seen.slice(2)).toEqual(["sink headers", "a 12345", "relief", "sink 12345"]);
  });
});

test("a filter that goes on takes along what one before it holds: there is one place for all", () => {
  const a = filter("a", { data: [1] });
  const b = filter("b", { headers: [4] });
  const { chain, seen, letGo } = chainOf([a, b]);
  chain.passHeaders(headers(), false);
  chain.passData(utf8("1"), false);

  letGo(b);

  expect(seen).toEqual(["a headers", "b headers", "a 1", "sink headers", "b 1", "sink 1"]);
});

test("continued inside its own headers callback that continues, a filter sends the headers twice", () => {
  const a = filter("a");
  const b = filter("b");
  const { chain, seen } = chainOf([a, b], undefined, {
    onHeaders: (at) => {
      if (at === a) chain.resume(a);
    },
  });

  chain.passHeaders(headers(), true);

  expect(seen).toEqual([
    ...["a headers end", "b headers end", "sink headers end"],
    ...["b headers end", "sink headers end"],
  ]);
});

/** Whatever filters answer, resuming until nothing is stopped brings every byte but those thrown away, once, in order. */
property.prop([
  fc.array(
    fc.record({ headers: fc.constantFrom(0, 1, 3, 4), data: fc.array(fc.constantFrom(0, 1, 2)) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  fc.array(fc.constantFrom("a", "bc", "def"), { maxLength: 6 }),
  fc.boolean(),
])("no byte is lost, doubled or out of order", (scripts, frames, hasTrailers) => {
  // Held at its headers and then again at its body, a filter loses the body when trailers follow: so does Envoy.
  const filters = scripts.map(({ headers: answer, data }, index) =>
    filter(`f${index}`, { headers: [answer], data: hasTrailers && answer > 1 ? [] : [...data] }),
  );
  const { chain, seen, letGo } = chainOf(filters);
  chain.passHeaders(headers(), frames.length === 0 && !hasTrailers);
  for (const frame of frames) chain.passData(utf8(frame), false);
  if (hasTrailers) chain.passTrailers(headers());
  else if (frames.length > 0) chain.passData(utf8(""), true);

  // From the front: a filter that goes on while one before it holds the body takes that along, as in Envoy.
  for (const one of filters) {
    for (let round = 0; round < 100; round++) letGo(one);
  }

  const atSink = seen.filter((line) => line.startsWith("sink "));
  const bytes = atSink
    .filter((line) => !/headers|trailers/.test(line))
    .map((line) => line.slice(5).replace(/ end$/, ""));
  expect(atSink[0]).toMatch(/^sink headers/);
  expect(bytes.join("")).toBe(frames.join(""));
  expect(atSink.filter((line) => / end$|trailers$/.test(line))).toHaveLength(1);
  expect(atSink.at(-1)).toMatch(/ end$|trailers$/);
});
