import { describe, expect, it } from "vitest";
import { Status } from "../../../host-mock/abi/status.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

interface Outs {
  readonly ptr: number;
  readonly size: number;
  readonly cas: number;
}

function outs(guest: FakeGuest): Outs {
  return { ptr: guest.out(), size: guest.out(), cas: guest.out() };
}

function set(guest: FakeGuest, key: string, value: string, cas = 0): number {
  return guest.call("proxy_set_shared_data", ...guest.put(key), ...guest.put(value), cas);
}

function get(guest: FakeGuest, key: string, { ptr, size, cas }: Outs): number {
  return guest.call("proxy_get_shared_data", ...guest.put(key), ptr, size, cas);
}

describe("proxy_get_shared_data", () => {
  it("gives value and version, in memory of the guest's allocator, asked once for the exact size", () => {
    const guest = new FakeGuest();
    const out = outs(guest);
    set(guest, "k", "value");

    const status = get(guest, "k", out);

    expect(status).toBe(Status.Ok);
    expect([guest.textAt(out.ptr, out.size), guest.u32(out.cas)]).toEqual(["value", 1]);
    expect(guest.instance.allocations).toEqual([5]);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("touches nothing and allocates nothing for an absent key", () => {
    const guest = new FakeGuest();
    const out = outs(guest);

    const status = get(guest, "absent", out);

    expect(status).toBe(Status.NotFound);
    expect([out.ptr, out.size, out.cas].every((word) => guest.isUntouched(word))).toBe(true);
    expect(guest.instance.allocations).toEqual([]);
  });

  it("FP5: gives an empty value as pointer 0 and size 0 with its version, without the allocator", () => {
    const guest = new FakeGuest();
    const out = outs(guest);
    set(guest, "k", "");

    const status = get(guest, "k", out);

    expect(status).toBe(Status.Ok);
    expect([guest.u32(out.ptr), guest.u32(out.size), guest.u32(out.cas)]).toEqual([0, 0, 1]);
    expect(guest.instance.allocations).toEqual([]);
  });

  it("answers InvalidMemoryAccess for a key out of bounds", () => {
    const guest = new FakeGuest();
    const out = outs(guest);

    expect(guest.call("proxy_get_shared_data", outOfBounds, 3, out.ptr, out.size, out.cas)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("proxy_get_shared_data", 0, 0xffffffff, out.ptr, out.size, out.cas)).toBe(
      Status.InvalidMemoryAccess,
    );
  });

  it("answers InvalidMemoryAccess and writes nothing when the allocator gives nothing", () => {
    const guest = new FakeGuest();
    const out = outs(guest);
    set(guest, "k", "value");
    guest.instance.allocator = () => 0;

    const status = get(guest, "k", out);

    expect(status).toBe(Status.InvalidMemoryAccess);
    expect([out.ptr, out.size, out.cas].every((word) => guest.isUntouched(word))).toBe(true);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("writes the pointer, then the size, then the version, as far as the words are good", () => {
    const guest = new FakeGuest();
    const [one, two, three] = [outs(guest), outs(guest), outs(guest)];
    set(guest, "k", "value");

    const statuses = [
      get(guest, "k", { ...one, ptr: outOfBounds }),
      get(guest, "k", { ...two, size: outOfBounds }),
      get(guest, "k", { ...three, cas: outOfBounds }),
    ];

    expect(statuses).toEqual([
      Status.InvalidMemoryAccess,
      Status.InvalidMemoryAccess,
      Status.InvalidMemoryAccess,
    ]);
    expect([guest.isUntouched(one.size), guest.isUntouched(one.cas)]).toEqual([true, true]);
    expect([guest.isUntouched(two.ptr), guest.isUntouched(two.cas)]).toEqual([false, true]);
    expect([guest.isUntouched(three.ptr), guest.u32(three.size)]).toEqual([false, 5]);
  });

  it("gives a copy of what was set, whatever the guest does to its memory meanwhile", () => {
    const guest = new FakeGuest();
    const out = outs(guest);
    const value = guest.put("before");
    guest.call("proxy_set_shared_data", ...guest.put("k"), ...value, 0);
    guest.memory.writeBytes(value[0], utf8("after!"));

    get(guest, "k", out);

    expect(guest.textAt(out.ptr, out.size)).toBe("before");
  });
});

describe("proxy_set_shared_data", () => {
  it("creates, overwrites and refuses by version", () => {
    const guest = new FakeGuest();

    const statuses = [
      set(guest, "k", "1", 0xfffffffe),
      set(guest, "k", "2", 0xfffffffe),
      set(guest, "k", "3", 1),
      set(guest, "k", "4", 1),
      set(guest, "k", "5", 0),
    ];

    expect(statuses).toEqual([
      Status.Ok,
      Status.CasMismatch,
      Status.Ok,
      Status.CasMismatch,
      Status.Ok,
    ]);
    expect(guest.host.process.sharedData.get("", "k")).toEqual({ value: utf8("5"), cas: 3 });
  });

  it("answers InvalidMemoryAccess for key or value out of bounds, and changes nothing", () => {
    const guest = new FakeGuest();

    expect(guest.call("proxy_set_shared_data", outOfBounds, 3, ...guest.put("v"), 0)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("proxy_set_shared_data", ...guest.put("k"), outOfBounds, 3, 0)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect([...guest.host.process.sharedData.entries()]).toEqual([]);
  });

  it("takes keys with NUL and bytes that are not UTF-8", () => {
    const guest = new FakeGuest();
    const out = outs(guest);
    const key = guest.put(new Uint8Array([0, 0xff, 0x61]));

    guest.call("proxy_set_shared_data", ...key, ...guest.put("v"), 0);

    expect(guest.call("proxy_get_shared_data", ...key, out.ptr, out.size, out.cas)).toBe(Status.Ok);
    expect(guest.host.process.sharedData.get("", "\0ÿa")).toBeDefined();
  });

  it("is seen by VMs of the same vm_id and hidden from others", () => {
    const writer = new FakeGuest({ vmId: "a" });
    const same = new FakeGuest({ vmId: "a", sameProcessAs: writer });
    const other = new FakeGuest({ vmId: "b", sameProcessAs: writer });

    set(writer, "k", "v");

    expect(get(same, "k", outs(same))).toBe(Status.Ok);
    expect(get(other, "k", outs(other))).toBe(Status.NotFound);
  });
});
