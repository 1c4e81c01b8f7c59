import { beforeAll, describe, expect, it } from "vitest";
import {
  candidateBytes,
  heldByOther,
  KEY,
  LEASE_MS,
  PERIOD_MS,
  record,
  world,
} from "../support/candidates.ts";
import { SECOND } from "../support/fake-host.ts";

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  bytes = await candidateBytes();
});

const start = () => world(bytes);

/** Texts that nobody should have written; all must be waited for as long as a lease. */
const ODD: Record<string, string> = {
  "no JSON": "not json",
  blank: "",
  "one megabyte of text": "x".repeat(1 << 20),
  "one megabyte of JSON": JSON.stringify({ vmID: "y".repeat(1 << 20), timestamp: 1 }),
  "deep nesting": "[".repeat(5_000),
  "an array": "[1,2]",
  "a number": "170",
  null: "null",
  "an empty object": "{}",
  "a fraction as timestamp": '{"vmID":"x","timestamp":1.7e9}',
  "a text as timestamp": '{"vmID":"x","timestamp":"170"}',
  "a timestamp below zero": '{"vmID":"x","timestamp":-1}',
  "a timestamp beyond 64 bits": '{"vmID":"x","timestamp":99999999999999999999}',
  "no id": '{"timestamp":170}',
  "a number as id": '{"vmID":7,"timestamp":170}',
  "names in another case": '{"VMID":"x","Timestamp":170}',
  "bytes that are no UTF-8": Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1"),
  "a late placeholder": '{"vmID":"","timestamp":1767225600,"st":"late","mono":3600000}',
  "an unknown state": '{"vmID":"x","timestamp":0,"st":"later","term":1,"mono":0,"ttl":15000}',
  "a state without a clock": '{"vmID":"x","timestamp":0,"st":"held","term":1,"ttl":15000}',
  "a held record without a term": '{"vmID":"x","timestamp":0,"st":"held","mono":0,"ttl":15000}',
  "a held record without a lease": '{"vmID":"x","timestamp":0,"st":"held","term":1,"mono":0}',
  "a held record without a holder":
    '{"vmID":"","timestamp":0,"st":"held","term":1,"mono":0,"ttl":15000}',
};

/** Held records with one impossible number. */
const ODD_NUMBERS: Record<string, object> = {
  "C8: mono far ahead": { mono: 3_600_000 + LEASE_MS + 1 },
  "mono below zero": { mono: -1 },
  "mono with a fraction": { mono: 1.5 },
  "mono as text": { mono: "5" },
  "ttl below a second": { ttl: 999 },
  "ttl above an hour": { ttl: 3_600_001 },
  "ttl below zero": { ttl: -15_000 },
  "term below zero": { term: -1 },
  "the largest term that other readers could keep": { term: 2 ** 52 },
  "a term ten years ahead of a clock": { term: 2_082_758_400_001 },
  "term null": { term: null },
};

describe("an odd record", () => {
  it.each(Object.entries(ODD))(
    "D1, D2: %s is claimed only after a full lease unchanged",
    (_name, text) => {
      const { join, clocks, store } = start();
      store.put(KEY, text);
      const a = join().pass();
      clocks.advance(LEASE_MS);
      const early = a.pass().leads();
      clocks.advance(1);

      expect(early).toBe(false);
      expect(a.pass().leads()).toBe(true);
      expect(record(store).st).toBe("held");
    },
  );

  it.each(Object.entries(ODD_NUMBERS))(
    "%s makes a held record odd, and nothing of it is remembered",
    (_name, over) => {
      const { join, clocks, store } = start();
      const text = heldByOther(clocks, {
        ttl: 3_600_000,
        mono: 0,
        term: 1_900_000_000_000,
        ...over,
      });
      store.put(KEY, text);
      const a = join().pass();
      clocks.advance(LEASE_MS);
      const early = a.pass().leads();
      clocks.advance(1);

      expect(early).toBe(false);
      expect(a.pass().leads()).toBe(true);
      expect(a.term()).toBeLessThan(1_900_000_000_000n);
    },
  );

  it.each(["not json", ""])(
    "D3, D4: %j over a leader's record ends its leadership at its next pass",
    (text) => {
      const { join, clocks, store } = start();
      const [a, b] = [join().pass(), join().pass()];
      store.put(KEY, text);
      clocks.advance(PERIOD_MS);
      a.pass();
      b.pass();
      const fallen = [a.leads(), b.leads()];
      clocks.advance(LEASE_MS + 1);
      b.pass();

      expect(fallen).toEqual([false, false]);
      expect(a.starts.at(-1)).toBe("stopped replaced");
      expect(b.leads()).toBe(true);
      expect(b.term()).toBeGreaterThan(0n);
    },
  );

  it("D5: the wait starts over with every change", () => {
    const { join, clocks, store } = start();
    const a = join();

    for (let i = 0; i < 10; i++) {
      store.put(KEY, `garbage ${i}`);
      a.pass();
      clocks.advance(LEASE_MS / 2);
    }

    expect(a.pass().leads()).toBe(false);
    expect(store.text(KEY)).toBe("garbage 9");
  });

  it("C10: the observation counts from a clock read after the get", () => {
    const { join, clocks, store } = start();
    store.put(KEY, "garbage");
    const a = join();
    a.vm.before = (call) => {
      if (call.name === "proxy_get_shared_data") clocks.advance(5_000);
      return undefined;
    };
    a.pass();
    a.vm.before = undefined;
    clocks.advance(LEASE_MS);

    expect(a.pass().leads()).toBe(false);
  });
});

