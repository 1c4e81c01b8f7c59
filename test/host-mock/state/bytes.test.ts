import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import {
  fromLatin1,
  latin1,
  lossyUtf8,
  shownKey,
  tryUtf8,
  utf8,
} from "../../../host-mock/state/bytes.ts";
import { boolValue, numberValue, textValue } from "../../../host-mock/state/properties.ts";

describe("bytes and text", () => {
  test.prop([fc.uint8Array()])("binary strings keep every byte", (bytes) => {
    expect(fromLatin1(latin1(bytes))).toEqual(bytes);
  });

  it("tells valid UTF-8 from other bytes, and keeps a byte order mark", () => {
    expect(tryUtf8(utf8("grüße"))).toBe("grüße");
    expect(tryUtf8(new Uint8Array([0xff]))).toBeUndefined();
    expect(tryUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toBe("\ufeffa");
    expect(lossyUtf8(new Uint8Array([0x61, 0xff]))).toBe("a\ufffd");
  });
});

describe("property values", () => {
  it("are 8 bytes little-endian for numbers, negative ones in two's complement", () => {
    expect([...numberValue(258)]).toEqual([2, 1, 0, 0, 0, 0, 0, 0]);
    expect([...numberValue(-1n)]).toEqual(new Array(8).fill(255));
  });

  it("are one byte for a bool and raw for text", () => {
    expect([...boolValue(true)]).toEqual([1]);
    expect([...boolValue(false)]).toEqual([0]);
    expect(textValue("é")).toEqual(utf8("é"));
  });
});

test("keys for a reader never look alike: bytes that are no text are base64", () => {
  const bytes = latin1(new Uint8Array([0xff, 0xfe, 0x41]));
  const text = latin1(utf8("ÿþA"));

  expect(shownKey(text)).toBe("ÿþA");
  expect(shownKey(bytes)).toBe("base64://5B");
  expect(shownKey("base64://5B")).toBe(`base64:${btoa("base64://5B")}`);
});
