import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { latin1 } from "../../../host-mock/state/bytes.ts";
import { HeaderMap, type HeaderPair } from "../../../host-mock/state/header-map.ts";

function shown(map: HeaderMap): string[] {
  return map.entries().map(([name, value]) => `${latin1(name)}=${latin1(value)}`);
}

const request = (...pairs: readonly HeaderPair[]): HeaderMap => HeaderMap.from(pairs, "request");
const response = (...pairs: readonly HeaderPair[]): HeaderMap => HeaderMap.from(pairs, "response");

describe("header maps, as in Envoy", () => {
  it("lower-cases names and finds them in any case", () => {
    const map = request(["X-Foo", "a"]);

    expect(shown(map)).toEqual(["x-foo=a"]);
    expect(map.text("X-FOO")).toBe("a");
  });

  it("leaves bytes above ASCII in names alone", () => {
    const map = request([new Uint8Array([0xc4, 0x41]), "v"]);

    expect([...map.entries()[0]![0]]).toEqual([0xc4, 0x61]);
  });

  it("puts pseudo-headers first, whenever they were added", () => {
    const map = request(["x-a", "1"], [":path", "/"], ["x-b", "2"], [":method", "GET"]);

    expect(shown(map)).toEqual([":path=/", ":method=GET", "x-a=1", "x-b=2"]);
  });

  it("keeps repeated names as entries of their own and gets the first", () => {
    const map = response(["set-cookie", "a"], ["set-cookie", "b"]);

    expect(map.count).toBe(2);
    expect(map.text("set-cookie")).toBe("a");
    expect(map.getAll("set-cookie").map(latin1)).toEqual(["a", "b"]);
  });

  it("replaces all entries of a name by one at the end", () => {
    const map = request(["x-a", "1"], ["x-b", "2"], ["x-a", "3"]);

    map.set("X-A", "4");

    expect(shown(map)).toEqual(["x-b=2", "x-a=4"]);
  });

  it("removes all entries of a name, and nothing for an absent one", () => {
    const map = request(["x-a", "1"], ["x-b", "2"], ["x-a", "3"]);

    expect([map.remove("x-a"), map.remove("x-a")]).toEqual([2, 0]);
    expect(shown(map)).toEqual(["x-b=2"]);
  });

  it.each([":path", "user-agent", "x-forwarded-for", "content-type", "via"])(
    "joins a second %s with a comma",
    (name) => {
      const map = request([name, "/a"]);

      map.add(name, "/b");

      expect(shown(map)).toEqual([`${name}=/a,/b`]);
    },
  );

  it("joins grpc-status in response trailers and nothing in request trailers", () => {
    const inResponse = HeaderMap.from(
      [
        ["grpc-status", "0"],
        ["grpc-status", "1"],
      ],
      "responseTrailers",
    );
    const inRequest = HeaderMap.from(
      [
        ["content-type", "a"],
        ["content-type", "b"],
      ],
      "requestTrailers",
    );

    expect(shown(inResponse)).toEqual(["grpc-status=0,1"]);
    expect(inRequest.count).toBe(2);
  });

  it("joins location in responses only", () => {
    expect(response(["location", "a"], ["location", "b"]).count).toBe(1);
    expect(request(["location", "a"], ["location", "b"]).count).toBe(2);
  });

  it("changes nothing when an empty value is joined, and puts no comma after an empty one", () => {
    const map = request(["via", "a"], ["expect", ""]);

    map.add("via", "");
    map.add("expect", "b");

    expect(shown(map)).toEqual(["via=a", "expect=b"]);
  });

  it("takes host for :authority in requests: get, add, replace, remove", () => {
    const map = request(["Host", "a"]);

    expect(shown(map)).toEqual([":authority=a"]);
    expect(map.text("HOST")).toBe("a");
    map.add("host", "b");
    expect(map.text(":authority")).toBe("a,b");
    map.set("host", "c");
    expect(map.text(":authority")).toBe("c");
    expect(map.remove("host")).toBe(1);
    expect(map.count).toBe(0);
  });

  it("takes host for nothing but itself in responses", () => {
    const map = response(["host", "a"]);

    expect(shown(map)).toEqual(["host=a"]);
    expect(map.has(":authority")).toBe(false);
  });

  it("counts the bytes of names and values", () => {
    const map = request([":path", "/"], ["x-a", "é"]);

    expect(map.sizeBytes).toBe(5 + 1 + 3 + 2);
    expect(map.count).toBe(2);
  });

  it("keeps empty values, and has them", () => {
    const map = request(["x-a", ""]);

    expect(map.get("x-a")).toEqual(new Uint8Array(0));
    expect(map.has("x-a")).toBe(true);
    expect(map.get("x-b")).toBeUndefined();
  });

  it("replaces everything, pseudo-headers too, joining inline names", () => {
    const map = request([":method", "GET"], [":path", "/"], ["x-a", "1"]);

    map.replaceAll([
      ["via", "a"],
      ["via", "b"],
      [":path", "/new"],
    ]);

    expect(shown(map)).toEqual([":path=/new", "via=a,b"]);
  });

  it("keeps a clone apart", () => {
    const map = request(["via", "a"]);
    const copy = map.clone();

    copy.add("via", "b");

    expect(map.text("via")).toBe("a");
    expect(copy.text("via")).toBe("a,b");
  });

  const names = fc.constantFrom("x-a", "X-a", "x-b", ":path", "via");
  const pair = fc.tuple(names, fc.string({ maxLength: 4 }));
  test.prop([fc.array(pair)])("never loses a byte of a value, whatever is added", (pairs) => {
    const map = request(...pairs);

    const bytes = (text: string): number => new TextEncoder().encode(text).length;
    const kept = map.entries().reduce((sum, [, value]) => sum + value.length, 0);
    const given = pairs.reduce((sum, [, value]) => sum + bytes(value), 0);
    expect(kept).toBeGreaterThanOrEqual(given);
    expect(kept).toBeLessThanOrEqual(given + pairs.length);
  });
});

describe("names of which there is one entry", () => {
  const twice = (
    kind: "request" | "response" | "requestTrailers" | "responseTrailers",
    name: string,
  ) =>
    HeaderMap.from(
      [
        [name, "a"],
        [name, "b"],
      ],
      kind,
    ).count;

  it.each([
    ["request", "te grpc-accept-encoding if-range cdn-loop x-envoy-original-host content-encoding"],
    ["response", "age expires last-modified etag vary access-control-allow-private-network date"],
    ["responseTrailers", "grpc-status grpc-message"],
  ] as const)("%s: %s", (kind, names) => {
    expect(names.split(" ").map((name) => twice(kind, name))).toEqual(
      names.split(" ").map(() => 1),
    );
  });

  it.each([
    ["request", "cookie etag date server grpc-status accept-language range"],
    ["response", "set-cookie te accept referer user-agent if-match origin host"],
    ["requestTrailers", "grpc-status content-type host via"],
    ["responseTrailers", "content-type via date"],
  ] as const)("%s, not: %s", (kind, names) => {
    expect(names.split(" ").map((name) => twice(kind, name))).toEqual(
      names.split(" ").map(() => 2),
    );
  });
});
