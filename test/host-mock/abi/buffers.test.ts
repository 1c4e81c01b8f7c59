import { describe, expect, it } from "vitest";
import { Status } from "../../../host-mock/abi/status.ts";
import { Body } from "../../../host-mock/state/body.ts";
import { latin1, utf8 } from "../../../host-mock/state/bytes.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

function withBody(text = "abcdefgh"): { guest: FakeGuest; body: Body } {
  const guest = new FakeGuest();
  const body = new Body(utf8(text));
  guest.context.buffers.set(0, body);
  return { guest, body };
}

describe("proxy_get_buffer_bytes", () => {
  it.each([
    [0, 8, "abcdefgh"],
    [0, 3, "abc"],
    [5, 0xffffffff, "fgh"],
    [0, 0x7fffffff, "abcdefgh"],
    [8, 1, ""],
    [9, 0xffffffff, ""],
    [0, 0, ""],
  ])("from %i for %i bytes gives %j, whatever the sum", (start, length, expected) => {
    const { guest } = withBody();
    const [ptr, size] = [guest.out(), guest.out()];

    const status = guest.call("proxy_get_buffer_bytes", 0, start, length, ptr, size);

    expect(status).toBe(Status.Ok);
    expect(guest.u32(size)).toBe(expected.length);
    expect(expected === "" ? guest.u32(ptr) : guest.textAt(ptr, size)).toBe(
      expected === "" ? 0 : expected,
    );
    expect(guest.instance.allocations).toEqual(expected === "" ? [] : [expected.length]);
  });

  it("FP1: 0xffffffff bytes, −1 in wasm, are all bytes", () => {
    const guest = new FakeGuest();
    guest.context.buffers.set(7, new Body(utf8("500"), true));
    const [ptr, size] = [guest.out(), guest.out()];

    guest.call("proxy_get_buffer_bytes", 7, 0, 0xffffffff, ptr, size);

    expect(guest.textAt(ptr, size)).toBe("500");
  });

  it("knows buffers 0 to 8, on Higress 9", () => {
    const answers = [8, 9, 10, 0xffffffff].map((type) =>
      ["envoy", "higress"].map((profile) =>
        new FakeGuest({ profile }).call("proxy_get_buffer_bytes", type, 0, 1, 0, 0),
      ),
    );

    expect(answers).toEqual([
      [Status.NotFound, Status.NotFound],
      [Status.BadArgument, Status.NotFound],
      [Status.BadArgument, Status.BadArgument],
      [Status.BadArgument, Status.BadArgument],
    ]);
  });

  it("asks the context for the VM's configuration as for any buffer", () => {
    const guest = new FakeGuest();
    guest.context.buffers.set(6, new Body(utf8("vm"), true));
    const [ptr, size] = [guest.out(), guest.out()];

    expect(guest.call("proxy_get_buffer_bytes", 6, 0, 9, ptr, size)).toBe(Status.Ok);
    expect(guest.textAt(ptr, size)).toBe("vm");
  });

  it("answers InvalidMemoryAccess for a bad word or allocator", () => {
    const { guest } = withBody();
    const ptr = guest.out();

    expect(guest.call("proxy_get_buffer_bytes", 0, 0, 1, outOfBounds, ptr)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("proxy_get_buffer_bytes", 0, 0, 1, ptr, outOfBounds)).toBe(
      Status.InvalidMemoryAccess,
    );
    guest.instance.allocator = () => 0;
    expect(guest.call("proxy_get_buffer_bytes", 0, 0, 1, ptr, ptr)).toBe(
      Status.InvalidMemoryAccess,
    );
  });
});

describe("proxy_set_buffer_bytes", () => {
  it.each([
    [0, 0, Status.Ok, "XYabcdefgh"],
    [0, 0x7fffffff, Status.Ok, "XY"],
    [0, 3, Status.Ok, "XYdefgh"],
    [8, 0, Status.Ok, "abcdefghXY"],
    [0xffffffff, 0, Status.Ok, "abcdefghXY"],
    [3, 1, Status.BadArgument, "abcdefgh"],
  ])("at %i, %i bytes: status %i, then %j", (start, length, expected, text) => {
    const { guest, body } = withBody();

    const status = guest.call("proxy_set_buffer_bytes", 0, start, length, ...guest.put("XY"));

    expect(status).toBe(expected);
    expect(latin1(body.bytes())).toBe(text);
  });

  it("looks for the buffer before it looks at the memory", () => {
    const { guest } = withBody();

    expect(guest.call("proxy_set_buffer_bytes", 9, 0, 0, outOfBounds, 5)).toBe(Status.BadArgument);
    expect(guest.call("proxy_set_buffer_bytes", 7, 0, 0, outOfBounds, 5)).toBe(Status.NotFound);
    expect(guest.call("proxy_set_buffer_bytes", 0, 0, 0, outOfBounds, 5)).toBe(
      Status.InvalidMemoryAccess,
    );
  });

  it("refuses read-only buffers: configuration, answers", () => {
    const guest = new FakeGuest();
    guest.context.buffers.set(4, new Body(utf8("answer"), true));
    guest.context.buffers.set(6, new Body(utf8("vm"), true));

    const statuses = [4, 6].map((type) =>
      guest.call("proxy_set_buffer_bytes", type, 0, 0, ...guest.put("x")),
    );

    expect(statuses).toEqual([Status.BadArgument, Status.BadArgument]);
  });
});

describe("proxy_get_buffer_status", () => {
  it("writes the size, after edits too, and flags 0", () => {
    const { guest } = withBody();
    const [size, flags] = [guest.out(), guest.out()];
    guest.call("proxy_set_buffer_bytes", 0, 8, 0, ...guest.put("XY"));

    expect(guest.call("proxy_get_buffer_status", 0, size, flags)).toBe(Status.Ok);
    expect([guest.u32(size), guest.u32(flags)]).toEqual([10, 0]);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("needs both words", () => {
    const { guest } = withBody();
    const word = guest.out();

    expect(guest.call("proxy_get_buffer_status", 0, outOfBounds, word)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.isUntouched(word)).toBe(true);
    expect(guest.call("proxy_get_buffer_status", 0, word, outOfBounds)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("proxy_get_buffer_status", 9, word, word)).toBe(Status.BadArgument);
    expect(guest.call("proxy_get_buffer_status", 7, word, word)).toBe(Status.NotFound);
  });
});
