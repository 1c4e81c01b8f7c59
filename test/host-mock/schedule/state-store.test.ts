import { describe, expect, test } from "vitest";
import { StateIndex } from "../../../host-mock/schedule/state-index.ts";
import { StateStore } from "../../../host-mock/schedule/state-store.ts";

function add(store: StateStore, key: readonly number[]): number {
  store.chunkOf(store.count).set(key, store.offsetOf(store.count));
  const found = store.find();
  return found >= 0 ? found : store.keep();
}

describe("the store of states", () => {
  test("tells apart every two keys that differ in a number, and finds each again", () => {
    const store = new StateStore(3, 5);
    const keys = Array.from({ length: 60_000 }, (_, i) => [i % 7, -(i % 100), Math.floor(i / 7)]);

    const first = keys.map((key) => add(store, key));
    const again = keys.map((key) => add(store, key));

    expect(first).toEqual(keys.map((_, i) => i));
    expect(again).toEqual(first);
    expect(store.count).toBe(60_000);
    const at = store.offsetOf(54_321);
    expect([...store.chunkOf(54_321).subarray(at, at + 3)]).toEqual(keys[54_321]);
  });

  test("does not look at what is behind the key", () => {
    const store = new StateStore(1, 3);
    add(store, [5, 1, 1]);

    expect(add(store, [5, 2, 2])).toBe(0);
  });
});

describe("the index", () => {
  test("walks over all numbers of one hash and no others", () => {
    const index = new StateIndex();
    const hashes = [7, 7 + 64, 7, -1, 7, 7 + 128];
    hashes.forEach((hash, number) => {
      for (let found = index.seek(hash); found >= 0;) found = index.next();
      index.place(number);
    });

    const of = (hash: number): number[] => {
      const numbers: number[] = [];
      for (let found = index.seek(hash); found >= 0; found = index.next()) numbers.push(found);
      return numbers.sort();
    };

    expect([of(7), of(71), of(135), of(-1), of(8)]).toEqual([[0, 2, 4], [1], [5], [3], []]);
  });

  test("keeps numbers of one hash when its segment grows", () => {
    const index = new StateIndex();
    for (let number = 0; number < 1000; number++) {
      for (let found = index.seek(number % 3); found >= 0;) found = index.next();
      index.place(number);
    }

    let count = 0;
    for (let found = index.seek(1); found >= 0; found = index.next()) {
      expect(found % 3).toBe(1);
      count++;
    }
    expect(count).toBe(333);
  });
});
