/** Lua's `math`. Source: Lua 5.1 `lmathlib.c`. */
import { badArgument, integerArgument, numberArgument, tableOf } from "./arguments.ts";
import type { ScriptRandom } from "./random.ts";
import type { LuaTable } from "./table.ts";
import { LuaError, type LuaFunction } from "./value.ts";

type Unary = (value: number) => number;
const ofOne: Readonly<Record<string, Unary>> = {
  ...{ floor: Math.floor, ceil: Math.ceil, abs: Math.abs, sqrt: Math.sqrt },
  ...{ exp: Math.exp, log: Math.log, log10: Math.log10 },
  ...{ sin: Math.sin, cos: Math.cos, tan: Math.tan },
  ...{ asin: Math.asin, acos: Math.acos, atan: Math.atan },
  ...{ sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh },
  deg: (value) => value / (Math.PI / 180),
  rad: (value) => value * (Math.PI / 180),
};

type Binary = (a: number, b: number) => number;
const ofTwo: Readonly<Record<string, Binary>> = {
  pow: (a, b) => a ** b,
  fmod: (a, b) => a % b,
  mod: (a, b) => a % b,
  atan2: Math.atan2,
  ldexp: (a, b) => a * 2 ** Math.trunc(b),
};

function named(name: string, best: (values: readonly number[]) => number): [string, LuaFunction] {
  return [
    name,
    (args) => {
      const first = numberArgument(args, 0, name);
      return [best([first, ...args.slice(1).map((_, at) => numberArgument(args, at + 1, name))])];
    },
  ];
}

/** `value = fraction × 2^exponent`, the fraction from a half to one. */
function fractionAndExponent(value: number): [number, number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1);
  let fraction = value * 2 ** -exponent;
  for (; Math.abs(fraction) < 0.5; exponent--) fraction *= 2;
  for (; Math.abs(fraction) >= 1; exponent++) fraction /= 2;
  return [fraction, exponent];
}

/** A share of an interval: of [1, n], of [m, n], or the share itself. */
function within(bounds: readonly number[], share: number): number {
  if (bounds.length === 0) return share;
  if (bounds.length > 2) throw new LuaError("wrong number of arguments");
  const high = bounds.at(-1)!;
  const low = bounds.length === 1 ? 1 : bounds[0]!;
  if (low > high) throw badArgument(bounds.length - 1, "random", "interval is empty");
  return Math.floor(share * (high - low + 1)) + low;
}

/** The library, with the server's random numbers. */
export function mathLibrary(numbers: ScriptRandom): LuaTable {
  return tableOf({
    pi: Math.PI,
    huge: Infinity,
    ...Object.fromEntries(
      Object.entries(ofOne).map(([name, run]): [string, LuaFunction] => [
        name,
        (args) => [run(numberArgument(args, 0, name))],
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(ofTwo).map(([name, run]): [string, LuaFunction] => [
        name,
        (args) => [run(numberArgument(args, 0, name), numberArgument(args, 1, name))],
      ]),
    ),
    ...Object.fromEntries([
      named("max", (values) => values.reduce((best, value) => (value > best ? value : best))),
      named("min", (values) => values.reduce((best, value) => (value < best ? value : best))),
    ]),
    modf: (args) => {
      const value = numberArgument(args, 0, "modf");
      const whole = Math.trunc(value);
      return [whole, Number.isFinite(value) ? value - whole : value - value || 0];
    },
    frexp: (args) => fractionAndExponent(numberArgument(args, 0, "frexp")),
    random: (args) => {
      const share = numbers.next();
      const bounds = args.map((_, at) => integerArgument(args, at, "random"));
      return [within(bounds, share)];
    },
    randomseed: (args) => {
      numbers.seed(integerArgument(args, 0, "randomseed"));
      return [];
    },
  });
}
