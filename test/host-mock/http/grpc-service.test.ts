import { describe, expect, test } from "vitest";
import { clusterNameOf, parseGrpcService } from "../../../host-mock/http/grpc-service.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";

/** A length-delimited field. */
function field(number: number, content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === "string" ? utf8(content) : content;
  return Uint8Array.from([number * 8 + 2, bytes.length, ...bytes]);
}

function message(...fields: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(fields.flatMap((one) => [...one]));
}

describe("a message", () => {
  test("names its cluster, authority and more metadata", () => {
    const bytes = message(
      field(1, message(field(1, "up"), field(2, "auth"))),
      field(5, message(field(1, "x-a"), field(2, "1"))),
      field(5, message(field(1, "x-b"), field(3, Uint8Array.of(0xff)))),
    );

    expect(parseGrpcService(bytes)).toEqual({
      kind: "envoy",
      cluster: "up",
      authority: "auth",
      metadata: [
        ["x-a", utf8("1")],
        ["x-b", Uint8Array.of(0xff)],
      ],
    });
  });

  test("unknown fields of every wire type are passed over", () => {
    const unknown = [
      Uint8Array.of(0x78, 0x80, 0x01), // 15: varint
      Uint8Array.of(0x79, 1, 2, 3, 4, 5, 6, 7, 8), // 15: 64 bits
      Uint8Array.of(0x7d, 1, 2, 3, 4), // 15: 32 bits
      Uint8Array.of(0x7b, 0x08, 0x01, 0x7c), // 15: a group with one field
      field(15, "x"),
    ];

    const parsed = parseGrpcService(message(...unknown, field(1, field(1, "up"))));

    expect(parsed).toMatchObject({ kind: "envoy", cluster: "up" });
  });

  test("without a target it is a message all the same; of two targets the last one counts", () => {
    expect(parseGrpcService(new Uint8Array(0))?.kind).toBe("none");
    expect(parseGrpcService(utf8("hi"))?.kind).toBe("none");
    expect(parseGrpcService(message(field(1, field(1, "a")), field(2, "")))?.kind).toBe("google");
  });
});

describe("a cluster's name", () => {
  test.each([
    ["a plain name", utf8("collector")],
    ["a wire type that there is not", utf8("grpc")],
    ["a length beyond the end", Uint8Array.of(0x0a, 9, 0x61)],
    ["a varint without end", new Uint8Array(11).fill(0x80)],
    ["a field number of 0", Uint8Array.of(0x02, 0)],
    ["the end of a group that was not begun", Uint8Array.of(0x0c)],
    ["a group without end", Uint8Array.of(0x7b, 0x08, 0x01)],
    ["the end of another group", Uint8Array.of(0x7b, 0x74)],
    ["a cluster name that is not UTF-8", field(1, field(1, Uint8Array.of(0xff)))],
    ["a target that is no message", field(1, Uint8Array.of(0x0a, 9))],
  ])("is what is no message: %s", (_, bytes) => {
    expect(parseGrpcService(bytes)).toBeUndefined();
  });

  test("groups nest up to a hundred deep", () => {
    const deep = (count: number): Uint8Array =>
      message(new Uint8Array(count).fill(0x7b), new Uint8Array(count).fill(0x7c));

    expect(parseGrpcService(deep(100))?.kind).toBe("none");
    expect(parseGrpcService(deep(101))).toBeUndefined();
  });

  test("is text where the bytes are UTF-8", () => {
    expect(clusterNameOf(utf8("größe"))).toBe("größe");
    expect(clusterNameOf(Uint8Array.of(0xff, 0x61))).toBe("ÿa");
  });
});
