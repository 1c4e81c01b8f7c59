import { fc, test as property } from "@fast-check/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { loadRoom, type Room } from "../../support/load-room.ts";

let room: Room;

beforeAll(async () => {
  room = await loadRoom("test/guests/memory/plugin.guest.ts");
});

/** An encoder of the test's own. */
function encode(pairs: readonly (readonly [Uint8Array, Uint8Array])[]): Uint8Array {
  const head = new DataView(new ArrayBuffer(4 + 8 * pairs.length));
  head.setUint32(0, pairs.length, true);
  const parts: Uint8Array[] = [new Uint8Array(head.buffer)];
  pairs.forEach(([name, value], i) => {
    head.setUint32(4 + 8 * i, name.length, true);
    head.setUint32(8 + 8 * i, value.length, true);
    parts.push(name, Uint8Array.of(0), value, Uint8Array.of(0));
  });
  return Uint8Array.from(Buffer.concat(parts));
}

const bytes = fc.uint8Array({ maxLength: 12 });
const pairs = fc.array(fc.tuple(bytes, bytes), { maxLength: 6 });
const sample = encode([
  [Buffer.from(":path"), Buffer.from("/a")],
  [Buffer.from("x"), Buffer.from("")],
  [Buffer.from("x"), Buffer.from("1")],
]);

describe("lists of pairs", () => {
  property.prop([pairs, fc.nat({ max: 5 })], { numRuns: 1000 })(
    "survive a round trip with every byte, repeated and empty ones too",
    (list, from) => {
      const wire = encode(list);
      const padded = Uint8Array.from([...new Uint8Array(from).fill(7), ...wire]);

      expect(room.bytes("recode", padded, from)).toEqual(wire);
    },
  );

  test.each([0, 1, 2, 3])("of %i bytes are the empty list", (size) => {
    expect(room.call("pairCount", new Uint8Array(size).fill(255))).toBe(0);
  });

  test("of four zero bytes are the empty list", () => {
    expect(room.call("pairCount", new Uint8Array(4))).toBe(0);
  });

  test("that end anywhere before their end are malformed", () => {
    for (let size = 4; size < sample.length; size++) {
      expect(room.call("pairCount", sample.slice(0, size))).toBe(-1);
    }
    expect(room.call("pairCount", sample)).toBe(3);
  });

  test("with a byte left over are malformed", () => {
    expect(room.call("pairCount", Uint8Array.from([...sample, 0]))).toBe(-1);
  });

  test("without their terminators are malformed", () => {
    const changed = sample.slice();
    changed[changed.length - 1] = 1;

    expect(room.call("pairCount", changed)).toBe(-1);
  });

  test.each([
    ["a count that would wrap round", [0xff, 0xff, 0xff, 0x1f]],
    ["the largest count", [0xff, 0xff, 0xff, 0xff]],
    [
      "sizes whose sum would wrap round",
      [1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0],
    ],
    ["a name size that would wrap round", [1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0]],
  ])("with %s are malformed", (_, wire) => {
    expect(room.call("pairCount", Uint8Array.from(wire))).toBe(-1);
  });

  test("are read in 20,000 mutations without a trap and in bounded memory", () => {
    const random = mutations(1);
    let malformed = 0;
    for (let i = 0; i < 20_000; i++) {
      if (room.call("pairCount", random(sample)) < 0) malformed++;
    }

    expect(malformed).toBeGreaterThan(5000);
    expect(malformed).toBeLessThan(20_000);
    expect(room.pages()).toBeLessThanOrEqual(4);
  });

  test("of 1,024 pairs can be sent, of 1,025 cannot", () => {
    expect(room.bytes("encodeMany", 1024, 1)).not.toBeNull();
    expect(room.bytes("encodeMany", 1025, 1)).toBeNull();
  });

  test("of 1 MiB can be sent, of a byte more cannot", () => {
    const valueSize = 1024 * 1024 - 4 - 8 - 1 - 2;

    expect(room.bytes("encodeMany", 1, valueSize)!.length).toBe(1024 * 1024);
    expect(room.bytes("encodeMany", 1, valueSize + 1)).toBeNull();
  });
});

/** Changes, cuts, doubles and inserts bytes; the same for the same seed. */
function mutations(seed: number): (bytes: Uint8Array) => Uint8Array {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return (bytes) => {
    const out = [...bytes];
    for (let n = 1 + next(3); n > 0; n--) {
      const at = next(out.length);
      const kind = next(4);
      if (kind === 0) out[at] = next(256);
      else if (kind === 1) out.splice(at, 1 + next(4));
      else if (kind === 2) out.splice(at, 0, next(256));
      else out[at] = (out[at] ?? 0) ^ (1 << next(8));
    }
    return Uint8Array.from(out);
  };
}
