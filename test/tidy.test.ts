import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/build-guest.ts";

/** What git would commit: tracked files and new ones it does not ignore. */
const files = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\0")
  .filter((name) => name !== "" && existsSync(join(root, name)));
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const text = files.filter((name) =>
  /\.(ts|js|mjs|json|md|ya?ml|go|rs|toml|sh)$|Makefile|\.ci\//.test(name),
);

describe("the tree", () => {
  it("has one first-level heading on each page", () => {
    const wrong = files
      .filter((name) => name.endsWith(".md"))
      .filter(
        (name) =>
          read(name)
            .replace(/```[\s\S]*?```/g, "")
            .match(/^# /gm)?.length !== 1,
      );

    expect(wrong).toEqual([]);
  });

  it("has pages whose relative links lead somewhere", () => {
    const dead = files
      .filter((name) => name.endsWith(".md"))
      .flatMap((name) =>
        [
          ...read(name)
            .replace(/```[\s\S]*?```/g, "")
            .matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g),
        ]
          .map((match) => match[1] ?? "")
          .filter((link) => !existsSync(join(root, dirname(name), link)))
          .map((link) => `${name}: ${link}`),
      );

    expect(dead).toEqual([]);
  });

  it("has a README of at most 15 lines in each source folder", () => {
    const long = ["assembly", "host-mock", "transform"].filter(
      (folder) => read(`${folder}/README.md`).trimEnd().split("\n").length > 15,
    );

    expect(long).toEqual([]);
  });

  it("names no registry in its lock file", () => {
    const lock = read("package-lock.json");

    expect(lock).not.toMatch(/"resolved": *"http/);
  });

  it("leaves nothing unfinished", () => {
    const marks = new RegExp(
      `\\b(${["TO", "FIX"].map((m) => m + (m === "TO" ? "DO" : "ME")).join("|")})\\b`,
    );
    const skips = new RegExp(`\\b(it|test|describe)\\.(sk${"ip"}|on${"ly"}|to${"do"})\\b`);

    const found = text.filter((name) => marks.test(read(name)) || skips.test(read(name)));

    expect(found).toEqual([]);
  });

  it("uses every guest it has", () => {
    const users = text
      .filter((name) =>
        /^(test|bench|examples)\/.*\.(test|check|bench)\.(ts|js)$|support|suites|run\.mjs/.test(
          name,
        ),
      )
      .map(read)
      .join("\n");

    const unused = files
      .filter((name) => name.startsWith("test/guests/"))
      .map((name) => name.split("/")[2] ?? "")
      .filter((guest, i, all) => all.indexOf(guest) === i && !users.includes(guest));

    expect(unused).toEqual([]);
  });
});
