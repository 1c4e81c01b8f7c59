/** Pages of the documentation, as tests read them: fenced blocks with a title, and places for output. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/build-guest.ts";

/** True where the outputs in the pages are to be written anew instead of compared. */
export const isRecording = process.env["RECORD"] === "1";

export interface Block {
  readonly language: string;
  /** The file that the block is: the rest of the fence's line, or a first line that is a comment with a path. */
  readonly title: string | undefined;
  readonly text: string;
  /** The fence's line in the page, from 1. */
  readonly line: number;
}

export function readPage(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

export function blocksOf(page: string): Block[] {
  const source = readPage(page);
  return [...source.matchAll(/^```(\w+) ?(.*)\n([^]*?)^```$/gm)].map((match) => {
    const [, language = "", info = "", text = ""] = match;
    const comment = /^(?:\/\/|#) ([\w./-]+\.\w+)$/m.exec(text.split("\n", 1)[0] ?? "")?.[1];
    const title = info !== "" ? info : comment;
    const line = source.slice(0, match.index).split("\n").length;
    return { language, title, text, line };
  });
}

/** The block of a page that is this file. */
export function fileIn(page: string, title: string): string {
  const found = blocksOf(page).find((block) => block.title === title);
  if (found === undefined) throw new Error(`${page} has no block ${title}`);
  return found.text;
}

/** What stands between `<!-- NAME:begin … -->` and `<!-- NAME:end -->`, without the fence. */
export function markedIn(page: string, name: string): string {
  const match = marked(name).exec(readPage(page));
  if (match === null) throw new Error(`${page} has no place for ${name}`);
  return /^```text\n([^]*?)^```$/m.exec(match[2] ?? "")?.[1] ?? "";
}

export function writeMarked(page: string, name: string, text: string): void {
  const fenced = "```text\n" + text + "```\n";
  rewrite(page, (source) =>
    source.replace(marked(name), (_all, begin: string, _old, end: string) => begin + fenced + end),
  );
}

/** Puts another text into the block whose fence is on that line; answers how many lines the page grew by. */
export function writeBlock(page: string, line: number, text: string): number {
  let grown = 0;
  rewrite(page, (source) => {
    const lines = source.split("\n");
    const end = lines.indexOf("```", line);
    const fresh = text.trimEnd().split("\n");
    grown = fresh.length - (end - line);
    lines.splice(line, end - line, ...fresh);
    return lines.join("\n");
  });
  return grown;
}

function marked(name: string): RegExp {
  return new RegExp(`(<!-- ${name}:begin[^>]*-->\\n)([^]*?)(<!-- ${name}:end -->)`);
}

function rewrite(page: string, change: (source: string) => string): void {
  writeFileSync(join(root, page), change(readPage(page)));
}
