/** Scenario R2, and R4 with work in flight: the record is given up when the work is over, or its time is. */
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import { readable } from "../../host-mock/trace/values.ts";
import { command, set, type WorkState } from "./support/commands.ts";
import {
  electing,
  type ElectionOptions,
  history,
  leader,
  leaseKey,
  ledBy,
  plugin,
  record,
  said,
  second,
  untilRenewal,
  useElections,
} from "./support/elections.ts";

useElections();

/** Led by worker_0 right after a renewal, with a receiver that answers as late as told. */
function ledWith(make: string, delay: string, options: ElectionOptions = {}): MockEnvoy {
  const clusters = { collector: { status: 200, delay } };
  const envoy = ledBy("worker_0", { make, clusters, alsoCalls: [set], ...options });
  untilRenewal(envoy);
  return envoy;
}

function work(envoy: MockEnvoy, path: string): WorkState {
  return command(envoy, "worker_0", path) as WorkState;
}

/** When records were written that nobody leads, in seconds from an instant on. */
function releases(envoy: MockEnvoy, fromNs: number): number[] {
  return envoy.trace.flatMap(({ name, args, atNs }) =>
    name === set && readable(args["value"]).includes('"released"')
      ? [(atNs - fromNs) / second]
      : [],
  );
}

const stops = (envoy: MockEnvoy) => said(envoy, /^stopped/).map(({ text }) => text.split(" ")[2]);

describe("a release with work in flight", () => {
  it("R2: ends leadership at once, and lets the record go when the call is answered", () => {
    const envoy = ledWith("handover", "5s");
    const old = leader(envoy);
    const releasedNs = envoy.nowNs;
    command(envoy, "worker_0", "/send");

    const after = work(envoy, "/release");
    const left = record(envoy);
    envoy.advance("4900ms");
    const meanwhile = [history(envoy).length, record(envoy)["st"]];
    envoy.thread("worker_0").pause("4s");
    envoy.advance("4s");

    expect(after).toMatchObject({ leads: false, term: 0 });
    expect(stops(envoy)).toEqual(["released"]);
    expect(left).toMatchObject({ st: "held", vmID: old.id });
    expect(meanwhile).toEqual([1, "held"]);
    // The pause began while the answer was under way.
    expect(releases(envoy, releasedNs)).toEqual([8.9]);
    expect(envoy.sharedData().get(leaseKey)).toBeDefined();
  });

  it("R2: the next leader comes within P of the answer, and not before it", () => {
    const envoy = ledWith("handover", "5s");
    const releasedNs = envoy.nowNs;
    command(envoy, "worker_0", "/send");
    command(envoy, "worker_0", "/release");

    envoy.advance("9s");

    const heir = history(envoy)[1]!;
    expect(releases(envoy, releasedNs)).toEqual([5]);
    expect(heir.fromNs - releasedNs).toBeGreaterThanOrEqual(5 * second);
    expect(heir.fromNs - releasedNs).toBeLessThanOrEqual(8 * second);
  });

  it("R2: begun work may go on while it is waited for, with the term it was begun in", () => {
    const envoy = ledWith("handover", "3s");
    const { term } = leader(envoy);

    const releasedNs = envoy.nowNs;
    command(envoy, "worker_0", "/send-work");
    command(envoy, "worker_0", "/release");
    envoy.advance("3s");

    const cell = JSON.parse(envoy.sharedData().get("cell")!.text()) as { term: number };
    expect(said(envoy, /^answered/).map(({ text }) => text)).toEqual([
      "answered, may go on true, wrote 0",
    ]);
    expect(BigInt(cell.term)).toBe(term);
    expect(releases(envoy, releasedNs)).toEqual([3]);
  });

  it("R2: is let go at once when the work is ended, and twice ended is ended once", () => {
    const envoy = ledWith("begun", "1s");
    const releasedNs = envoy.nowNs;

    work(envoy, "/begin");
    const during = work(envoy, "/release");
    envoy.advance("1s");
    const after = work(envoy, "/end");
    work(envoy, "/end");

    expect(during).toMatchObject({ leads: false, mayGoOn: true });
    expect(during.workRemaining).toBeGreaterThan(13_000);
    expect(after).toMatchObject({ mayGoOn: false, workRemaining: 0 });
    expect(releases(envoy, releasedNs)).toEqual([1]);
  });

  it("R2: after its timeout the work is abandoned, with a warning, and the record let go", () => {
    const envoy = ledWith("handover-5s", "50s");
    const releasedNs = envoy.nowNs;
    work(envoy, "/begin");
    command(envoy, "worker_0", "/send");
    command(envoy, "worker_0", "/release");

    envoy.advance("4999ms");
    const before = work(envoy, "/state");
    envoy.advance("4s");
    const after = work(envoy, "/state");

    expect([before.mayGoOn, after.mayGoOn]).toEqual([true, false]);
    expect(releases(envoy, releasedNs)).toEqual([5]);
    expect(said(envoy, /handover with work in flight/).map(({ level }) => level)).toEqual(["warn"]);
    expect(history(envoy)[1]!.fromNs - releasedNs).toBeLessThanOrEqual(8 * second);
  });

  it("R2: without a timeout it waits for as long as the promise runs; then the record expires", () => {
    const envoy = ledWith("handover", "50s");
    const renewedNs = envoy.nowNs;
    const old = leader(envoy);
    work(envoy, "/begin");
    work(envoy, "/release");

    envoy.advance("14240ms");
    const before = work(envoy, "/state");
    envoy.advance("20ms");
    const after = work(envoy, "/state");
    envoy.advance("5s");

    expect([before.mayGoOn, after.mayGoOn]).toEqual([true, false]);
    expect(releases(envoy, renewedNs)).toEqual([]);
    const heir = history(envoy)[1]!;
    expect(heir.term! > old.term!).toBe(true);
    // Nobody, the old leader included, takes an expired record before its full lease.
    expect(heir.fromNs - renewedNs).toBeGreaterThan(15 * second);
    expect(heir.fromNs - renewedNs).toBeLessThanOrEqual(18 * second);
  });

  it("R2: a release without work, and one of a call that a stream made, wait for nothing", () => {
    const envoy = ledWith("handover", "5s");
    const releasedNs = envoy.nowNs;

    command(envoy, "worker_0", "/send");
    envoy.advance("5s");
    command(envoy, "worker_0", "/release");

    expect(releases(envoy, releasedNs)).toEqual([5]);
  });

  it("R2: work of an earlier leadership does not hold a later one up", () => {
    const envoy = electing({ make: "handover-5s", retry: -1, alsoCalls: [set] });
    work(envoy, "/pass");
    work(envoy, "/begin");
    work(envoy, "/release");
    envoy.advance("6s");
    work(envoy, "/pass");
    const releasedNs = envoy.nowNs;

    const after = work(envoy, "/release");

    expect(after.mayGoOn).toBe(false);
    expect(releases(envoy, releasedNs).filter((at) => at >= 0)).toEqual([0]);
  });
});

