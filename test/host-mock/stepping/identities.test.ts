import { describe, expect, test } from "vitest";
import { anonymous, fillRandom, renamed } from "../../../host-mock/stepping/identities.ts";

function uuidOf(guest: number, draw: number): string {
  const bytes = new Uint8Array(16);
  fillRandom(bytes, guest, draw);
  const hex = Buffer.from(bytes).toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

describe("names of stepped guests", () => {
  test("a draw is a random UUID whose digits are the guest's", () => {
    expect(uuidOf(1, 3)).toBe("22222222-2222-4d22-9d22-222222220003");
  });

  test("short draws are zeros for everybody", () => {
    const bytes = new Uint8Array(8).fill(7);

    expect(fillRandom(bytes, 3, 0)).toBe(true);
    expect([...bytes]).toEqual(Array(8).fill(0));
  });

  test("a draw whose names cannot be told from others is said to be one", () => {
    expect(fillRandom(new Uint8Array(12), 0, 0)).toBe(false);
  });

  test.each(Array.from({ length: 9 }, (_, guest) => guest))(
    "guest %i is renamed in every form, and back",
    (guest) => {
      const bytes = new Uint8Array(16);
      fillRandom(bytes, guest, 5);
      const raw = Buffer.from(bytes).toString("latin1");
      const hex = Buffer.from(bytes).toString("hex");
      const text = `{"vmID":"${uuidOf(guest, 5)}"} ${hex} ${raw}`;
      const other = (guest + 4) % 9;
      const there = Array.from({ length: 9 }, (_, at) =>
        at === guest ? other : at === other ? guest : at,
      );

      const once = renamed(text, there);

      expect(once).toContain(uuidOf(other, 5));
      expect(once).not.toContain(uuidOf(guest, 5));
      expect(renamed(once, there)).toBe(text);
    },
  );

  test("without names, texts of different guests are equal", () => {
    const [mine, theirs] = [[0], [2]];

    expect(anonymous(`${uuidOf(0, 0)} then ${uuidOf(2, 0)}`, mine)).toBe(
      anonymous(`${uuidOf(2, 0)} then ${uuidOf(0, 0)}`, theirs),
    );
    expect(mine).toEqual([0, 2]);
  });

  test("digits that are no names stay", () => {
    const text = '{"term":1111111111111,"mono":3333333333}';

    expect(renamed(text, [1, 0, 3, 2])).toBe(text);
  });
});
