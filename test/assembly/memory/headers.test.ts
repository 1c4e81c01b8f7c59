import { beforeEach, describe, expect, test } from "vitest";
import { loadRoom, type Room } from "../../support/load-room.ts";

let room: Room;

beforeEach(async () => {
  room = await loadRoom("test/guests/memory/plugin.guest.ts");
});

describe("a list of headers", () => {
  test("keeps order, repeated names and empty values", () => {
    room.call("add", "B", "1");
    room.call("add", "a", "");
    room.call("add", "b", "2");

    expect(room.text("print")).toBe("B=1;a=;b=2;");
  });

  test("finds a name in any case, the first value first", () => {
    room.call("add", "X-Id", "1");
    room.call("add", "x-id", "2");

    expect(room.text("get", "x-ID")).toBe("1");
    expect(room.text("getAll", "X-ID")).toBe("1|2");
  });

  test("tells a missing header from an empty one", () => {
    room.call("add", "a", "");

    expect(room.text("get", "a")).toBe("");
    expect(room.call("has", "a")).toBe(1);
    expect(room.text("get", "b")).toBeNull();
    expect(room.bytes("getBytes", "b")).toBeNull();
    expect(room.call("has", "b")).toBe(0);
  });

  test("compares only letters without regard to case", () => {
    // "@" and "`", "[" and "{" differ in the same bit as "A" and "a".
    room.call("add", "@[Z", "1");

    expect(room.call("has", "`{z")).toBe(0);
    expect(room.call("has", "@[z")).toBe(1);
  });

  test("does not take a beginning for the whole name", () => {
    room.call("add", "accept-encoding", "1");

    expect(room.call("has", "accept")).toBe(0);
  });

  test("sets a value at the first one's place and drops the others", () => {
    for (const [name, value] of [
      ["a", "1"],
      ["b", "2"],
      ["A", "3"],
      ["c", "4"],
      ["a", "5"],
    ] as const) {
      room.call("add", name, value);
    }
    room.call("set", "a", "new");
    room.call("set", "d", "added");

    expect(room.text("print")).toBe("a=new;b=2;c=4;d=added;");
  });

  test("says how many headers a removal took out", () => {
    room.call("add", "a", "1");
    room.call("add", "b", "2");
    room.call("add", "A", "3");

    expect(room.call("remove", "a")).toBe(2);
    expect(room.call("remove", "a")).toBe(0);
    expect(room.text("print")).toBe("b=2;");
  });

  test("holds values that are not text, and shows them as such", () => {
    const value = Uint8Array.of(0x61, 0xff, 0x00);
    room.call("addBytes", "bin", value);

    expect(room.bytes("getBytes", "bin")).toEqual(value);
    expect(room.text("get", "bin")).toBe("a\ufffd\0");
  });
});

describe("a block of the host", () => {
  test("is copied and freed: a million bytes in a thousand takes need no more memory", () => {
    const block = new Uint8Array(1000).map((_, i) => i);

    for (let i = 0; i < 1000; i++) expect(room.bytes("take", block)).toEqual(block);

    expect(room.pages()).toBeLessThanOrEqual(2);
  });

  test("that is empty has no address", () => {
    expect(room.bytes("take", new Uint8Array(0))).toEqual(new Uint8Array(0));
  });
});
