import { describe, expect, it } from "vitest";
import { decodePairs, encodePairs } from "../../../host-mock/abi/pairs.ts";
import { Status } from "../../../host-mock/abi/status.ts";
import { latin1, utf8 } from "../../../host-mock/state/bytes.ts";
import { HeaderMap, type HeaderPair } from "../../../host-mock/state/header-map.ts";
import { FakeGuest, outOfBounds, type FakeGuestOptions } from "../../support/fake-guest.ts";

const standard: readonly HeaderPair[] = [
  [":path", "/"],
  ["x-a", "1"],
  ["x-a", "2"],
  ["x-empty", ""],
];

function withHeaders(options: FakeGuestOptions = {}): { guest: FakeGuest; map: HeaderMap } {
  const guest = new FakeGuest(options);
  const map = HeaderMap.from(standard);
  guest.context.maps.set(0, map);
  return { guest, map };
}

function get(
  guest: FakeGuest,
  type: number,
  name: string,
): { status: number; ptr: number; size: number } {
  const [ptr, size] = [guest.out(), guest.out()];
  return {
    status: guest.call("proxy_get_header_map_value", type, ...guest.put(name), ptr, size),
    ptr,
    size,
  };
}

describe("proxy_get_header_map_value", () => {
  it("gives the first of several values, the name in any case", () => {
    const { guest } = withHeaders();

    const { status, ptr, size } = get(guest, 0, "X-A");

    expect(status).toBe(Status.Ok);
    expect(guest.textAt(ptr, size)).toBe("1");
    expect(guest.strayWrites()).toEqual([]);
  });

  it("gives an empty value as pointer 0 and size 0", () => {
    const { guest } = withHeaders();

    const { status, ptr, size } = get(guest, 0, "x-empty");

    expect([status, guest.u32(ptr), guest.u32(size)]).toEqual([Status.Ok, 0, 0]);
  });

  it("answers NotFound for an absent name from 0.2.0 on, Ok and empty in 0.1.0", () => {
    const now = withHeaders().guest;
    const old = withHeaders({ abi: "0.1.0" }).guest;

    const [absent, empty] = [get(now, 0, "nope"), get(old, 0, "nope")];

    expect([absent.status, now.isUntouched(absent.ptr)]).toEqual([Status.NotFound, true]);
    expect([empty.status, old.u32(empty.ptr), old.u32(empty.size)]).toEqual([Status.Ok, 0, 0]);
  });

  it("answers BadArgument for a map that is not there, NotFound while logging", () => {
    const { guest } = withHeaders();

    const before = get(guest, 2, "x").status;
    guest.context.isLogPhase = true;

    expect([before, get(guest, 2, "x").status]).toEqual([Status.BadArgument, Status.NotFound]);
  });

  it("checks the type, then the memory, then the map", () => {
    const { guest } = withHeaders();
    const call = (type: number, ptr: number): number =>
      guest.call("proxy_get_header_map_value", type, ptr, 5, 0, 4);

    expect(call(8, outOfBounds)).toBe(Status.BadArgument);
    expect(call(2, outOfBounds)).toBe(Status.InvalidMemoryAccess);
    expect(call(0xffffffff, 0)).toBe(Status.BadArgument);
  });
});

describe("header edits", () => {
  const shown = (map: HeaderMap): string[] =>
    map.entries().map(([name, value]) => `${latin1(name)}=${latin1(value)}`);

  it("add, replace and remove act as in Envoy", () => {
    const { guest, map } = withHeaders();

    const statuses = [
      guest.call("proxy_add_header_map_value", 0, ...guest.put(":path"), ...guest.put("b")),
      guest.call("proxy_replace_header_map_value", 0, ...guest.put("X-A"), ...guest.put("3")),
      guest.call("proxy_remove_header_map_value", 0, ...guest.put("x-empty")),
      guest.call("proxy_remove_header_map_value", 0, ...guest.put("absent")),
    ];

    expect(statuses).toEqual([Status.Ok, Status.Ok, Status.Ok, Status.Ok]);
    expect(shown(map)).toEqual([":path=/,b", "x-a=3"]);
  });

  it("keep the value's bytes, whatever the guest does to its memory afterwards", () => {
    const { guest, map } = withHeaders();
    const value = guest.put("kept");

    guest.call("proxy_add_header_map_value", 0, ...guest.put("x-new"), ...value);
    guest.memory.writeBytes(value[0], utf8("lost"));

    expect(map.text("x-new")).toBe("kept");
  });

  it.each([
    ["proxy_add_header_map_value", 2],
    ["proxy_replace_header_map_value", 2],
    ["proxy_remove_header_map_value", 1],
  ])("%s: type, memory, map, in this order", (name, ranges) => {
    const { guest } = withHeaders();
    const bad = [outOfBounds, 9, outOfBounds, 9].slice(0, 2 * ranges);
    const good = Array.from({ length: ranges }, () => guest.put("x")).flat();

    expect(guest.call(name, 8, ...bad)).toBe(Status.BadArgument);
    expect(guest.call(name, 2, ...bad)).toBe(Status.InvalidMemoryAccess);
    expect(guest.call(name, 2, ...good)).toBe(Status.BadArgument);
    expect(guest.call(name, 0, ...good)).toBe(Status.Ok);
  });

  it("are refused on the maps of gRPC and HTTP calls, which are there to be read", () => {
    const guest = new FakeGuest();
    for (const type of [4, 5, 6, 7])
      guest.context.maps.set(type, HeaderMap.from([["a", "b"]], "response"));

    const statuses = [4, 5, 6, 7].flatMap((type) => [
      get(guest, type, "a").status,
      guest.call("proxy_add_header_map_value", type, ...guest.put("a"), ...guest.put("b")),
      guest.call("proxy_set_header_map_pairs", type, ...guest.put("")),
      guest.call("proxy_get_header_map_size", type, guest.out()),
    ]);

    const each = [Status.Ok, Status.BadArgument, Status.BadArgument, Status.BadArgument];
    expect(statuses).toEqual([...each, ...each, ...each, ...each]);
  });
});

