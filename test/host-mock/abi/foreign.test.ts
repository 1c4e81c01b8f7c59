import { describe, expect, it } from "vitest";
import { Status } from "../../../host-mock/abi/status.ts";
import { latin1, utf8 } from "../../../host-mock/state/bytes.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

function call(guest: FakeGuest, name: string, argument = "") {
  const [ptr, size] = [guest.out(), guest.out()];
  const status = guest.call(
    "proxy_call_foreign_function",
    ...guest.put(name),
    ...guest.put(argument),
    ptr,
    size,
  );
  return { status, ptr, size };
}

describe("proxy_call_foreign_function", () => {
  it("hands over name and argument, and the result in memory of the guest's own", () => {
    const guest = new FakeGuest();
    guest.context.foreign = (name, argument) => ({
      status: Status.Ok,
      result: utf8(`${name}(${latin1(argument)})`),
    });

    const { status, ptr, size } = call(guest, "f", "x");

    expect(status).toBe(Status.Ok);
    expect(guest.textAt(ptr, size)).toBe("f(x)");
    expect(guest.strayWrites()).toEqual([]);
  });

  it("writes nothing for an unknown name", () => {
    const guest = new FakeGuest();

    const { status, ptr, size } = call(guest, "nope");

    expect(status).toBe(Status.NotFound);
    expect([guest.isUntouched(ptr, 4), guest.isUntouched(size, 4)]).toEqual([true, true]);
  });

  it("writes 0 and 0 when a known function fails, with NotFound too", () => {
    const guest = new FakeGuest();
    guest.context.foreign = () => ({ status: Status.NotFound });

    const { status, ptr, size } = call(guest, "f");

    expect(status).toBe(Status.NotFound);
    expect([guest.u32(ptr), guest.u32(size)]).toEqual([0, 0]);
    expect(guest.instance.allocations).toEqual([]);
  });

  it("asks the allocator for a result without bytes, and not for none", () => {
    const guest = new FakeGuest();
    guest.context.foreign = (name) =>
      name === "empty" ? { status: Status.Ok, result: new Uint8Array(0) } : { status: Status.Ok };

    const empty = call(guest, "empty");
    const none = call(guest, "none");

    expect(guest.instance.allocations).toEqual([0]);
    expect(guest.u32(empty.ptr)).not.toBe(0);
    expect([guest.u32(empty.size), guest.u32(none.ptr), guest.u32(none.size)]).toEqual([0, 0, 0]);
  });

  it("leaves out each word whose address is 0", () => {
    const guest = new FakeGuest();
    guest.context.foreign = () => ({ status: Status.Ok, result: utf8("r") });
    const size = guest.out();

    const status = guest.call(
      "proxy_call_foreign_function",
      ...guest.put("f"),
      ...guest.put(""),
      0,
      size,
    );

    expect([status, guest.u32(size)]).toEqual([Status.Ok, 1]);
  });

  it("answers InvalidMemoryAccess for names, arguments and words out of bounds", () => {
    const guest = new FakeGuest();
    guest.context.foreign = () => ({ status: Status.Ok });
    const [name, word] = [guest.put("f"), guest.out()];
    const run = (...args: readonly number[]) => guest.call("proxy_call_foreign_function", ...args);

    expect([
      run(outOfBounds, 9, 0, 0, word, word),
      run(...name, outOfBounds, 9, word, word),
      run(...name, 0, 0, outOfBounds, word),
      run(...name, 0, 0, word, outOfBounds),
    ]).toEqual(Array.from({ length: 4 }, () => Status.InvalidMemoryAccess));
  });
});
