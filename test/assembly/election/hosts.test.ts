import { beforeAll, describe, expect, it } from "vitest";
import {
  candidateBytes,
  heldByOther,
  KEY,
  LEASE_MS,
  PERIOD_MS,
  record,
  TERM_KEY,
  world,
} from "../support/candidates.ts";
import { SECOND, Status } from "../support/fake-host.ts";
import type { Rules } from "../support/shared-store.ts";

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  bytes = await candidateBytes();
});

describe("a lost store", () => {
  it("W1: the leader creates its record anew at its next pass, with a new term", () => {
    const { join, store, clocks } = world(bytes);
    const a = join().pass();
    const term = a.term();
    clocks.advance(PERIOD_MS);
    store.wipe();

    a.pass();

    expect(a.leads()).toBe(true);
    expect(a.starts).toEqual([`started ${term}`, "stopped vanished", `started ${a.term()}`]);
    expect(a.term()).toBeGreaterThan(term);
  });

  it("a follower that has read another's record waits that promise out", () => {
    const { join, store, clocks } = world(bytes);
    const [a, b] = [join().pass(), join().pass()];
    clocks.advance(PERIOD_MS);
    store.wipe();
    clocks.advance(LEASE_MS - PERIOD_MS);
    const early = b.pass().leads();
    clocks.advance(1);

    expect(early).toBe(false);
    expect(a.leads()).toBe(false);
    expect(b.pass().leads()).toBe(true);
  });

  it("a fresh candidate creates at once", () => {
    const { join, store } = world(bytes);
    join().pass();
    store.wipe();

    expect(join().pass().leads()).toBe(true);
  });

  it("a candidate that has seen the release of the last leader creates at once", () => {
    const { join, store } = world(bytes);
    const [a, b] = [join().pass(), join().pass()];
    a.release();
    b.vm.before = (call) =>
      call.name === "proxy_set_shared_data" ? Status.InternalFailure : undefined;
    b.pass();
    b.vm.before = undefined;
    store.wipe();

    expect(b.pass().leads()).toBe(true);
  });
});

describe("a host with other rules for cas", () => {
  it.each<Rules>(["envoy", "strict", "nginx"])(
    "%s: one leads, keeps renewing and is replaced",
    (rules) => {
      const { join, store, clocks } = world(bytes, rules);
      const [a, b] = [join(), join()];
      for (let i = 0; i < 4; i++) {
        a.pass();
        b.pass();
        clocks.advance(PERIOD_MS);
      }
      const first = [a.leads(), b.leads()];
      clocks.advance(LEASE_MS + 1);
      b.pass();

      expect(first).toEqual([true, false]);
      expect(b.leads()).toBe(true);
      expect(BigInt(record(store).term!)).toBe(b.term());
    },
  );

  it("nginx: the sentinel's refusal is probed for once, under a key of its own", () => {
    const { join, store } = world(bytes, "nginx");
    const a = join().pass().pass();

    expect(a.leads()).toBe(true);
    expect([...store.writes.keys()].sort()).toEqual([KEY, `${KEY}:probe`, TERM_KEY].sort());
  });

  it("nginx: is found out too when only the term key is absent", () => {
    const { join, store, clocks } = world(bytes, "nginx");
    store.put(KEY, heldByOther(clocks, { mono: 0 }));

    expect(join().pass().pass().leads()).toBe(true);
  });

  it("a race for the term key and one for the lease are not two for one of them", () => {
    const { join, store } = world(bytes);
    const a = join();
    let isLost = false;
    const rivals = [
      [TERM_KEY, "1"],
      [KEY, "garbage"],
    ];
    a.vm.before = (call) => {
      const [key, text] = rivals[0] ?? [];
      if (call.name !== "proxy_set_shared_data" || call.about !== key) return undefined;
      rivals.shift();
      store.put(key, text!);
      isLost = true;
      return undefined;
    };
    a.pass().pass();

    expect([isLost, rivals]).toEqual([true, []]);
    expect(a.vm.calls.filter(({ about }) => about.includes(":probe"))).toEqual([]);
  });

  it("a host without a safe creation gets one error line and no leader", () => {
    const { join, clocks } = world(bytes, "careless");
    const a = join();

    for (let i = 0; i < 20; i++) {
      a.pass();
      clocks.advance(LEASE_MS);
    }

    expect(a.leads()).toBe(false);
    expect(a.vm.logs.filter((line) => line.level === 4).map((line) => line.text)).toEqual([
      `proxy-wasm-as: election ${KEY}: no safe way to create a key: this VM never leads`,
    ]);
  });

  it("two races lost in a row on an ordinary host are not mistaken for an odd one", () => {
    const { join, store, clocks } = world(bytes);
    const a = join();
    a.vm.before = (call) => {
      if (call.name !== "proxy_set_shared_data" || call.about !== TERM_KEY) return undefined;
      store.put(TERM_KEY, "1");
      return undefined;
    };
    for (let i = 0; i < 5; i++) {
      a.pass();
      store.wipe();
    }
    a.vm.before = undefined;
    clocks.advance(PERIOD_MS);

    expect(a.pass().leads()).toBe(true);
    expect(a.vm.logs.filter((line) => line.level > 3)).toEqual([]);
  });
});

