/** What every script finds: Lua's base functions and `table`. Source: Lua 5.1 `lbaselib.c`, `ltablib.c`. */
import { badArgument, integerArgument, tableArgument, tableOf, textArgument } from "./arguments.ts";
import type { Budget } from "./budget.ts";
import { mathLibrary } from "./mathematics.ts";
import { compare } from "./operators.ts";
import type { ScriptRandom } from "./random.ts";
import { luaSort } from "./sort.ts";
import { stringLibrary } from "./string-library.ts";
import { LuaTable } from "./table.ts";
import {
  isTrue,
  LuaError,
  toNumber,
  toText,
  toUnsigned,
  typeName,
  type LuaFunction,
  type LuaValue,
} from "./value.ts";

type Functions = Readonly<Record<string, LuaFunction>>;

const next: LuaFunction = (args) => {
  const entry = tableArgument(args, 0, "next").next(args[1] ?? null);
  return entry ?? [null];
};

const nextItem: LuaFunction = ([table = null, index = 0]) => {
  const at = (index as number) + 1;
  const value = (table as LuaTable).get(at);
  return value === null ? [null] : [at, value];
};

const base: Functions = {
  type: (args) => {
    if (args.length === 0) throw badArgument(0, "type", "value expected");
    return [typeName(args[0])];
  },
  tonumber: (args) => {
    const base = integerArgument(args, 1, "tonumber", 10);
    if (base === 10) {
      if (args.length === 0) throw badArgument(0, "tonumber", "value expected");
      return [toNumber(args[0]) ?? null];
    }
    const text = textArgument(args, 0, "tonumber");
    if (base < 2 || base > 36) throw badArgument(1, "tonumber", "base out of range");
    return [toUnsigned(text, base) ?? null];
  },
  tostring: (args) => {
    if (args.length === 0) throw badArgument(0, "tostring", "value expected");
    return [toText(args[0])];
  },
  pairs: (args) => [next, tableArgument(args, 0, "pairs"), null],
  ipairs: (args) => [nextItem, tableArgument(args, 0, "ipairs"), 0],
  next,
  rawget: (args) => [tableArgument(args, 0, "rawget").get(args[1] ?? null)],
  rawset: (args) => {
    const table = tableArgument(args, 0, "rawset");
    table.set(args[1] ?? null, args[2] ?? null);
    return [table];
  },
  rawequal: (args) => {
    if (args.length < 2) throw badArgument(args.length, "rawequal", "value expected");
    return [args[0] === args[1]];
  },
  select: (args) => {
    if (args[0] === "#") return [args.length - 1];
    const from = integerArgument(args, 0, "select");
    if (from === 0 || from < 1 - args.length) throw badArgument(0, "select", "index out of range");
    return args.slice(from);
  },
  error: (args) => {
    const [value = null] = args;
    const level = integerArgument(args, 1, "error", 1);
    throw new LuaError(typeof value === "number" ? toText(value) : value, { level });
  },
  assert: (args) => {
    if (args.length === 0) throw badArgument(0, "assert", "value expected");
    if (isTrue(args[0])) return args;
    throw new LuaError(args[1] ?? "assertion failed!");
  },
};

/** Functions that call others and go on when those fail. */
function catching(budget: Budget): Functions {
  const tried = (
    callee: LuaValue,
    args: readonly LuaValue[],
    failed: (value: LuaValue) => readonly LuaValue[],
  ): readonly LuaValue[] => {
    const { depth } = budget;
    try {
      if (typeof callee === "function") return [true, ...budget.callBack(callee, args)];
      throw new LuaError(`attempt to call a ${typeName(callee)} value`, { level: 0 });
    } catch (error) {
      if (!(error instanceof LuaError)) throw error;
      budget.depth = depth;
      return [false, ...failed(caught(error))];
    }
  };
  return {
    pcall: (args) => {
      if (args.length === 0) throw badArgument(0, "pcall", "value expected");
      return tried(args[0]!, args.slice(1), (value) => [value]);
    },
    xpcall: (args) => {
      if (args.length < 2) throw badArgument(1, "xpcall", "value expected");
      const handler = args[1]!;
      return tried(args[0]!, [], (value) => {
        if (typeof handler === "function") return budget.callBack(handler, [value]).slice(0, 1);
        throw new LuaError(`attempt to call a ${typeName(handler)} value`, { level: 0 });
      });
    },
  };
}

/** Redis gives the text of a command's error in place of its table. */
function caught({ value }: LuaError): LuaValue {
  const text = value instanceof LuaTable ? value.get("err") : null;
  return typeof text === "string" ? text : value;
}

const resultsMax = 8000;

