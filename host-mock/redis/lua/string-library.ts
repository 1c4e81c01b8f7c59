/** Lua's `string`. Source: Lua 5.1 `lstrlib.c`. */
import { badArgument, integerArgument, tableOf, textArgument } from "./arguments.ts";
import type { Budget } from "./budget.ts";
import { luaFormat } from "./format.ts";
import { findPattern, type PatternMatch } from "./patterns.ts";
import { LuaTable } from "./table.ts";
import { isTrue, LuaError, toText, typeName, type LuaFunction, type LuaValue } from "./value.ts";

/** A place counted from 1, or from the end when negative, as one counted from 0. */
function placeOf(at: number, length: number): number {
  return at < 0 ? Math.max(0, length + at) : Math.max(0, at - 1);
}

function find(args: readonly LuaValue[], isFind: boolean, budget: Budget): LuaValue[] {
  const name = isFind ? "find" : "match";
  const text = textArgument(args, 0, name);
  const pattern = textArgument(args, 1, name);
  const init = Math.min(placeOf(integerArgument(args, 2, name, 1), text.length), text.length);
  if (isFind && (isTrue(args[3]) || !/[\^$*+?.([%-]/.test(pattern))) {
    budget.scan(text.length - init);
    const at = text.indexOf(pattern, init);
    return at < 0 ? [null] : [at + 1, at + pattern.length];
  }
  const found = findPattern(text, pattern, init, budget);
  if (found === null) return [null];
  if (!isFind) return [...found.captures];
  const hasCaptures = pattern.replace(/%./g, "").includes("(");
  return [found.start + 1, found.end, ...(hasCaptures ? found.captures : [])];
}

function allMatches(text: string, pattern: string, budget: Budget): PatternMatch[] {
  const all: PatternMatch[] = [];
  for (let at = 0; at <= text.length;) {
    const found = findPattern(text, pattern, at, budget);
    if (found === null) break;
    all.push(found);
    at = found.end > found.start ? found.end : found.end + 1;
    if (pattern.startsWith("^")) break;
  }
  return all;
}

function replacement(found: PatternMatch, whole: string, by: LuaValue, budget: Budget): string {
  const first = found.captures[0]!;
  if (typeof by === "string" || typeof by === "number")
    return toText(by).replace(/%([\s\S]?)/g, (_, char: string) => {
      if (char === "0") return whole;
      // Behind the last one stands the zero byte that ends a C string.
      if (char === "") return "\0";
      if (!/\d/.test(char)) return char;
      const capture = found.captures[Number(char) - 1];
      if (capture === undefined) throw new LuaError("invalid capture index");
      return toText(capture);
    });
  const value =
    by instanceof LuaTable
      ? by.get(first)
      : (budget.callBack(by as LuaFunction, found.captures)[0] ?? null);
  if (value === null || value === false) return whole;
  if (typeof value === "string" || typeof value === "number") return toText(value);
  throw new LuaError(`invalid replacement value (a ${typeName(value)})`);
}

function gsub(args: readonly LuaValue[], budget: Budget): LuaValue[] {
  const text = textArgument(args, 0, "gsub");
  const pattern = textArgument(args, 1, "gsub");
  const by = args[2] ?? null;
  const isUsable =
    typeof by === "string" ||
    typeof by === "number" ||
    typeof by === "function" ||
    by instanceof LuaTable;
  if (!isUsable) throw new LuaError("bad argument #3 to 'gsub' (string/function/table expected)");
  const found = allMatches(text, pattern, budget).slice(
    0,
    integerArgument(args, 3, "gsub", Infinity),
  );
  let made = "";
  let at = 0;
  for (const match of found) {
    const part =
      text.slice(at, match.start) +
      replacement(match, text.slice(match.start, match.end), by, budget);
    budget.makeText(part.length);
    made += part;
    at = match.end;
  }
  budget.makeText(text.length - at);
  return [made + text.slice(at), found.length];
}

const sliceMax = 8000;

function bytesOf(args: readonly LuaValue[]): number[] {
  const text = textArgument(args, 0, "byte");
  const first = integerArgument(args, 1, "byte", 1);
  const last = integerArgument(args, 2, "byte", first);
  const part = text.slice(placeOf(first, text.length), last < 0 ? text.length + last + 1 : last);
  if (part.length >= sliceMax) throw new LuaError("string slice too long");
  return [...part].map((char) => char.charCodeAt(0));
}

function textOf(args: readonly LuaValue[]): string {
  const codes = args.map((_, at) => {
    const code = integerArgument(args, at, "char");
    if (code < 0 || code > 255) throw badArgument(at, "char", "invalid value");
    return code;
  });
  return String.fromCharCode(...codes);
}

function sub(args: readonly LuaValue[]): string {
  const text = textArgument(args, 0, "sub");
  const start = placeOf(integerArgument(args, 1, "sub"), text.length);
  const stop = integerArgument(args, 2, "sub", -1);
  const end = stop < 0 ? text.length + stop + 1 : Math.min(stop, text.length);
  return start < end ? text.slice(start, end) : "";
}

function rep(args: readonly LuaValue[], budget: Budget): string {
  const text = textArgument(args, 0, "rep");
  const count = Math.max(0, integerArgument(args, 1, "rep"));
  budget.makeText(text.length * count);
  return text.repeat(text === "" ? 0 : count);
}

function gmatch(args: readonly LuaValue[], budget: Budget): LuaFunction {
  const text = textArgument(args, 0, "gmatch");
  const found = allMatches(text, textArgument(args, 1, "gmatch"), budget);
  let next = 0;
  return () => [...(found[next++]?.captures ?? [null])];
}

/** The library for one run of a script. */
export function stringLibrary(budget: Budget): LuaTable {
  const mapped = (name: string, run: (text: string) => string): LuaFunction => {
    return (args) => {
      const text = textArgument(args, 0, name);
      budget.makeText(text.length);
      return [run(text)];
    };
  };
  const made = (text: string): string => {
    budget.makeText(text.length);
    return text;
  };
  return tableOf({
    len: (args) => [textArgument(args, 0, "len").length],
    sub: (args) => [made(sub(args))],
    upper: mapped("upper", (text) => text.replace(/[a-z]+/g, (part) => part.toUpperCase())),
    lower: mapped("lower", (text) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
    reverse: mapped("reverse", (text) => [...text].reverse().join("")),
    rep: (args) => [rep(args, budget)],
    byte: bytesOf,
    char: (args) => [made(textOf(args))],
    find: (args) => find(args, true, budget),
    match: (args) => find(args, false, budget),
    gmatch: (args) => [gmatch(args, budget)],
    gsub: (args) => gsub(args, budget),
    format: (args) => [made(luaFormat(args))],
  });
}
