import type { Budget } from "./budget.ts";
import { LuaTable } from "./table.ts";
import { LuaError, numberText, toNumber, typeName, type LuaValue } from "./value.ts";

type Names = readonly [left: string, right: string];

/** `field 'x' (a nil value)`. */
export function named(value: LuaValue, what: string): string {
  const type = `a ${typeName(value)} value`;
  return what === "" ? type : `${what} (${type})`;
}

function refusal(doing: string, value: LuaValue, what: string, line: number): LuaError {
  return LuaError.at(`attempt to ${doing} ${named(value, what)}`, line);
}

/** `+ - * / % ^`; texts that read as numbers count as such. `names` describe the operands in an error. */
export function arithmetic(
  operator: string,
  left: LuaValue,
  right: LuaValue,
  names: Names,
  line: number,
): number {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a === undefined) throw refusal("perform arithmetic on", left, names[0], line);
  if (b === undefined) throw refusal("perform arithmetic on", right, names[1], line);
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return a - Math.floor(a / b) * b;
    default:
      return a ** b;
  }
}

export function concatenated(
  left: LuaValue,
  right: LuaValue,
  names: Names,
  line: number,
  budget: Budget,
): string {
  const text = (value: LuaValue, name: string): string => {
    if (typeof value === "string") return value;
    if (typeof value === "number") return numberText(value);
    throw refusal("concatenate", value, name, line);
  };
  const [first, second] = [text(left, names[0]), text(right, names[1])];
  budget.makeText(first.length + second.length);
  return first + second;
}

/** `line` is null for a comparison that a function of a library makes. */
export function compare(
  operator: string,
  left: LuaValue,
  right: LuaValue,
  line: number | null,
): boolean {
  const areNumbers = typeof left === "number" && typeof right === "number";
  const areTexts = typeof left === "string" && typeof right === "string";
  if (!areNumbers && !areTexts) {
    const [a, b] = [typeName(left), typeName(right)];
    const what =
      a === b ? `attempt to compare two ${a} values` : `attempt to compare ${a} with ${b}`;
    throw line === null ? new LuaError(what, { level: 0 }) : LuaError.at(what, line);
  }
  switch (operator) {
    case "<":
      return left < right;
    case ">":
      return left > right;
    case "<=":
      return left <= right;
    default:
      return left >= right;
  }
}

export function lengthOf(value: LuaValue, what: string, line: number): number {
  if (typeof value === "string") return value.length;
  if (value instanceof LuaTable) return value.length;
  throw refusal("get length of", value, what, line);
}
