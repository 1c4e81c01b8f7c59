/** `string.format`, which is C's `sprintf`. Source: Lua 5.1 `lstrlib.c` (str_format). */
import { exponentText, fixedText, generalText, longOf } from "../numbers.ts";
import { badArgument, numberArgument, textArgument } from "./arguments.ts";
import { LuaError, type LuaValue } from "./value.ts";

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

const directive = /%(?:(%)|([-+ #0]*)(\d*)(?:\.(\d*))?([\s\S]?))/g;

/** `args[0]` is the format. LuaError for a directive that there is not, or an argument that does not fit it. */
export function luaFormat(args: readonly LuaValue[]): string {
  let next = 0;
  return textArgument(args, 0, "format").replace(
    directive,
    (
      _,
      percent: string | undefined,
      flags: string,
      width: string,
      precision: string | undefined,
      letter: string,
    ) => {
      if (percent !== undefined) return percent;
      if (++next >= args.length) throw badArgument(next, "format", "no value");
      if (flags.length > 5) throw new LuaError("invalid format (repeated flags)");
      if (width.length > 2 || (precision ?? "").length > 2)
        throw new LuaError("invalid format (width or precision too long)");
      return shown(args, next, {
        flags,
        width: Number(width),
        precision: precision === undefined ? undefined : Number(precision),
        letter,
      });
    },
  );
}

function shown(args: readonly LuaValue[], at: number, given: Directive): string {
  const number = (): number => numberArgument(args, at, "format");
  switch (given.letter) {
    case "c":
      return padded(String.fromCharCode(number() & 0xff), "", { ...given, flags: noZeros(given) });
    case "d":
    case "i":
      return integerText(longOf(number()), 10, given);
    case "u":
    case "o":
    case "x":
    case "X": {
      const base = given.letter === "o" ? 8 : given.letter === "u" ? 10 : 16;
      return integerText(BigInt.asUintN(64, longOf(number())), base, given);
    }
    case "e":
    case "E":
    case "f":
    case "g":
    case "G":
      return floatText(number(), given);
    case "q":
      return quoted(textArgument(args, at, "format"));
    case "s": {
      const text = textArgument(args, at, "format");
      return padded(text.slice(0, given.precision), "", { ...given, flags: noZeros(given) });
    }
    default:
      throw new LuaError(`invalid option '%${given.letter}' to 'format'`);
  }
}

function noZeros({ flags }: Directive): string {
  return flags.replaceAll("0", "");
}

function integerText(value: bigint, base: number, given: Directive): string {
  const { letter, precision, flags } = given;
  const isSigned = letter === "d" || letter === "i";
  let digits = (value < 0n ? -value : value).toString(base);
  if (precision === 0 && value === 0n) digits = "";
  digits = digits.padStart(precision ?? 0, "0");
  if (flags.includes("#") && letter === "o" && !digits.startsWith("0")) digits = `0${digits}`;
  const hasPrefix = flags.includes("#") && base === 16 && value !== 0n;
  const prefix = isSigned ? signOf(value < 0n, flags) : hasPrefix ? "0x" : "";
  const text = padded(
    digits,
    prefix,
    precision === undefined ? given : { ...given, flags: noZeros(given) },
  );
  return letter === "X" ? text.toUpperCase() : text;
}

function floatText(value: number, given: Directive): string {
  const { flags, precision = 6 } = given;
  const letter = given.letter.toLowerCase();
  const isNegative = value < 0 || Object.is(value, -0) || Number.isNaN(value);
  const prefix = signOf(isNegative, flags);
  const size = Math.abs(value);
  let text: string;
  if (!Number.isFinite(value)) text = Number.isNaN(value) ? "nan" : "inf";
  else if (letter === "f") text = fixedText(size, precision);
  else if (letter === "e") text = exponentText(size, precision);
  else text = generalText(size, Math.max(1, precision));
  const fitting = Number.isFinite(value) ? given : { ...given, flags: noZeros(given) };
  const all = padded(text, prefix, fitting);
  return given.letter === letter ? all : all.toUpperCase();
}

function signOf(isNegative: boolean, flags: string): string {
  if (isNegative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function padded(text: string, prefix: string, { flags, width }: Directive): string {
  const free = width - prefix.length;
  if (flags.includes("-")) return (prefix + text).padEnd(width);
  return flags.includes("0") ? prefix + text.padStart(free, "0") : (prefix + text).padStart(width);
}

/** A text as a Lua literal. */
function quoted(text: string): string {
  const escaped = text
    .replace(/["\\\n]/g, "\\$&")
    .replaceAll("\r", "\\r")
    .replaceAll("\0", "\\000");
  return `"${escaped}"`;
}
