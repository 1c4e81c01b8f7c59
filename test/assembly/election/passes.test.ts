import { beforeAll, describe, expect, it } from "vitest";
import {
  candidateBytes,
  GUARD_MS,
  heldByOther,
  KEY,
  LEASE_MS,
  PERIOD_MS,
  record,
  TERM_KEY,
  world,
} from "../support/candidates.ts";
import type { Candidate } from "../support/candidates.ts";
import { Status } from "../support/fake-host.ts";

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  bytes = await candidateBytes();
});

const start = () => world(bytes);

describe("an absent key", () => {
  it("S1: the first pass leads, with a term of at least wall milliseconds and a record of its own", () => {
    const { join, store, clocks } = start();
    const a = join();

    a.pass();

    expect(a.leads()).toBe(true);
    expect(a.term()).toBe(clocks.wallNs / 1_000_000n);
    expect(store.text(TERM_KEY)).toBe(a.term().toString());
    expect(store.text(KEY)).toMatch(
      /^\{"vmID":"[0-9a-f-]{36}","timestamp":1767225600,"st":"held","term":1767225600000,"mono":3600000,"ttl":15000\}$/,
    );
    expect(a.starts).toEqual([`started ${a.term()}`]);
  });

  it("configure writes nothing without the wasm-go key", () => {
    const { join, store } = start();

    join();

    expect(store.entries.size).toBe(0);
  });

  it("S2: of eight candidates whose passes interleave at every call exactly one leads", () => {
    const { join } = start();
    const all: Candidate[] = Array.from({ length: 8 }, () => join());
    const waiting = all.slice(1);
    all.forEach((candidate) => {
      candidate.vm.before = (call) => {
        if (call.name === "proxy_set_shared_data") waiting.shift()?.pass();
        return undefined;
      };
    });

    all[0]!.pass();

    expect(all.filter((candidate) => candidate.leads())).toHaveLength(1);
    expect(all.flatMap((candidate) => candidate.vm.logs.filter((line) => line.level > 2))).toEqual(
      [],
    );
  });

  it("S5: a writer that is late meets the sentinel, and overwrites nothing", () => {
    const { join, store } = start();
    const [a, b] = [join(), join()];
    let paused = false;
    a.vm.before = (call) => {
      if (call.name === "proxy_set_shared_data" && call.about === KEY && !paused) {
        paused = true;
        b.pass();
      }
      return undefined;
    };

    a.pass();

    expect([a.leads(), b.leads()]).toEqual([false, true]);
    expect(BigInt(record(store).term!)).toBe(b.term());
  });
});

describe("a leader", () => {
  it("F4: keeps its term and its callbacks when it is blocked for half a lease", () => {
    const { join, clocks } = start();
    const a = join().pass();
    const term = a.term();

    clocks.advance(LEASE_MS / 2);
    a.pass();

    expect(a.leads()).toBe(true);
    expect(a.term()).toBe(term);
    expect(a.starts).toEqual([`started ${term}`]);
  });

  it("stops by itself one guard before the lease ends, without a call", () => {
    const { join, clocks } = start();
    const a = join().pass();

    clocks.advance(LEASE_MS - GUARD_MS - 1);
    const before = [a.leads(), a.remainingMs()];
    clocks.advance(1);

    expect(before).toEqual([true, 1]);
    expect([a.leads(), a.remainingMs()]).toEqual([false, 0]);
    expect(a.starts).toHaveLength(1);
  });

  it("F3: blocked beyond its lease, it does not lead, and its next pass claims with a new term", () => {
    const { join, clocks } = start();
    const a = join().pass();
    const term = a.term();
    clocks.advance(LEASE_MS + 1);
    const asleep = a.leads();

    a.pass();

    expect(asleep).toBe(false);
    expect(a.leads()).toBe(true);
    expect(a.term()).toBeGreaterThan(term);
    expect(a.starts).toEqual([`started ${term}`, "stopped expired", `started ${a.term()}`]);
  });

  it("F5: one failing get changes nothing", () => {
    const { join, clocks } = start();
    const a = join().pass();
    clocks.advance(PERIOD_MS);
    a.vm.before = (call) =>
      call.name === "proxy_get_shared_data" ? Status.InternalFailure : undefined;
    a.pass();
    a.vm.before = undefined;
    clocks.advance(PERIOD_MS);

    a.pass();

    expect(a.leads()).toBe(true);
    expect(a.starts).toHaveLength(1);
  });

  it.each(["proxy_set_shared_data", "proxy_get_shared_data"])(
    "F6: steps down with reason error at the first pass later than RenewDeadline whose %s fails",
    (name) => {
      const { join, clocks } = start();
      const a = join().pass();
      a.vm.before = (call) => (call.name === name ? Status.InternalFailure : undefined);

      const led = [3, 6, 9, 12].map(() => {
        clocks.advance(PERIOD_MS);
        a.pass();
        return a.leads();
      });

      expect(led).toEqual([true, true, true, false]);
      expect(a.starts.slice(1)).toEqual(["stopped error"]);
    },
  );

  it("F6: with a RenewDeadline close to the lease the promise ends first", () => {
    const { join, clocks } = start();
    const configuration =
      '{"timing":{"LeaseDuration":15000,"RenewDeadline":14900,"RetryPeriod":-1}}';
    const a = join("options", { configuration }).pass();
    a.vm.before = (call) =>
      call.name === "proxy_set_shared_data" ? Status.InternalFailure : undefined;

    const led = [12_000, 14_249, 14_250].map((at, i, all) => {
      clocks.advance(at - (all[i - 1] ?? 0));
      a.pass();
      return a.leads();
    });

    expect(led).toEqual([true, true, false]);
    expect(a.starts.slice(1)).toEqual(["stopped expired"]);
  });

  it("F7: a lost renewal ends leadership at once and is not retried in the same pass", () => {
    const { join, clocks } = start();
    const a = join().pass();
    clocks.advance(PERIOD_MS);
    a.sets();
    a.vm.before = (call) =>
      call.name === "proxy_set_shared_data" ? Status.CasMismatch : undefined;

    a.pass();

    expect(a.leads()).toBe(false);
    expect(a.starts.slice(1)).toEqual(["stopped replaced"]);
    expect(a.sets()).toEqual([KEY]);
  });

  it("F8: a pass that stops between get and set while another takes over writes nothing", () => {
    const { join, clocks, store } = start();
    const [a, b] = [join().pass(), join()];
    clocks.advance(PERIOD_MS);
    a.vm.before = (call) => {
      if (call.name === "proxy_set_shared_data") {
        clocks.advance(LEASE_MS * 2);
        b.pass();
      }
      return undefined;
    };

    a.pass();

    expect([a.leads(), b.leads()]).toEqual([false, true]);
    expect(BigInt(record(store).term!)).toBe(b.term());
    expect(a.starts.at(-1)).toBe("stopped replaced");
  });

  it("F9: a claim that took longer than its promise is neither reported nor witnessed", () => {
    const { join, clocks } = start();
    const [a, b] = [join(), join()];
    let slept = false;
    a.vm.before = (call) => {
      if (call.name === "proxy_get_shared_data" && !slept) {
        slept = true;
        clocks.advance(LEASE_MS + 1);
      }
      return undefined;
    };

    a.pass();

    expect(a.leads()).toBe(false);
    expect(a.starts).toEqual([]);
    expect(a.vm.witness).toEqual([]);
    expect(b.pass().leads()).toBe(true);
  });

  it("C11: a pause after the set is taken off the promise", () => {
    const { join, clocks } = start();
    const a = join();
    a.pass();
    clocks.advance(PERIOD_MS);
    a.pass();
    const atSet = clocks.monotonicNs;

    clocks.advance(LEASE_MS - GUARD_MS);

    expect(clocks.monotonicNs - atSet).toBe(14_250_000_000n);
    expect(a.leads()).toBe(false);
  });

  it("F11: ten seconds of lateness are within the promise", () => {
    const { join, clocks } = start();
    const a = join().pass();
    clocks.advance(PERIOD_MS + 10_000);

    a.pass();

    expect(a.leads()).toBe(true);
    expect(a.starts).toHaveLength(1);
  });
});

