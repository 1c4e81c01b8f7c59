import { generalText } from "../numbers.ts";
import type { LuaTable } from "./table.ts";

/** A Lua value; strings are binary strings, null is nil. */
export type LuaValue = null | boolean | number | string | LuaTable | LuaFunction;

export type LuaFunction = (args: readonly LuaValue[]) => readonly LuaValue[];

/** What a program is that does not follow the grammar. */
export class LuaSyntaxError extends Error {
  readonly line: number;

  constructor(what: string, line: number) {
    super(what);
    this.name = "LuaSyntaxError";
    this.line = line;
  }
}

interface LuaErrorOptions {
  /** Whose line comes before the text: 0 nobody's, 1 that of the call which raised it, 2 that of the call around it. */
  readonly level?: number;
  readonly line?: number;
}

/** An error that runs through a script: `error(…)`, or a wrong operation. */
export class LuaError extends Error {
  /** What `pcall` gives; a text or a table. */
  value: LuaValue;
  /** Where it happened; null until the call is known that raised it. */
  line: number | null;
  #level: number;

  constructor(value: LuaValue, { level = 1, line }: LuaErrorOptions = {}) {
    super(typeof value === "string" ? value : "(error object)");
    this.name = "LuaError";
    this.value = value;
    this.line = line ?? null;
    this.#level = level;
  }

  /** Of the script's own line. */
  static at(text: string, line: number): LuaError {
    return new LuaError(placed(text, line), { level: 0, line });
  }

  /** It leaves a call that stands on this line. */
  leaves(line: number): this {
    this.line ??= line;
    if (this.#level > 0 && --this.#level === 0 && typeof this.value === "string")
      this.value = placed(this.value, line);
    return this;
  }
}

function placed(text: string, line: number): string {
  return `user_script:${line}: ${text}`;
}

export function typeName(value: LuaValue | undefined): string {
  if (value === null || value === undefined) return "nil";
  return typeof value === "object" ? "table" : typeof value;
}

export function isTrue(value: LuaValue | undefined): boolean {
  return value !== null && value !== undefined && value !== false;
}

/** A number as Lua 5.1 writes it: 14 significant digits. */
export function numberText(value: number): string {
  // What an invalid operation gives has its sign bit set on x86-64.
  if (Number.isNaN(value)) return "-nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return generalText(value, 14);
}

/** A number, or a text that reads as one; undefined otherwise. */
export function toNumber(value: LuaValue | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const [, sign = "", digits = ""] = /^[\s]*([+-]?)(.*?)[\s]*$/s.exec(value.toLowerCase()) ?? [];
  const size = sizeOf(digits);
  return size === undefined || sign !== "-" ? size : -size;
}

function sizeOf(digits: string): number | undefined {
  if (digits === "inf" || digits === "infinity") return Infinity;
  if (digits === "nan") return NaN;
  const isNumber = /^(?:0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/.test(digits);
  return isNumber ? Number(digits) : undefined;
}

/** A text in base 2 … 36 as C's `strtoul` reads it: negative ones wrap, large ones stop at 2^64 - 1. */
export function toUnsigned(text: string, base: number): number | undefined {
  const [, sign, digits = ""] = /^\s*([+-]?)(\w+)\s*$/.exec(text.toLowerCase()) ?? [];
  const known = "0123456789abcdefghijklmnopqrstuvwxyz".slice(0, base);
  const bare = base === 16 ? digits.replace(/^0x(?=.)/, "") : digits;
  if (bare === "" || [...bare].some((char) => !known.includes(char))) return undefined;
  let size = 0n;
  for (const char of bare) size = size * BigInt(base) + BigInt(known.indexOf(char));
  if (size >= 2n ** 64n) return Number(2n ** 64n - 1n);
  return Number(sign === "-" ? BigInt.asUintN(64, -size) : size);
}

export function toText(value: LuaValue | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value);
  if (typeof value === "boolean") return String(value);
  return value === null || value === undefined ? "nil" : `${typeName(value)}: 0x0`;
}
