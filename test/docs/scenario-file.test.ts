import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, checkNames } from "../../host-mock/scenario/schema/checks.ts";
import { event, eventNames } from "../../host-mock/scenario/schema/events.ts";
import { frame } from "../../host-mock/scenario/schema/frame.ts";

const page = readFileSync(
  join(import.meta.dirname, "../../docs/reference/scenario-file.md"),
  "utf8",
);

/** The rows of the tables below a heading, by the first word in code quotes. */
function rows(heading: string): Map<string, string> {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
  const found = [...section.matchAll(/^\| `(\w+)`(.*)$/gm)];
  return new Map(found.map((match) => [match[1] ?? "", match[0]]));
}

const shared = new Set([
  ...["at", "every", "until", "count", "do", "check", "expect", "leader_of"],
  ...["before", "nth", "within", "may_miss"],
]);

describe("docs/reference/scenario-file.md", () => {
  test("has every key of the frame, and none besides", () => {
    const section =
      page
        .split(/^## /m)
        .find((part) => part.startsWith("Frame"))
        ?.split("### ")[0] ?? "";
    const documented = [...section.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1]);

    expect(documented.sort()).toEqual(Object.keys(frame.shape).sort());
  });

  test("has every event, and none besides", () => {
    expect([...rows("Events").keys()].sort()).toEqual([...eventNames].sort());
  });

  test("has every check, and none besides", () => {
    expect([...rows("Checks").keys()].sort()).toEqual([...checkNames].sort());
  });

  for (const kind of event.options) {
    const name = kind.shape.do.value;
    test(`names every key of ${name}`, () => {
      const row = rows("Events").get(name) ?? "";

      for (const key of Object.keys(kind.shape))
        if (!shared.has(key)) expect(row).toContain(`\`${key}\``);
    });
  }

  for (const kind of check.options) {
    const name = kind.shape.check.value;
    test(`names every key of ${name}`, () => {
      const row = rows("Checks").get(name) ?? "";

      for (const key of Object.keys(kind.shape))
        if (!shared.has(key)) expect(row).toContain(`\`${key}\``);
    });
  }
});
