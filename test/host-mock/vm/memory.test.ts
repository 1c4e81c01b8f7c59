import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { wasm } from "../../../host-mock/abi/wasm-api.ts";
import { latin1 } from "../../../host-mock/state/bytes.ts";
import { GuestMemory } from "../../../host-mock/vm/memory.ts";

const page = 65536;

function memory(pages = 1): { raw: ReturnType<typeof newRaw>; guest: GuestMemory } {
  const raw = newRaw(pages);
  return { raw, guest: new GuestMemory(raw) };
}

function newRaw(initial: number) {
  return new wasm.Memory({ initial });
}

describe("a guest's memory", () => {
  it.each([
    [0, 0, true],
    [page, 0, true],
    [page + 1, 0, false],
    [0, page, true],
    [0, page + 1, false],
    [page - 4, 4, true],
    [page - 3, 4, false],
    [0xffffffff, 1, false],
    [1, 0xffffffff, false],
    [0xffffffff, 0xffffffff, false],
  ])("has the range at %i of %i bytes: %s", (ptr, size, isThere) => {
    const { guest } = memory();

    expect(guest.isRange(ptr, size)).toBe(isThere);
    expect(guest.readBytes(ptr, size) !== undefined).toBe(isThere);
    expect(guest.readLatin1(ptr, size) !== undefined).toBe(isThere);
  });

  it("writes words little-endian, at any address", () => {
    const { guest } = memory();

    const written = [guest.writeU32(1, 0x01020304), guest.writeU64(9, 0x0102030405060708n)];

    expect(written).toEqual([true, true]);
    expect([...guest.readBytes(0, 6)!]).toEqual([0, 4, 3, 2, 1, 0]);
    expect([...guest.readBytes(9, 8)!]).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect([guest.readU32(1), guest.readU64(9)]).toEqual([0x01020304, 0x0102030405060708n]);
  });

  it("writes nothing of what does not fit", () => {
    const { guest } = memory();

    const written = [
      guest.writeU32(page - 3, 0xffffffff),
      guest.writeU64(page - 7, 1n),
      guest.writeBytes(page - 1, new Uint8Array([1, 1])),
    ];

    expect(written).toEqual([false, false, false]);
    expect([...guest.readBytes(page - 8, 8)!]).toEqual(new Array(8).fill(0));
    expect([guest.readU32(page - 3), guest.readU64(page - 7)]).toEqual([undefined, undefined]);
  });

  it("gives copies that later writes do not change", () => {
    const { guest } = memory();
    guest.writeBytes(0, new Uint8Array([1, 2, 3]));

    const copy = guest.readBytes(0, 3)!;
    guest.writeBytes(0, new Uint8Array([9, 9, 9]));

    expect([...copy]).toEqual([1, 2, 3]);
  });

  it("gives views that show what the memory holds now", () => {
    const { guest } = memory();

    const view = guest.viewBytes(4, 2)!;
    guest.writeBytes(4, new Uint8Array([7, 8]));

    expect([...view]).toEqual([7, 8]);
    expect(guest.viewBytes(page, 1)).toBeUndefined();
  });

  it("FP6: takes its view anew after the memory grew", () => {
    const { raw, guest } = memory();
    guest.writeU32(0, 42);

    raw.grow(1);

    expect(guest.readU32(0)).toBe(42);
    expect(guest.writeU32(page, 43)).toBe(true);
    expect(new DataView(raw.buffer).getUint32(page, true)).toBe(43);
    expect(guest.sizeBytes).toBe(2 * page);
  });

  it("sees growth of a shared memory, which detaches nothing", () => {
    const raw = new wasm.Memory({ initial: 1, maximum: 2, shared: true });
    const guest = new GuestMemory(raw);

    raw.grow(1);

    expect(guest.writeU32(page + 4, 5)).toBe(true);
    expect(guest.readU32(page + 4)).toBe(5);
  });

  test.prop([fc.uint8Array({ maxLength: 300 }), fc.nat(200)])(
    "reads back bytes as bytes and as a binary string",
    (bytes, ptr) => {
      const { guest } = memory();
      guest.writeBytes(ptr, bytes);

      expect([...guest.readBytes(ptr, bytes.length)!]).toEqual([...bytes]);
      expect(guest.readLatin1(ptr, bytes.length)).toBe(latin1(bytes));
    },
  );

  it("copies more short pieces than one buffer holds, each right", () => {
    const { guest } = memory();

    const copies = Array.from({ length: 200 }, (_, index) => {
      guest.writeBytes(0, new Uint8Array(1000).fill(index));
      return guest.readBytes(0, 1000)!;
    });

    const wrong = copies.filter(
      (copy, index) => copy.length !== 1000 || copy.some((byte) => byte !== index),
    );
    expect(wrong).toEqual([]);
  });
});