describe("a record as others write it", () => {
  it("D8: unknown fields, another order, spaces and escapes are read", () => {
    const { join, clocks, store } = start();
    const mono = clocks.nowMs;
    store.put(
      KEY,
      ` { "ttl" : 15000, "x":{"vmID":[1]}, "mono":${mono}, "term":9, "st":"held", "timestamp":1, "vmID":"a\\u0062\\/c" } `,
    );
    const a = join().pass();

    expect(a.events).toEqual(["leader ab/c"]);
    clocks.advance(LEASE_MS + 1);
    expect(a.pass().leads()).toBe(true);
  });

  it("D9: of two members with one name the first counts", () => {
    const { join, clocks, store } = start();
    store.put(KEY, heldByOther(clocks).replace("{", '{"vmID":"first",'));

    expect(join().pass().events).toEqual(["leader first"]);
  });

  it("a held record slightly ahead of this pass's clock is a renewal that came in between", () => {
    const { join, clocks, store } = start();
    store.put(KEY, heldByOther(clocks, { mono: clocks.nowMs + 5 }));
    const a = join().pass();

    expect(a.events).toEqual(["leader other"]);
  });

  it("a released record is claimed at once, with a term above its own", () => {
    const { join, clocks, store } = start();
    store.put(
      KEY,
      `{"vmID":"","timestamp":0,"st":"released","term":1900000000000,"mono":${clocks.nowMs - 10}}`,
    );
    const a = join().pass();

    expect(a.term()).toBe(1_900_000_000_001n);
  });

  it("R6: a released record older than a lease is waited for", () => {
    const { join, clocks, store } = start();
    const mono = clocks.nowMs - LEASE_MS - 1;
    store.put(KEY, `{"vmID":"","timestamp":0,"st":"released","term":3,"mono":${mono}}`);
    const a = join().pass();
    const early = a.leads();
    clocks.advance(LEASE_MS + 1);

    expect(early).toBe(false);
    expect(a.pass().leads()).toBe(true);
  });

  it("a record of wasm-go's needs a lease unchanged and its own sixty seconds", () => {
    const { join, clocks, store } = start();
    store.put(KEY, `{"vmID":"go","timestamp":${Number(clocks.wallNs / SECOND)}}`);
    const a = join().pass();
    const led = [16, 60, 61].map((second, i, all) => {
      clocks.advance((second - (all[i - 1] ?? 0)) * 1_000);
      return a.pass().leads();
    });

    expect(led).toEqual([false, false, true]);
    expect(a.events[0]).toBe("leader go");
  });

  it("a record of wasm-go's with an old timestamp is still waited for", () => {
    const { join, clocks, store } = start();
    store.put(KEY, '{"vmID":"go","timestamp":1}');
    const a = join().pass();
    clocks.advance(LEASE_MS);

    expect(a.pass().leads()).toBe(false);
  });

  it("a wasm-go timestamp more than five seconds ahead is odd", () => {
    const { join, clocks, store } = start();
    store.put(KEY, `{"vmID":"go","timestamp":${Number(clocks.wallNs / SECOND) + 6}}`);
    const a = join().pass();
    clocks.advance(LEASE_MS + 1);

    expect(a.events).toEqual([]);
    expect(a.pass().leads()).toBe(true);
  });
});
