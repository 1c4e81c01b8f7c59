import { LuaTable } from "./table.ts";
import { LuaError, toNumber, toText, typeName, type LuaFunction, type LuaValue } from "./value.ts";

type Args = readonly LuaValue[];

export function badArgument(at: number, name: string, why: string): LuaError {
  return new LuaError(`bad argument #${at + 1} to '${name}' (${why})`);
}

function expected(args: Args, at: number, name: string, type: string): LuaError {
  const got = at < args.length ? typeName(args[at]) : "no value";
  return badArgument(at, name, `${type} expected, got ${got}`);
}

export function textArgument(args: Args, at: number, name: string): string {
  const value = args[at];
  if (typeof value !== "string" && typeof value !== "number")
    throw expected(args, at, name, "string");
  return toText(value);
}

export function numberArgument(args: Args, at: number, name: string, absent?: number): number {
  const given = args[at] ?? null;
  if (given === null && absent !== undefined) return absent;
  const value = toNumber(given);
  if (value === undefined) throw expected(args, at, name, "number");
  return value;
}

export function integerArgument(args: Args, at: number, name: string, absent?: number): number {
  return Math.trunc(numberArgument(args, at, name, absent));
}

export function tableArgument(args: Args, at: number, name: string): LuaTable {
  const value = args[at];
  if (value instanceof LuaTable) return value;
  throw expected(args, at, name, "table");
}

/** A library, which no script can change. */
export function tableOf(
  members: Readonly<Record<string, LuaFunction | number | string>>,
): LuaTable {
  const table = new LuaTable();
  for (const [name, value] of Object.entries(members)) table.set(name, value);
  return table.freeze();
}