describe("header pairs", () => {
  it("come as one block, pseudo-headers first", () => {
    const { guest } = withHeaders();
    const [ptr, size] = [guest.out(), guest.out()];

    expect(guest.call("proxy_get_header_map_pairs", 0, ptr, size)).toBe(Status.Ok);
    const pairs = decodePairs(guest.bytesAt(ptr, size)).map((pair) => pair.map(latin1));
    expect(pairs).toEqual([
      [":path", "/"],
      ["x-a", "1"],
      ["x-a", "2"],
      ["x-empty", ""],
    ]);
    expect(guest.instance.allocations).toHaveLength(1);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("of an empty map and of one that is not there are Ok with pointer 0 and size 0, never four zero bytes", () => {
    const guest = new FakeGuest();
    guest.context.maps.set(2, new HeaderMap("response"));
    const [ptr, size] = [guest.out(), guest.out()];

    const answers = [0, 2, 6].map((type) => [
      guest.call("proxy_get_header_map_pairs", type, ptr, size),
      guest.u32(ptr),
      guest.u32(size),
    ]);

    expect(answers).toEqual([
      [Status.Ok, 0, 0],
      [Status.Ok, 0, 0],
      [Status.Ok, 0, 0],
    ]);
    expect(guest.instance.allocations).toEqual([]);
  });

  it("of an unknown type are BadArgument, nothing written", () => {
    const guest = new FakeGuest();
    const [ptr, size] = [guest.out(), guest.out()];

    expect(guest.call("proxy_get_header_map_pairs", 8, ptr, size)).toBe(Status.BadArgument);
    expect(guest.isUntouched(ptr)).toBe(true);
  });

  it("set all, pseudo-headers too; a rejected block clears the map", () => {
    const { guest, map } = withHeaders();
    const block = encodePairs([[utf8("X-B"), utf8("2")]]);

    guest.call("proxy_set_header_map_pairs", 0, ...guest.put(block));
    const after = map.entries().map((pair) => pair.map(latin1));
    const status = guest.call("proxy_set_header_map_pairs", 0, ...guest.put("rubbish"));

    expect(after).toEqual([["x-b", "2"]]);
    expect([status, map.count]).toEqual([Status.Ok, 0]);
  });

  it("set checks type, memory, map, in this order", () => {
    const { guest } = withHeaders();

    expect(guest.call("proxy_set_header_map_pairs", 8, outOfBounds, 9)).toBe(Status.BadArgument);
    expect(guest.call("proxy_set_header_map_pairs", 2, outOfBounds, 9)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("proxy_set_header_map_pairs", 2, ...guest.put(""))).toBe(Status.BadArgument);
  });
});

describe("proxy_get_header_map_size", () => {
  it("is the sum of bytes, not a count, and asks for the map as a change would", () => {
    const { guest } = withHeaders();
    const size = guest.out();

    expect(guest.call("proxy_get_header_map_size", 0, size)).toBe(Status.Ok);
    expect(guest.u32(size)).toBe(
      ":path/".length + "x-a1".length + "x-a2".length + "x-empty".length,
    );
    expect(guest.context.calls).toEqual(["headerMap 0 w"]);
  });

  it("is BadArgument for a map that is not there", () => {
    const { guest } = withHeaders();

    expect(guest.call("proxy_get_header_map_size", 2, guest.out())).toBe(Status.BadArgument);
    expect(guest.call("proxy_get_header_map_size", 8, guest.out())).toBe(Status.BadArgument);
    expect(guest.call("proxy_get_header_map_size", 0, outOfBounds)).toBe(
      Status.InvalidMemoryAccess,
    );
  });
});
