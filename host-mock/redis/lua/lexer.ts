import { LuaSyntaxError } from "./value.ts";

export interface Token {
  readonly kind: "name" | "keyword" | "symbol" | "number" | "string" | "end";
  readonly text: string;
  /** As it stands in the source. */
  readonly source: string;
  readonly number: number;
  readonly line: number;
}

const keywords: ReadonlySet<string> = new Set(
  (
    "and break do else elseif end false for function if in local nil not or repeat return then true " +
    "until while"
  ).split(" "),
);

const blank = /\s+/y;
const word = /[A-Za-z_]\w*/y;
const numeral = /\.?\d(?:[eE][+-]|[\w.])*/y;
const number = /^(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;
/** A character that is none of Lua's is a token, too, and fits nowhere. */
const symbol = /\.\.\.|\.\.|==|~=|<=|>=|[\s\S]/y;
const longOpen = /\[(=*)\[/y;
const comment = /--/y;

/** The tokens of a program; the last one is its end. Source: Lua 5.1 `llex.c`. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null) return null;
    at = pattern.lastIndex;
    for (const char of found[0]) if (char === "\n") line++;
    return found;
  };
  const long = (): string | undefined => {
    const open = take(longOpen);
    if (open === null) return undefined;
    const close = `]${open[1]!}]`;
    const end = source.indexOf(close, at);
    if (end < 0) throw new LuaSyntaxError("unfinished long string/comment near '<eof>'", line);
    const text = source.slice(at, end);
    line += text.split("\n").length - 1;
    at = end + close.length;
    return text.replace(/^\r?\n/, "");
  };
  let start = 0;
  const push = (kind: Token["kind"], text: string, number = 0, from = line): void => {
    const shown = kind === "end" ? text : source.slice(start, at);
    tokens.push({ kind, text, source: shown, number, line: from });
  };
  while (at < source.length) {
    if (take(blank) !== null) continue;
    if (take(comment) !== null) {
      if (long() === undefined) at = lineEnd(source, at);
      continue;
    }
    const from = line;
    start = at;
    const text = long();
    if (text !== undefined) push("string", text, 0, from);
    else if (source[at] === '"' || source[at] === "'") {
      const read = quotedText(source, at, line);
      at = read.end;
      push("string", read.text);
      line = read.line;
    } else {
      const found = take(word);
      if (found !== null) push(keywords.has(found[0]) ? "keyword" : "name", found[0]);
      else {
        const digits = take(numeral)?.[0];
        if (digits === undefined) push("symbol", take(symbol)![0]);
        else if (number.test(digits)) push("number", digits, Number(digits));
        else throw new LuaSyntaxError(`malformed number near '${digits}'`, line);
      }
    }
  }
  push("end", "<eof>");
  return tokens;
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end < 0 ? source.length : end;
}

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function quotedText(
  source: string,
  start: number,
  startLine: number,
): { text: string; end: number; line: number } {
  const quote = source[start]!;
  let text = "";
  let line = startLine;
  for (let at = start + 1; at < source.length; at++) {
    const char = source[at]!;
    if (char === quote) return { text, end: at + 1, line };
    if (char === "\n")
      throw new LuaSyntaxError(`unfinished string near '${source.slice(start, at)}'`, line);
    if (char !== "\\") {
      text += char;
      continue;
    }
    const decimal = /\d{1,3}/y;
    decimal.lastIndex = at + 1;
    const digits = decimal.exec(source)?.[0];
    if (digits !== undefined) {
      text += String.fromCharCode(Number(digits) & 0xff);
      at += digits.length;
      continue;
    }
    const next = source[++at] ?? "";
    if (next === "\n") line++;
    text += escapes[next] ?? next;
  }
  throw new LuaSyntaxError("unfinished string near '<eof>'", line);
}
