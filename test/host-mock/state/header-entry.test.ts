import { describe, expect, it } from "vitest";
import { fromLatin1, utf8 } from "../../../host-mock/state/bytes.ts";
import { HeaderName } from "../../../host-mock/state/header-entry.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";

describe("names of headers", () => {
  it("are the same for every spelling, as text, bytes or binary string", () => {
    const name = HeaderName.of("x-Spelled");

    expect(HeaderName.of("X-SPELLED").isSame(name)).toBe(true);
    expect(HeaderName.of(utf8("x-spelled")).isSame(name)).toBe(true);
    expect(HeaderName.ofBinary("X-spelled").isSame(name)).toBe(true);
    expect(HeaderName.of("x-spelt").isSame(name)).toBe(false);
  });

  it("beyond ASCII differ as text and as a binary string of the same characters", () => {
    const text = HeaderName.of("x-é");

    expect(HeaderName.of(utf8("x-é")).isSame(text)).toBe(true);
    expect(HeaderName.ofBinary("x-é").isSame(text)).toBe(false);
    expect([...HeaderName.ofBinary("x-é").bytes]).toEqual([...fromLatin1("x-é")]);
    expect(text.shown).toBe("x-é");
  });

  it("too long or too many to be kept are found all the same", () => {
    const map = new HeaderMap("request");
    const long = `x-${"l".repeat(200)}`;
    const names = Array.from({ length: 10_000 }, (_, index) => `x-many-${index}`);

    for (const name of [long, ...names]) map.add(name, name);

    expect(map.text(long.toUpperCase())).toBe(long);
    expect(names.filter((name) => map.text(name.toUpperCase()) !== name).slice(0, 3)).toEqual([]);
    expect(map.remove(names.at(-1))).toBe(1);
    expect(map.has(names.at(-1))).toBe(false);
  });
});

describe("values of headers", () => {
  it.each([
    ["ASCII text", "plain", "plain", [...utf8("plain")]],
    ["other text", "é", "é", [0xc3, 0xa9]],
    ["half a surrogate pair", "a\ud800", "a\ufffd", [0x61, 0xef, 0xbf, 0xbd]],
    ["bytes that are no UTF-8", new Uint8Array([0x61, 0xff]), "a\ufffd", [0x61, 0xff]],
  ])("%s: text and bytes", (_, value, text, bytes) => {
    const entry = HeaderName.of("x-value").entry(value);

    expect(entry.text).toBe(text);
    expect([...entry.bytes]).toEqual(bytes);
    expect(entry.sizeBytes).toBe(bytes.length);
  });

  it("that are no UTF-8 are shown as bytes, whether their text was asked for or not", () => {
    const entry = HeaderName.of("x-value").entry(new Uint8Array([0xff]));

    expect(entry.text).toBe("\ufffd");
    expect(entry.shown).toEqual(["x-value", new Uint8Array([0xff])]);
  });

  it("in a map are not those of its clone, whichever of the two changes", () => {
    const map = HeaderMap.from([["x-a", "1"]]);
    const copy = map.clone();

    map.add("x-b", "2");
    copy.put("x-a", "3");

    expect(map.shown(true)).toEqual([
      ["x-a", "1"],
      ["x-b", "2"],
    ]);
    expect(copy.shown(true)).toEqual([["x-a", "3"]]);
  });
});