describe("a host without a monotonic clock", () => {
  const old = (): ReturnType<typeof world> => {
    const all = world(bytes);
    all.clocks.hasMonotonic = false;
    return all;
  };

  it.each(["errno 58", "a constant 0"])(
    "C5: %s: falls back to the wall clock and says so once",
    (kind) => {
      const { join, clocks } = old();
      if (kind === "a constant 0") Object.assign(clocks, { hasMonotonic: true, monotonicNs: 0n });
      const a = join();
      a.vm.before = () => {
        if (kind === "a constant 0") clocks.monotonicNs = 0n;
        return undefined;
      };
      for (let i = 0; i < 3; i++) {
        a.pass();
        clocks.advance(PERIOD_MS);
        clocks.monotonicNs = kind === "a constant 0" ? 0n : clocks.monotonicNs;
      }

      expect(a.leads()).toBe(true);
      expect(a.vm.lines.filter((line) => line.includes("monotonic"))).toHaveLength(1);
    },
  );

  it("C5: a held record is claimed only when it was also watched for a lease, in passes too", () => {
    const { join, store, clocks } = old();
    store.put(
      KEY,
      heldByOther(clocks, { mono: Number(clocks.wallNs / 1_000_000n) - 2 * LEASE_MS }),
    );
    const a = join().pass();
    const first = a.leads();
    clocks.wallNs += 600n * SECOND;
    const jumped = a.pass().leads();
    const later = [1, 2, 3, 4].map(() => {
      clocks.advance(PERIOD_MS);
      return a.pass().leads();
    });
    clocks.advance(1);

    expect([first, jumped, ...later]).toEqual([false, false, false, false, false, false]);
    expect(a.pass().leads()).toBe(true);
  });

  it.each([0, 100])(
    "C5: passes that follow each other after %d ms prove no more than that",
    (everyMs) => {
      const { join, store, clocks } = old();
      store.put(KEY, "garbage");
      const a = join().pass();
      clocks.wallNs += 600n * SECOND;
      for (let i = 0; i < 100; i++) {
        a.pass();
        clocks.advance(everyMs);
      }

      expect(a.leads()).toBe(false);
      for (let i = 0; i < 5; i++) {
        clocks.advance(PERIOD_MS);
        a.pass();
      }
      expect(a.leads()).toBe(true);
    },
  );

  it("C5: passes that come late prove one period each", () => {
    const { join, store, clocks } = old();
    store.put(KEY, "garbage");
    const a = join().pass();
    const led = [1, 2, 3, 4, 5, 6].map(() => {
      clocks.advance(10 * PERIOD_MS);
      return a.pass().leads();
    });

    expect(led).toEqual([false, false, false, false, false, true]);
  });

  it("C6: a wall clock that is set back does not revive a promise that another has replaced", () => {
    const { join, clocks } = old();
    const [a, b] = [join().pass(), join().pass()];
    for (let i = 0; i < 6; i++) {
      clocks.advance(PERIOD_MS);
      b.pass();
    }
    const tookOver = b.leads();
    clocks.wallNs -= 16n * SECOND;

    expect(tookOver).toBe(true);
    expect(a.leads()).toBe(false);
  });

  it("the time never goes back: a renewal after the clock was set back promises no less than before", () => {
    const { join, clocks, store } = old();
    const a = join().pass();
    clocks.advance(PERIOD_MS);
    a.pass();
    const mono = record(store).mono!;
    clocks.wallNs -= 2n * SECOND;
    a.pass();

    expect(record(store).mono).toBe(mono);
    expect(a.leads()).toBe(true);
  });
});

describe("a host that fails", () => {
  it("leads nothing without random bytes for an identity, and says so once", () => {
    const { join, store } = world(bytes);
    const a = join("options", { random: () => 76 });

    a.pass().pass();

    expect(a.leads()).toBe(false);
    expect(store.entries.size).toBe(0);
    expect(a.vm.logs.filter((line) => line.level === 4)).toHaveLength(1);
  });

  it("a clock that fails in between ends nothing, but nobody acts on it", () => {
    const { join } = world(bytes);
    const a = join().pass();
    a.vm.before = (call) => (call.name === "clock_time_get" ? 76 : undefined);
    const blind = [a.leads(), a.pass().leads()];
    a.vm.before = undefined;

    expect(blind).toEqual([false, false]);
    expect(a.leads()).toBe(true);
    expect(a.starts).toHaveLength(1);
  });
});