function unpack(args: readonly LuaValue[], budget: Budget): LuaValue[] {
  const table = tableArgument(args, 0, "unpack");
  const from = integerArgument(args, 1, "unpack", 1);
  const to = integerArgument(args, 2, "unpack", table.length);
  const size = Math.max(0, to - from + 1);
  if (size >= resultsMax) throw new LuaError("too many results to unpack");
  budget.spend(size);
  return Array.from({ length: size }, (_, at) => table.get(from + at));
}

function concat(args: readonly LuaValue[], budget: Budget): string {
  const table = tableArgument(args, 0, "concat");
  const between = (args[1] ?? null) === null ? "" : textArgument(args, 1, "concat");
  const from = integerArgument(args, 2, "concat", 1);
  const to = integerArgument(args, 3, "concat", table.length);
  let text = "";
  for (let at = from; at <= to; at++) {
    const value = table.get(at);
    if (typeof value !== "string" && typeof value !== "number")
      throw new LuaError(`invalid value (${typeName(value)}) at index ${at} in table for 'concat'`);
    const part = (at === from ? "" : between) + toText(value);
    budget.spend(1);
    budget.makeText(part.length);
    text += part;
  }
  return text;
}

function insert(args: readonly LuaValue[], budget: Budget): void {
  const table = tableArgument(args, 0, "insert");
  const end = table.length + 1;
  if (args.length === 2) table.set(end, args[1]!);
  else if (args.length !== 3) throw new LuaError("wrong number of arguments to 'insert'");
  else {
    const place = integerArgument(args, 1, "insert");
    for (let at = Math.max(end, place); at > place; at--) {
      budget.spend(1);
      table.set(at, table.get(at - 1));
    }
    table.set(place, args[2]!);
  }
}

function remove(args: readonly LuaValue[], budget: Budget): LuaValue[] {
  const table = tableArgument(args, 0, "remove");
  const end = table.length;
  const place = integerArgument(args, 1, "remove", end);
  if (place < 1 || place > end) return [];
  budget.spend(end - place);
  const value = table.get(place);
  for (let at = place; at < end; at++) table.set(at, table.get(at + 1));
  table.set(end, null);
  return [value];
}

function sort(args: readonly LuaValue[], budget: Budget): void {
  const table = tableArgument(args, 0, "sort");
  const less = args[1] ?? null;
  if (less !== null && typeof less !== "function")
    throw badArgument(1, "sort", `function expected, got ${typeName(less)}`);
  const values = Array.from({ length: table.length }, (_, at) => table.get(at + 1));
  luaSort(values, (one, other) => {
    budget.spend(1);
    return less === null
      ? compare("<", one, other, null)
      : isTrue(budget.callBack(less, [one, other])[0]);
  });
  for (const [at, value] of values.entries()) table.set(at + 1, value);
}

/** Calls a function with each entry, until it gives something. */
function forEach(next: LuaFunction, first: LuaValue, name: string, budget: Budget): LuaFunction {
  return (args) => {
    const table = tableArgument(args, 0, name);
    const run = args[1] ?? null;
    if (typeof run !== "function")
      throw badArgument(1, name, `function expected, got ${typeName(run)}`);
    for (let entry = next([table, first]); entry[0] !== null; entry = next([table, entry[0]!])) {
      const [result = null] = budget.callBack(run, entry);
      if (result !== null) return [result];
    }
    return [];
  };
}

function tableLibrary(budget: Budget): LuaTable {
  return tableOf({
    insert: (args) => {
      insert(args, budget);
      return [];
    },
    remove: (args) => remove(args, budget),
    concat: (args) => [concat(args, budget)],
    sort: (args) => {
      sort(args, budget);
      return [];
    },
    getn: (args) => [tableArgument(args, 0, "getn").length],
    setn: () => {
      throw new LuaError("'setn' is obsolete");
    },
    maxn: (args) => {
      let largest = 0;
      const table = tableArgument(args, 0, "maxn");
      for (let entry = table.next(null); entry !== null; entry = table.next(entry[0]))
        if (typeof entry[0] === "number") largest = Math.max(largest, entry[0]);
      return [largest];
    },
    foreach: forEach(next, null, "foreach", budget),
    foreachi: forEach(nextItem, 0, "foreachi", budget),
  });
}

/** A fresh set of globals for one run of a script; libraries are read-only. */
export function standardGlobals(budget: Budget, random: ScriptRandom): Map<string, LuaValue> {
  return new Map<string, LuaValue>([
    ...Object.entries(base),
    ...Object.entries(catching(budget)),
    ["unpack", (args) => unpack(args, budget)],
    ["_VERSION", "Lua 5.1"],
    ["string", stringLibrary(budget)],
    ["table", tableLibrary(budget)],
    ["math", mathLibrary(random)],
  ]);
}