describe("a context that goes, with work in flight", () => {
  it.each([
    ["superseded, at its pass", "10m", "superseded"],
    ["done, while its VM lives on", "0s", "released"],
  ])("R4: %s, gives the record up when the call is answered", (_when, drain, end) => {
    const envoy = ledWith("handover", "5s", { drain });
    const atNs = envoy.nowNs;
    command(envoy, "worker_0", "/send");

    envoy.reconfigure(plugin, { lease: 15_000 });
    envoy.advance("15s");

    const [old, heir] = history(envoy);
    expect(old!.end).toBe(end);
    expect(releases(envoy, atNs)).toEqual([5]);
    expect(heir!.fromNs - atNs).toBeGreaterThanOrEqual(5 * second);
    expect(heir!.fromNs - atNs).toBeLessThanOrEqual(8 * second);
  });

  it("R4: done as the last of its VM, which the host then destroys, waits for nothing", () => {
    const envoy = ledWith("handover", "5s", { drain: "0s" });
    const atNs = envoy.nowNs;
    command(envoy, "worker_0", "/send");

    envoy.removeListener("default");
    envoy.advance("1s");

    expect(history(envoy).map(({ end }) => end)).toEqual(["released"]);
    expect(releases(envoy, atNs)).toEqual([0]);
  });

  it("R4: the last context of a VM takes one along that waits", () => {
    const envoy = ledWith("handover", "5s", { drain: "0s" });
    command(envoy, "worker_0", "/send");
    const atNs = envoy.nowNs;
    envoy.reconfigure(plugin, { lease: 15_000 });
    envoy.advance("1s");
    const waiting = releases(envoy, atNs);

    envoy.shutdown();

    expect(waiting).toEqual([]);
    expect(history(envoy).map(({ end }) => end)).toEqual(["released"]);
    expect(releases(envoy, atNs)).toEqual([1]);
  });
});
