import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { TextColumns } from "../../../../host-mock/report/html/report-data.ts";
import { Texts } from "../../../../host-mock/report/html/texts.ts";

/** What the page's script makes of the columns. */
function read({ patterns, of, numbers }: TextColumns): string[] {
  const last = patterns.map((): number[] => []);
  let next = 0;
  return of.map((pattern) => {
    const before = last[pattern]!;
    let place = 0;
    return patterns[pattern]!.replaceAll("\u0001", () => {
      before[place] = (before[place] ?? 0) + numbers[next++]!;
      return String(before[place++]);
    });
  });
}

const word = fc.oneof(
  fc.nat().map(String),
  fc.constantFrom(
    "0",
    "007",
    "12345678901234567890",
    "1.50",
    "-3",
    "term=17",
    "worker_4",
    "a1b2-33-c",
  ),
  fc.string().map((text) => text.replaceAll("\u0001", "")),
);
const sentence = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));

describe("texts as patterns and numbers", () => {
  test.prop([fc.array(sentence, { maxLength: 20 })])("are read back as they were", (sentences) => {
    const texts = new Texts();
    const indices = sentences.map((text) => texts.add(text));
    const found = read(texts.columns());

    expect(indices.map((index) => found[index] ?? "")).toEqual(sentences);
  });

  test("lines that differ in numbers alone share a pattern", () => {
    const texts = new Texts();
    for (let at = 0; at < 100; at++)
      texts.add(`renew term=1767225600278 at_ns=${3e9 * at} id=c3f2-17`);

    const { patterns, of, numbers } = texts.columns();

    expect(patterns).toEqual(["renew term=\u0001 at_ns=\u0001 id=c3f2-17"]);
    expect(of).toHaveLength(100);
    expect(numbers.slice(2, 6)).toEqual([0, 3e9, 0, 3e9]);
  });

  test("one text is kept once, and an empty one not at all", () => {
    const texts = new Texts();

    expect([texts.add("a"), texts.add("b"), texts.add("a"), texts.add("")]).toEqual([0, 1, 0, -1]);
  });
});
