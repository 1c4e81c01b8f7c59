import { fc, test as property } from "@fast-check/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { loadRoom, type Room } from "../../support/load-room.ts";

const Kind = { Missing: 0, Null: 1, Bool: 2, Number: 3, String: 4, Array: 5, Object: 6 } as const;

/** With halves of surrogate pairs replaced; \p{Surrogate} matches no whole pair. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

let room: Room;

beforeAll(async () => {
  room = await loadRoom("test/guests/json/plugin.guest.ts");
});

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("paths", () => {
  const text = utf8(
    '{"a":{"b":[10,{"c":"deep"},[]]},"x.y":1,"":{"":2},"list":[],"\\u0061bc":3,' +
      '"d":1,"d":2,"0":"zero"}',
  );

  test.each([
    ["a.b.0", "10"],
    ["a.b.1.c", '"deep"'],
    ["a.b.#", "3"],
    ["list.#", "0"],
    ["x\\.y", "1"],
    ["", '{"":2}'],
    [".", "2"],
    ["abc", "3"],
    ["d", "1"],
    ["0", '"zero"'],
    ["a.b.2", "[]"],
  ])("%j leads to %s", (path, raw) => {
    expect(room.text("getOnly", text, path)).toBe(raw);
  });

  test.each([
    "q",
    "a.q",
    "a.b.3",
    "a.b.-1",
    "a.b.x",
    "a.b.99999999999",
    "x.y",
    "a.b.0.c",
    "a.b.#.c",
    "#",
    "a.b.",
    "d.",
  ])("%j leads nowhere", (path) => {
    expect(room.call("kindOf", text, path)).toBe(Kind.Missing);
    expect(room.text("text", text, path)).toBe("");
    expect(room.bigint("int", text, path)).toBe(0n);
    expect(room.call("float", text, path)).toBe(0);
    expect(room.call("bool_", text, path)).toBe(0);
    expect(room.call("arraySize", text, path)).toBe(0);
  });
});

describe("whole numbers", () => {
  test.each([
    ["0", 0n],
    ["-0", 0n],
    ["9223372036854775807", 2n ** 63n - 1n],
    ["-9223372036854775808", -(2n ** 63n)],
    ["9007199254740993", 9007199254740993n],
    ["1767225600000000001", 1767225600000000001n],
    ["1.5", 1n],
    ["-1.99", -1n],
    ["1e3", 1000n],
    ["1.2345e2", 123n],
    ["12345e-2", 123n],
    ["0.00001e7", 100n],
    ["1e-1000000000000", 0n],
    ["0e1000000000000", 0n],
    ["9223372036854775808", 2n ** 63n - 1n],
    ["-9223372036854775809", -(2n ** 63n)],
    ["1e30", 2n ** 63n - 1n],
    ["-1e999999999999", -(2n ** 63n)],
    ["true", 1n],
    ["false", 0n],
    ["null", 0n],
    ["[7]", 0n],
    ['"42"', 42n],
    ['"-42"', -42n],
    ['"\\u00342"', 42n],
    ['"9007199254740993"', 9007199254740993n],
    ['"42a"', 0n],
    ['"4.2"', 0n],
    ['""', 0n],
    ['"-"', 0n],
  ])("%s is %d", (text, expected) => {
    expect(room.bigint("int", utf8(text), "")).toBe(expected);
  });

  test.each([
    ["18446744073709551615", 2n ** 64n - 1n],
    ["18446744073709551616", 2n ** 64n - 1n],
    ["9223372036854775808", 2n ** 63n],
    ["-1", 0n],
    ['"18446744073709551615"', 2n ** 64n - 1n],
  ])("%s unsigned is %d", (text, expected) => {
    expect(BigInt.asUintN(64, room.bigint("uint", utf8(text), ""))).toBe(expected);
  });

  property.prop([fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })])("are exact", (value) => {
    expect(room.bigint("int", utf8(String(value)), "")).toBe(value);
  });
});

describe("floating-point numbers", () => {
  property.prop(
    [fc.double({ noDefaultInfinity: true, noNaN: true }), fc.integer({ min: 15, max: 40 })],
    {
      numRuns: 5000,
    },
  )("are the nearest double, however many digits they have", (value, digits) => {
    for (const text of [JSON.stringify(value), value.toPrecision(digits)]) {
      expect(room.call("float", utf8(text), "")).toBe(Number(text));
    }
  });

  test.each([
    ["beyond 1e38, where the standard library is off", "1.0565123732781479e+39"],
    ["exactly between two doubles", "9007199254740993"],
    ["a hair above the middle, 800 digits behind", `9007199254740993.${"0".repeat(800)}1`],
    ["the largest one", "1.7976931348623157e308"],
    ["just too large", "1.7976931348623159e308"],
    ["the smallest one", "5e-324"],
    ["half of the smallest one", "2.4703282292062327e-324"],
    ["a little more than half of the smallest one", "2.4703282292062328e-324"],
    ["the largest without full precision", "2.2250738585072011e-308"],
    ["nothing, with a long zero", `0.${"0".repeat(400)}1e-1`],
    ["a billion zeros away", "1e-999999999999"],
    ["negative zero", "-0"],
  ])("%s", (_, text) => {
    expect(room.call("float", utf8(text), "")).toBe(Number(text));
  });

  test.each([
    ["true", 1],
    ['"1.5e2"', 150],
    ['" 1"', 0],
    ['"1 "', 0],
    ['"x"', 0],
    ['"NaN"', 0],
    ["null", 0],
  ])("%s is %d", (text, expected) => {
    expect(room.call("float", utf8(text), "")).toBe(expected);
  });
});

describe("truth", () => {
  test.each(["true", "1", "-0.5", "1e5", '"1"', '"t"', '"T"', '"true"', '"TRUE"'])(
    "%s is true",
    (text) => {
      expect(room.call("bool_", utf8(text), "")).toBe(1);
    },
  );

  test.each(["false", "0", "0.00", "0e5", '"0"', '"yes"', '"truE "', '""', "null", "[true]", "{}"])(
    "%s is false",
    (text) => {
      expect(room.call("bool_", utf8(text), "")).toBe(0);
    },
  );
});

describe("strings", () => {
  test.each([
    ['"a\\/b"', "a/b"],
    ['"\\"\\\\\\b\\f\\n\\r\\t"', '"\\\b\f\n\r\t'],
    ['"\\u00e9\\u4e2d"', "é中"],
    ['"\\ud83d\\ude00"', "😀"],
    ['"\\ud83d"', "\ufffd"],
    ['"\\ude00x"', "\ufffdx"],
    ['"\\ud83d\\u0041"', "\ufffdA"],
    ['"\\ud83d\\ud83d\\ude00"', "\ufffd😀"],
    ['"\\u0000"', "\0"],
    ["1.50", "1.50"],
    ["true", "true"],
    ["null", ""],
    ["[1, 2]", "[1, 2]"],
  ])("%s reads as its text", (text, expected) => {
    expect(room.text("text", utf8(text), "")).toBe(expected);
  });
});

describe("going through a value", () => {
  test("gives names of an object, indexes of an array, and a single value itself", () => {
    expect(room.text("forEach", utf8('{"a":1, "b\\n" : [2]}'), 9)).toBe("a=1|b\n=[2]|");
    expect(room.text("forEach", utf8('[ "x" ,null ]'), 9)).toBe('0="x"|1=null|');
    expect(room.text("forEach", utf8("7"), 9)).toBe("=7|");
    expect(room.text("forEach", utf8("7x"), 9)).toBe("");
  });

  test("ends when the callback says so", () => {
    expect(room.text("forEach", utf8("[1,2,3]"), 2)).toBe("0=1|1=2|");
  });

  test("an array of anything but an array is that value; of null it is empty", () => {
    expect(room.call("arraySize", utf8('[1,"",{}]'), "")).toBe(3);
    expect(room.call("arraySize", utf8("5"), "")).toBe(1);
    expect(room.call("arraySize", utf8("null"), "")).toBe(0);
  });
});

describe("against JSON.parse", () => {
  property.prop([fc.json({ maxDepth: 5 }), fc.constantFrom("", " ", "\n\t")], { numRuns: 1000 })(
    "every value is found by its path, and is the same",
    (compact, gap) => {
      const parsed: unknown = JSON.parse(compact);
      const text = utf8(gap + JSON.stringify(parsed, null, gap) + gap);

      expect(room.call("valid", text)).toBe(1);
      check(text, parsed, []);
    },
  );

  property.prop([fc.json({ noUnicodeString: false })], { numRuns: 500 })(
    "what the reader read and the writer wrote is the same value",
    (text) => {
      const rewritten = new TextDecoder("utf-8", { fatal: true }).decode(
        room.bytes("rewrite", utf8(text)),
      );

      expect(JSON.parse(rewritten)).toEqual(
        JSON.parse(wellFormed(JSON.stringify(JSON.parse(text)))),
      );
    },
  );
});

/** Compares a value and everything in it with what JavaScript parsed. */
function check(text: Uint8Array, value: unknown, path: readonly string[]): void {
  const at = path.map((part) => part.replace(/[\\.]/g, "\\$&")).join(".");
  // The empty path, and one whose only name is empty, look the same: the guest takes it for the
  // root.
  if (path.length === 1 && path[0] === "") return;
  if (value === null) expect(room.call("kindOf", text, at)).toBe(Kind.Null);
  else if (typeof value === "boolean") expect(room.call("bool_", text, at)).toBe(Number(value));
  else if (typeof value === "number") expect(room.call("float", text, at)).toBe(value);
  else if (typeof value === "string") expect(room.text("text", text, at)).toBe(wellFormed(value));
  else if (Array.isArray(value)) {
    expect(room.call("kindOf", text, at)).toBe(Kind.Array);
    expect(room.call("arraySize", text, at)).toBe(value.length);
    value.forEach((element, i) => check(text, element, [...path, String(i)]));
  } else {
    expect(room.call("kindOf", text, at)).toBe(Kind.Object);
    for (const [name, member] of Object.entries(value as object)) {
      if (wellFormed(name) === name) check(text, member, [...path, name]);
    }
  }
}