describe("a follower", () => {
  it("F10: claims a held record older than its lease at the first pass, and not a moment earlier", () => {
    const { join, clocks, store } = start();
    store.put(KEY, heldByOther(clocks));
    const b = join();
    clocks.advance(LEASE_MS);
    const early = b.pass().leads();
    clocks.advance(1);

    expect(early).toBe(false);
    expect(b.pass().leads()).toBe(true);
  });

  it("waits for the holder's own lease when that is longer", () => {
    const { join, clocks, store } = start();
    store.put(KEY, heldByOther(clocks, { ttl: 60_000 }));
    const b = join();
    clocks.advance(60_000);
    const early = b.pass().leads();
    clocks.advance(1);

    expect(early).toBe(false);
    expect(b.pass().leads()).toBe(true);
  });

  it("costs two host calls when nothing is new", () => {
    const { join, clocks, store } = start();
    store.put(KEY, heldByOther(clocks));
    const b = join().pass();
    b.vm.calls.length = 0;

    b.pass();

    expect(b.vm.calls.map((call) => call.name)).toEqual([
      "clock_time_get",
      "proxy_get_shared_data",
    ]);
  });

  it("C1, C2: steps of the wall clock neither end a leadership nor delay its successor", () => {
    const { join, clocks } = start();
    const [a, b] = [join().pass(), join()];
    clocks.wallNs += 600_000_000_000n;
    const held = [a.pass().leads(), b.pass().leads()];
    clocks.wallNs -= 1_200_000_000_000n;
    clocks.advance(LEASE_MS + 1);

    expect(held).toEqual([true, false]);
    expect(b.pass().leads()).toBe(true);
    expect(b.term()).toBeGreaterThan(0n);
  });
});

describe("the term", () => {
  it("N11: a number that was raised by a claim that failed is a gap", () => {
    const { join, clocks } = start();
    const [a, b] = [join(), join()];
    a.vm.before = (call) => {
      if (call.name === "proxy_set_shared_data" && call.about === KEY) b.pass();
      return undefined;
    };

    a.pass();

    expect([a.leads(), b.leads()]).toEqual([false, true]);
    expect(b.term()).toBe(clocks.wallNs / 1_000_000n + 1n);
  });

  it("W4: grows when the term key alone is lost and the wall clock is back", () => {
    const { join, clocks, store } = start();
    const a = join().pass();
    const term = a.term();
    store.entries.delete(TERM_KEY);
    clocks.wallNs -= 3_600_000_000_000n;
    clocks.advance(LEASE_MS + 1);

    a.pass();

    expect(a.term()).toBe(term + 1n);
  });

  it.each(["garbage", "-5", "9007199254740993", "4503599627370497", "1e3", "", " 7"])(
    "D7: a term key of %j counts as 0",
    (text) => {
      const { join, store, clocks } = start();
      store.put(TERM_KEY, text);
      const a = join().pass();

      expect(a.term()).toBe(clocks.wallNs / 1_000_000n);
      expect(store.text(TERM_KEY)).toBe(a.term().toString());
    },
  );

  it("goes on from the term key when that is ahead of the wall clock", () => {
    const { join, store } = start();
    store.put(TERM_KEY, "2000000000000");

    expect(join().pass().term()).toBe(2_000_000_000_001n);
  });
});
