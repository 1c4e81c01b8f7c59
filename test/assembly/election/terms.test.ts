/** Terms grow from leader to leader, whatever somebody else puts where they are kept. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  candidateBytes,
  heldByOther,
  KEY,
  record,
  TERM_KEY,
  world,
} from "../support/candidates.ts";
import { MS } from "../support/fake-host.ts";

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  bytes = await candidateBytes();
});

/** Ten years past 1 January 2026, which is when the clocks of these tests start. */
const CEILING = 2_082_758_400_000;
const TEN_YEARS_MS = CEILING - 1_767_225_600_000;

/** Terms of so many leaders, each of which releases. */
function successive(join: ReturnType<typeof world>["join"], count: number): bigint[] {
  return Array.from({ length: count }, () => {
    const next = join().pass();
    const term = next.term();
    next.release();
    return term;
  });
}

function expectGrowth(terms: bigint[]): void {
  terms.forEach((term, i) => {
    expect(term).toBeGreaterThan(terms[i - 1] ?? 0n);
  });
}

describe("a term key", () => {
  it.each([2 ** 52, 2 ** 52 - 1, CEILING + 1, "garbage", -1])(
    "of %s counts as 0, is written over, and terms grow on",
    (forged) => {
      const { join, store } = world(bytes);
      store.put(TERM_KEY, String(forged));

      const terms = successive(join, 4);

      expectGrowth(terms);
      expect(store.text(TERM_KEY)).toBe(String(terms.at(-1)));
      expect(terms.at(-1)).toBeLessThan(BigInt(CEILING));
    },
  );

  it("that is as far ahead as may be believed is not repeated: nobody claims, and says so once", () => {
    const { join, store } = world(bytes);
    store.put(TERM_KEY, String(CEILING));
    const a = join().pass().pass();

    expect(a.leads()).toBe(false);
    expect(store.get(KEY)).toBeUndefined();
    expect(a.vm.logs.filter(({ level }) => level === 4).map(({ text }) => text)).toEqual([
      `proxy-wasm-as: election ${KEY}: the last term is ten years ahead`,
    ]);
  });

  it("that is as far ahead as may be believed is claimed above once the clock has moved", () => {
    const { join, store, clocks } = world(bytes);
    store.put(TERM_KEY, String(CEILING));
    const a = join().pass();
    clocks.advance(1);

    expect(a.pass().term()).toBe(BigInt(CEILING + 1));
  });

  it("of an honest leader is believed by a clock that is set back, be it to 1970", () => {
    const { join, clocks } = world(bytes);
    const terms = successive(join, 1);
    clocks.wallNs = 0n;

    expectGrowth([...terms, ...successive(join, 3)]);
  });

  it("is believed for ten years ahead of a clock that is right, in any year", () => {
    const { join, store, clocks } = world(bytes);
    clocks.wallNs = BigInt(CEILING) * MS;
    store.put(TERM_KEY, String(CEILING + TEN_YEARS_MS - 1));

    expect(join().pass().term()).toBe(BigInt(CEILING + TEN_YEARS_MS));
  });
});

describe("a record's term", () => {
  it("as far ahead as may be believed does not stop the terms of those that come after", () => {
    const { join, store, clocks } = world(bytes);
    store.put(KEY, heldByOther(clocks, { term: CEILING - 10, mono: 0 }));

    const terms = successive(join, 4);

    expectGrowth(terms);
    expect(terms[0]).toBe(BigInt(CEILING - 9));
    expect(record(store).term).toBe(Number(terms.at(-1)));
  });
});
