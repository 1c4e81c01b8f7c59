import { fc, test as property } from "@fast-check/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { loadRoom, type Room } from "../../support/load-room.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes in which UTF-8 goes wrong often: leads, continuations and limits of ranges. */
const troubled = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(0x61, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf),
    fc.constantFrom(0xe0, 0xe1, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff),
  ),
  { maxLength: 12 },
);

let room: Room;

beforeAll(async () => {
  room = await loadRoom("test/guests/memory/plugin.guest.ts");
});

function expected(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

describe("bytes that the standard library's decoder reads wrongly", () => {
  test.each([
    ["a bad byte does not cut the text", [0x61, 0xff, 0x62], "a\ufffdb"],
    ["a sequence cut after one byte is not dropped", [0x61, 0xc3], "a\ufffd"],
    ["a sequence cut after two bytes is not dropped", [0x61, 0xe4, 0xb8], "a\ufffd"],
    ["a sequence cut after three bytes is not dropped", [0x61, 0xf0, 0x9f, 0x98], "a\ufffd"],
    ["a stray continuation does not lose the rest", [0x80, 0x61], "\ufffda"],
    ["an overlong slash is no slash", [0xc0, 0xaf], "\ufffd\ufffd"],
    ["a quote after a lead byte is not swallowed", [0xc3, 0x22, 0x7d], '\ufffd"}'],
    ["a surrogate in three bytes is none", [0xed, 0xa0, 0xbd], "\ufffd\ufffd\ufffd"],
  ])("%s", (_, bytes, text) => {
    const input = Uint8Array.from(bytes);

    expect(room.text("decode", input)).toBeNull();
    expect(room.call("isValid", input)).toBe(0);
    expect(room.text("decodeLossy", input)).toBe(text);
  });
});

describe("decoding", () => {
  property.prop([troubled], { numRuns: 5000 })("agrees with TextDecoder on any bytes", (bytes) => {
    const input = Uint8Array.from(bytes);

    expect(room.text("decode", input)).toBe(expected(input));
    expect(room.call("isValid", input)).toBe(expected(input) === null ? 0 : 1);
    expect(room.text("decodeLossy", input)).toBe(lossy.decode(input));
  });

  test("a byte order mark is a character like any other", () => {
    expect(room.text("decode", Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
  });

  test("no bytes are the empty text", () => {
    expect(room.text("decode", new Uint8Array(0))).toBe("");
  });
});

describe("encoding", () => {
  property.prop([fc.string({ unit: "grapheme" })], { numRuns: 1000 })(
    "agrees with TextEncoder on any text",
    (text) => {
      expect(room.bytes("encode", text)).toEqual(new TextEncoder().encode(text));
      expect(room.text("decode", room.bytes("encode", text)!)).toBe(text);
    },
  );

  property.prop(
    [fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((u) => String.fromCharCode(u)) })],
    {
      numRuns: 2000,
    },
  )("replaces half surrogate pairs and nothing else", (text) => {
    expect(room.bytes("encode", text)).toEqual(new TextEncoder().encode(text));
  });

  property.prop([fc.string({ unit: "binary" }), fc.nat({ max: 20 })])(
    "into a block that is too small cuts between two characters and writes nothing behind it",
    (text, limit) => {
      const written = room.bytes("encodeCut", text, limit)!;

      const whole = new TextEncoder().encode(text);
      expect(written).toEqual(whole.slice(0, written.length));
      expect(expected(written)).not.toBeNull();
      // What is missing would not have fitted: no character is longer than four bytes.
      if (written.length < whole.length) expect(written.length).toBeGreaterThan(limit - 4);
    },
  );
});
