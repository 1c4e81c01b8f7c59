/** What the options of features refuse, and how they meet the rest of an elector. */
import { beforeAll, describe, expect, it } from "vitest";
import { featuredBytes, KEY, LEASE_MS, PERIOD_MS, record, world } from "../support/candidates.ts";
import type { Candidate } from "../support/candidates.ts";
import { Status } from "../support/fake-host.ts";

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  bytes = await featuredBytes();
});

const configuration = '{"retry":-1}';
const starts = (candidate: Candidate) =>
  candidate.vm.lines.flatMap((line) => /^(started|stopped) \d+ ?(.*)$/.exec(line)?.[1] ?? []);

describe("an option that breaks a rule", () => {
  it.each([
    ["bad-timeout", "Timeout must be 0 or more"],
    ["bad-rank", "Rank must be 0 to 1000"],
    ["bad-jitter", "Jitter must be 0 to 1"],
    ["no-jitter", "Jitter must be 0 to 1"],
    ["bad-delay", "ClaimDelay must be 0 to LeaseDuration"],
  ])("%s refuses the configuration: %s", (make, rule) => {
    const candidate = world(bytes).join(make, { configuration });

    expect(candidate.accepted).toBe(false);
    expect(candidate.vm.lines).toContain(`[${make}] configuration refused: ${rule}`);
  });

  it("is not looked at when the timing itself is refused", () => {
    const candidate = world(bytes).join("bad-rank", { configuration: '{"lease":1}' });

    expect(candidate.vm.lines).toContain(
      "[bad-rank] configuration refused: LeaseDuration must be 1 s to 1 h",
    );
  });
});

describe("probation", () => {
  it("leads after more than a lease of renewals, with the term it claimed, and says so then", () => {
    const { join, clocks, store } = world(bytes);
    const a = join("probation", { configuration }).pass();
    const claimed = record(store);

    for (let ms = 0; ms < LEASE_MS; ms += PERIOD_MS) {
      clocks.advance(PERIOD_MS);
      a.pass();
      expect(a.leads()).toBe(false);
    }
    clocks.advance(PERIOD_MS);
    a.pass();

    expect(a.leads()).toBe(true);
    expect(Number(a.term())).toBe(claimed.term);
    expect(a.remainingMs()).toBe(14_250);
    expect(a.vm.witness.map((line) => line.split(" ")[1])).toEqual(["claim"]);
    expect(starts(a)).toEqual(["started"]);
  });

  it("begins anew when a renewal took longer than a lease", () => {
    const { join, clocks } = world(bytes);
    const a = join("probation", { configuration }).pass();
    clocks.advance(LEASE_MS + 1);
    let isLate = true;
    a.vm.before = (call) => {
      if (call.name === "proxy_set_shared_data" && isLate) {
        isLate = false;
        clocks.advance(LEASE_MS + 1);
      }
      return undefined;
    };

    a.pass();
    clocks.advance(LEASE_MS);
    const within = a.pass().leads();
    clocks.advance(1);
    const after = a.pass().leads();

    expect([within, after]).toEqual([false, true]);
  });

  it("is over when another record stands there, and begins with the next claim", () => {
    const { join, clocks, store } = world(bytes);
    const a = join("probation", { configuration }).pass();
    clocks.advance(LEASE_MS - 1);
    store.put(KEY, "garbage");
    a.pass();
    clocks.advance(LEASE_MS + 1);

    a.pass();
    clocks.advance(LEASE_MS);
    const within = a.pass().leads();
    clocks.advance(1);

    expect([within, a.pass().leads()]).toEqual([false, true]);
  });

  it("a failing renewal does not end it, a lost one does", () => {
    const { join, clocks } = world(bytes);
    const a = join("probation", { configuration }).pass();
    const fail = (status: number) => {
      a.vm.before = (call) => (call.name === "proxy_set_shared_data" ? status : undefined);
      a.pass();
      a.vm.before = undefined;
    };
    fail(Status.InternalFailure);
    clocks.advance(LEASE_MS + 1);
    const afterFailure = a.pass().leads();

    const b = world(bytes).join("probation", { configuration }).pass();
    b.vm.before = (call) =>
      call.name === "proxy_set_shared_data" ? Status.CasMismatch : undefined;
    b.pass();
    b.vm.before = undefined;
    b.vm.clocks.advance(LEASE_MS + 1);

    expect(afterFailure).toBe(true);
    expect(b.pass().leads()).toBe(false);
  });

  it("a release on probation hands the record over", () => {
    const { join, store } = world(bytes);
    const a = join("probation", { configuration }).pass();

    a.release();

    expect(record(store).st).toBe("released");
    expect(starts(a)).toEqual([]);
  });
});

describe("a handover", () => {
  it("ends when another has taken the record meanwhile, and harms a later leadership not", () => {
    const { join, store, clocks } = world(bytes);
    const a = join("handover", { configuration }).pass();
    a.vm.call("begin", 1);
    a.release();
    store.put(KEY, "");
    a.pass();
    clocks.advance(LEASE_MS + 1);
    a.pass();

    a.vm.call("end", 1);

    expect(a.leads()).toBe(true);
    expect(record(store).st).toBe("held");
    expect(starts(a)).toEqual(["started", "stopped", "started"]);
  });

  it("does not wait for work of a promise that is over", () => {
    const { join, store, clocks } = world(bytes);
    const a = join("handover", { configuration }).pass();
    a.vm.call("begin", 1);
    clocks.advance(LEASE_MS);

    const mayGoOn = a.vm.call("mayGoOn", 1);
    a.release();

    expect(mayGoOn).toBe(0);
    expect(record(store).st).toBe("released");
  });

  it("is begun once: a second release changes nothing", () => {
    const { join, store, clocks } = world(bytes);
    const a = join("handover", { configuration }).pass();
    a.vm.call("begin", 1);
    a.release();
    clocks.advance(1000);
    a.release();
    const waiting = record(store).st;
    a.vm.call("end", 1);

    expect([waiting, record(store).st]).toEqual(["held", "released"]);
    expect(starts(a)).toEqual(["started", "stopped"]);
  });

  it("a follower has no work to begin", () => {
    const { join } = world(bytes);
    join("handover", { configuration }).pass();
    const b = join("handover", { configuration }).pass();

    expect(b.vm.call("begin", 1)).toBe(0);
  });
});
