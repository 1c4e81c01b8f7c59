import { fc, test as property } from "@fast-check/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { loadRoom, type Room } from "../../support/load-room.ts";

/** With halves of surrogate pairs replaced; \p{Surrogate} matches no whole pair. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

let room: Room;

beforeAll(async () => {
  room = await loadRoom("test/guests/json/plugin.guest.ts");
});

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const anyUnits = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff }))
    .map((unit) => String.fromCharCode(unit)),
});

function written(
  name: string,
  ...args: Parameters<Room["bytes"]> extends [string, ...infer A] ? A : never
): string {
  return strict.decode(room.bytes(name, ...args));
}

describe("the writer", () => {
  property.prop([anyUnits], { numRuns: 2000 })(
    "writes every string as JSON.stringify does",
    (text) => {
      expect(written("writeString", text)).toBe(JSON.stringify(wellFormed(text)));
    },
  );

  property.prop([anyUnits, anyUnits])("writes every name and value", (name, value) => {
    const entries = Object.entries(JSON.parse(written("writeField", name, value)) as object);

    expect(entries).toEqual([[wellFormed(name), wellFormed(value)]]);
  });

  property.prop([fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })])(
    "writes every i64 exactly",
    (value) => {
      expect(written("writeInt", value)).toBe(String(value));
    },
  );

  property.prop([fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })])(
    "writes every u64 exactly",
    (value) => {
      expect(written("writeUint", value)).toBe(String(value));
    },
  );

  test("writes the ends of both ranges", () => {
    expect(written("writeInt", -(2n ** 63n))).toBe("-9223372036854775808");
    expect(written("writeUint", 2n ** 64n - 1n)).toBe("18446744073709551615");
    expect(written("writeInt", 0n)).toBe("0");
  });

  property.prop([fc.double({ noNaN: true, noDefaultInfinity: true })], { numRuns: 5000 })(
    "writes every double so that it reads as the same",
    (value) => {
      expect(JSON.parse(written("writeFloat", value)) === value).toBe(true);
    },
  );

  test.each([NaN, Infinity, -Infinity])("writes null for %d", (value) => {
    expect(written("writeFloat", value)).toBe("null");
  });

  test("puts a JSON text in as it stands, and null for one that is none", () => {
    const text = (value: string): Uint8Array => new TextEncoder().encode(value);

    expect(written("writeRaw", text('{"a": 1}'))).toBe('[{"a": 1},{"a": 1}]');
    expect(written("writeRaw", text('{"a": 1'))).toBe("[null,null]");
    expect(written("writeRaw", text(""))).toBe("[null,null]");
  });

  test.each([
    ["n", "null"],
    ["[]", "[]"],
    ["{}", "{}"],
    ["[nn]", "[null,null]"],
    ["{fnfn}", '{"f":null,"f":null}'],
    ["{f{f[n{}]}fn}", '{"f":{"f":[null,{}]},"f":null}'],
    ["[[][]n]", "[[],[],null]"],
  ])("sets commas by itself: %s", (steps, text) => {
    expect(written("writeSteps", steps)).toBe(text);
  });

  test.each([
    "",
    "[",
    "{",
    "{f",
    "{f}",
    "{n}",
    "[fn]",
    "f",
    "nn",
    "[]n",
    "[}",
    "{]",
    "]",
    "{ffn}",
    "{fnn}",
  ])("answers no bytes to calls that make no text: %j", (steps) => {
    expect(room.bytes("writeSteps", steps)).toEqual(new Uint8Array(0));
  });

  test("opens 64 containers, not 65", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

    expect(written("writeSteps", nested(64))).toBe(nested(64));
    expect(room.bytes("writeSteps", nested(65))).toEqual(new Uint8Array(0));
  });
});
