/** Mutations of a flat JSON object that know what its text means. */
import type { Random } from "../../../host-mock/random.ts";
import { bytesOf, changedBytes, joined, noise, pick, type Bytes } from "./bytes-mutation.ts";

/** Name and value as they stand in the text. */
export type Field = readonly [name: string, value: string];

const megabyte = 1 << 20;
/** As deep as readers of JSON go, and around it. */
const depths = [1, 2, 64, 255, 256, 257, 1_000, 20_000];

const numbers = [
  ...["-1", "0", "-0", "1", "999", "1000", "1001", "3600000", "3600001", "2147483648"],
  ...["4294967296", "4503599627370495", "4503599627370496", "4503599627370497"],
  ...["9007199254740993", "999999999999999999", "1000000000000000000", "9223372036854775807"],
  ...["9223372036854775808", "-9223372036854775808", "99999999999999999999", "1e3", "1E400"],
  ...["1.0", "1.5", "0.1e1", "-1e-400", "1.", ".5", "00", "+1", "0x10", "NaN", "Infinity", "1_000"],
  ...["9".repeat(400), `1e${"9".repeat(30)}`, `0.${"0".repeat(300)}1`],
];

const texts = [
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ud83d\\ude00"',
  '"😀 \u2028 é \ufeff"',
  '"\\x41"',
  '"\\u12"',
  '"a\nb"',
  '"\\"}"',
  '"held"',
  '"HELD"',
  '"h\\u0065ld"',
  '"released"',
  '"boot"',
  "'held'",
  '"unclosed',
];

const others = [
  ...["null", "true", "false", "True", "{}", "[]", "[[]]", '{"a":1}', "[1,2]", '"15000"', "[null]"],
  ...["", " ", "undefined", "{", "]", ",", '{"vmID":"x"}', "nul", "tru", "//", "/* */1"],
];

type Change = (random: Random, fields: readonly Field[]) => string | Bytes;

/** Puts a field in the place of one of them. */
function replaced(random: Random, fields: readonly Field[], make: (field: Field) => Field): string {
  const at = random.below(fields.length);
  return objectOf(fields.map((field, index) => (index === at ? make(field) : field)));
}

/** Puts a field before, between or behind them. */
function inserted(random: Random, fields: readonly Field[], field: Field): string {
  return objectOf(fields.toSpliced(random.below(fields.length + 1), 0, field));
}

function nested(random: Random): string {
  const depth = pick(random, depths);
  const [open, close] = pick(random, [
    ["[", "]"],
    ['{"a":', "}"],
    ['[{"a":', "}]"],
  ] as const);
  return open.repeat(depth) + (random.below(2) === 0 ? `1${close.repeat(depth)}` : "");
}

function otherCase(random: Random, name: string): string {
  const text = name.slice(1, -1);
  return pick(random, [
    `"${text.toUpperCase()}"`,
    `"${text.toLowerCase()}"`,
    `"${text.slice(0, 1).toUpperCase()}${text.slice(1)}"`,
    `"\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}${text.slice(1)}"`,
  ]);
}

const jsonChanges: readonly Change[] = [
  (random, fields) => replaced(random, fields, ([name]) => [name, pick(random, numbers)]),
  (random, fields) => replaced(random, fields, ([name]) => [name, pick(random, texts)]),
  (random, fields) => replaced(random, fields, ([name]) => [name, pick(random, others)]),
  (random, fields) => replaced(random, fields, ([name]) => [name, nested(random)]),
  (random, fields) => inserted(random, fields, ['"x"', nested(random)]),
  (random) => nested(random),
  // A name twice: in another case, escaped, or the same with another value.
  (random, fields) => {
    const [name, value] = pick(random, fields);
    return inserted(random, fields, [otherCase(random, name), value]);
  },
  (random, fields) => inserted(random, fields, [pick(random, fields)[0], pick(random, numbers)]),
  (random, fields) => replaced(random, fields, ([name, value]) => [otherCase(random, name), value]),
  (random, fields) => replaced(random, fields, ([, value]) => [pick(random, texts), value]),
  (random, fields) => objectOf(fields.toSpliced(random.below(fields.length), 1)),
  (_random, fields) => objectOf(fields.toReversed()),
  (_random, fields) => objectOf(fields).replaceAll(/[{:,]/g, (mark) => ` \t${mark}\r\n`),
  (random, fields) =>
    pick(random, ["\ufeff", "\0", " ", "x", ")]}'\n"]) +
    objectOf(fields) +
    pick(random, ["", "\0"]),
  (random, fields) => `[${objectOf(fields)}]${pick(random, ["", ",", "]"])}`,
  (_random, fields) => JSON.stringify(objectOf(fields)),
  (random) => pick(random, [...others, ...numbers, ...texts]),
  (random) => noise(random, random.below(80)),
  // Bytes that no text has, where a text should stand.
  (random, fields) => {
    const [before = "", after = ""] = objectOf(fields).split(pick(random, fields)[1]);
    return joined(bytesOf(before), noise(random, 6), bytesOf(after));
  },
];

/** A text of about 16 KiB, where the electors' limit is, or rarely of a megabyte. */
function large(random: Random, fields: readonly Field[]): string {
  const size = random.below(40) === 0 ? megabyte : 16_300 + random.below(200);
  const filler = pick(random, ["x", " ", "\\u0041", "9", "é", "[", '{"a":']);
  const fill = filler.repeat(Math.ceil(size / filler.length));
  return pick(random, [
    () => inserted(random, fields, ['"x"', `"${fill}"`]),
    () => replaced(random, fields, ([name]) => [name, `"${fill}"`]),
    () => objectOf(fields) + fill,
    () => replaced(random, fields, ([name]) => [name, fill]),
  ])();
}

/** The text of an object; names and values go in as they are. */
export function objectOf(fields: readonly Field[]): string {
  return `{${fields.map(([name, value]) => `${name}:${value}`).join(",")}}`;
}

/** The fields of an object without nested ones, as they would be written without spaces. */
export function fieldsOf(object: object): Field[] {
  return Object.entries(object).map(([name, value]) => [
    JSON.stringify(name),
    JSON.stringify(value),
  ]);
}

/** The object's text with one change or, in a tenth of the cases, a second one of its bytes. */
export function changedJson(random: Random, fields: readonly Field[]): Bytes {
  const kind = random.below(100);
  if (kind < 35) return changedBytes(random, bytesOf(objectOf(fields)));
  if (kind < 39) return bytesOf(large(random, fields));
  const changed = pick(random, jsonChanges)(random, fields);
  const bytes = typeof changed === "string" ? bytesOf(changed) : changed;
  return kind < 49 && bytes.length > 0 ? changedBytes(random, bytes) : bytes;
}

type Parsed = { readonly value: unknown } | undefined;

// A record is asked about several times, and what is no JSON costs an exception each time.
const known = new WeakMap<Uint8Array, { readonly parsed: Parsed }>();

/** What JavaScript's parser makes of the bytes; undefined when they are not JSON in UTF-8. */
export function parsed(bytes: Uint8Array): Parsed {
  let found = known.get(bytes);
  if (found === undefined) known.set(bytes, (found = { parsed: parse(bytes) }));
  return found.parsed;
}

function parse(bytes: Uint8Array): Parsed {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
