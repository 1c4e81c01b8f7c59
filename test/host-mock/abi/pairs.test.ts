import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { decodePairs, encodePairs } from "../../../host-mock/abi/pairs.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";

const word = (n: number): number[] => [n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >>> 24) & 255];
const block = (...parts: readonly (number | readonly number[])[]): Uint8Array =>
  new Uint8Array(parts.flat());
const one = block(word(1), word(1), word(2), 0x61, 0, 0x62, 0x63, 0);

describe("serialised pairs", () => {
  it("are count, lengths, then keys and values with a NUL behind each", () => {
    expect(encodePairs([[utf8("a"), utf8("bc")]])).toEqual(one);
    expect(decodePairs(one)).toEqual([[utf8("a"), utf8("bc")]]);
  });

  it("of nothing are no bytes at all", () => {
    expect(encodePairs([])).toEqual(new Uint8Array(0));
  });

  it.each([
    ["no bytes", block()],
    ["one zero byte", block(0)],
    ["three bytes", block(1, 0, 0)],
    ["four zero bytes", block(word(0))],
    ["bytes after none", block(word(0), 0)],
    ["a count without lengths", block(word(1))],
    ["a key beyond the end", block(word(1), word(9), word(1), 0x61, 0, 0x62, 0)],
    ["a value beyond the end", block(word(1), word(1), word(9), 0x61, 0, 0x62, 0)],
    ["a key's length of 2^32 − 1", block(word(1), word(0xffffffff), word(1), 0x61, 0, 0x62, 0)],
    ["a key's terminator that is not 0", block(word(1), word(1), word(1), 0x61, 1, 0x62, 0)],
    ["a value's terminator that is not 0", block(word(1), word(1), word(1), 0x61, 0, 0x62, 1)],
    ["a missing last terminator", one.slice(0, -1)],
    ["bytes left over", block([...one], 0)],
    [
      "more than 1024 pairs",
      encodePairs(Array.from({ length: 1025 }, () => [utf8("a"), utf8("b")] as const)),
    ],
    ["more than 1 MiB", encodePairs([[utf8("a"), new Uint8Array(1024 * 1024)]])],
  ])("rejected means an empty list: %s", (_name, bytes) => {
    expect(decodePairs(bytes)).toEqual([]);
  });

  it("of 1024 pairs, and of exactly 1 MiB, are taken", () => {
    const many = encodePairs(Array.from({ length: 1024 }, () => [utf8("a"), utf8("b")] as const));
    const large = encodePairs([[utf8("a"), new Uint8Array(1024 * 1024 - 15)]]);

    expect(decodePairs(many)).toHaveLength(1024);
    expect(large).toHaveLength(1024 * 1024);
    expect(decodePairs(large)).toHaveLength(1);
  });

  it("may hold NUL and empty names and values: lengths rule", () => {
    const pairs = [
      [new Uint8Array([0, 1]), new Uint8Array([0])],
      [new Uint8Array(0), new Uint8Array(0)],
    ] as const;

    expect(decodePairs(encodePairs(pairs))).toEqual(pairs);
  });

  it("are read from the middle of a buffer, and are copies", () => {
    const whole = block(9, 9, [...one], 9);
    const pairs = decodePairs(whole.subarray(2, 2 + one.length));

    whole.fill(0);

    expect(pairs).toEqual([[utf8("a"), utf8("bc")]]);
  });

  const bytes = fc.uint8Array({ maxLength: 12 });
  test.prop([fc.array(fc.tuple(bytes, bytes), { maxLength: 20 })])(
    "come back as they went",
    (pairs) => {
      expect(decodePairs(encodePairs(pairs))).toEqual(pairs);
    },
  );
});
