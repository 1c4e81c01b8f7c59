import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../host-mock/cli/program.ts";
import { collectors } from "../host-mock/cli/collecting-streams.ts";
import { root } from "../support/build-guest.ts";
import { readPage } from "./support/page.ts";

const pages = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .trimEnd()
  .split("\n")
  .filter((page) => existsSync(join(root, page)));

/** Every line of a fence and every code span of a page, commands joined by `&&` apart. */
function codeIn(page: string): string[] {
  const source = readPage(page);
  const fences = [...source.matchAll(/^```.*\n([^]*?)^```$/gm)].flatMap(([, text = ""]) =>
    text.split("\n"),
  );
  const spans = [...source.replace(/^```.*\n[^]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, text = ""]) => text,
  );
  return [...fences, ...spans].flatMap((line) => line.split("&&")).map((line) => line.trim());
}

/** Calls of one program: its first argument and its long options, with the page. */
function callsOf(program: RegExp): { page: string; verb: string; options: string[] }[] {
  return pages.flatMap((page) =>
    codeIn(page).flatMap((line) => {
      const [, verb, rest = ""] = program.exec(line) ?? [];
      if (verb === undefined) return [];
      return [{ page, verb, options: rest.split(" #")[0]!.match(/--[a-z][a-z-]*/g) ?? [] }];
    }),
  );
}

async function help(...argv: string[]): Promise<string> {
  const streams = collectors();
  await runCommand([...argv, "--help"], streams);
  return streams.stdout.text;
}

const optionsIn = (text: string): string[] =>
  [...text.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map((match) => match[1]!);

describe("the command, wherever a page shows it", () => {
  const calls = callsOf(
    /^(?:again: )?(?:npx (?:--no-install )?)?proxy-wasm-as (-{0,2}[a-z]+)(.*)$/,
  );
  let verbs: string[];
  const known = new Map<string, string[]>();

  beforeAll(async () => {
    verbs = [...(await help()).matchAll(/^ {2}([a-z]+) /gm)].map((match) => match[1]!);
    for (const verb of verbs) known.set(verb, optionsIn(await help(verb)));
  });

  it("is shown with verbs that it has", () => {
    expect(calls.length).toBeGreaterThan(4);
    const wrong = calls.filter(({ verb }) => !verb.startsWith("-") && !verbs.includes(verb));

    expect(wrong).toEqual([]);
  });

  it("is shown with options that the verb has", () => {
    const wrong = calls.filter(({ verb, options }) =>
      options.some((option) => known.get(verb)?.includes(option) === false),
    );

    expect(wrong).toEqual([]);
  });

  it("has each verb's options in its reference, and no others", () => {
    const sections = readPage("docs/reference/cli.md").split(/^## /m);

    for (const verb of verbs) {
      const section = sections.find((text) => text.startsWith(`${verb}\n`)) ?? "";
      const documented = [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map((match) => match[1]!);
      expect([...documented, "--help"].sort(), verb).toEqual([...known.get(verb)!].sort());
    }
  });
});

describe("make, wherever a page shows it", () => {
  it("is shown with targets that the Makefile has", () => {
    const makefile = readFileSync(join(root, "Makefile"), "utf8");
    const targets = new Set([...makefile.matchAll(/^([a-z-]+):.*## /gm)].map((match) => match[1]!));

    const shown = pages.flatMap((page) =>
      codeIn(page)
        .filter((line) => line.startsWith("make "))
        .flatMap((line) => line.split(" #")[0]!.split(" ").slice(1))
        .filter((word) => /^[a-z-]+$/.test(word))
        .map((target) => ({ page, target })),
    );

    expect(shown.length).toBeGreaterThan(10);
    expect(shown.filter(({ target }) => !targets.has(target))).toEqual([]);
  });
});
