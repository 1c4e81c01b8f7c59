/** Scenarios W1 to W5: shared data is lost. */
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import { before, command, pass, set, stateOf } from "./support/commands.ts";
import {
  electing,
  type ElectionOptions,
  history,
  leader,
  leaseKey,
  ledBy,
  monoMs,
  plugin,
  record,
  said,
  second,
  termKey,
  untilRenewal,
  useElections,
} from "./support/elections.ts";

useElections();

const fence = { header: "x-leader-term", idHeader: "x-leader-id", refuse: 409 };
const clusters = { collector: { status: 200, fence } };

/**
 * Both see a released record. B is stopped right before it writes; A claims, the map is lost, and B's writes, which are
 * conditional on versions that are gone, create.
 */
function claimedTwice(options: ElectionOptions & { readonly isJudged?: boolean }): MockEnvoy {
  const envoy = electing({ retry: -1, clusters, ...options });
  const released = { vmID: "", timestamp: 0, st: "released", term: 7, mono: monoMs(envoy) };
  envoy.setSharedData({ key: leaseKey, value: JSON.stringify(released) });
  before(envoy, { thread: "worker_1", call: set }, () => {
    pass(envoy, "worker_0");
    envoy.wipe();
    return undefined;
  });
  pass(envoy, "worker_1");
  return envoy;
}

describe("a wipe under a leader", () => {
  it("W1: the leader creates its record anew at its next pass, with a new term; who knew it waits", () => {
    const envoy = electing({ retry: -1 });
    const old = pass(envoy, "worker_0");
    pass(envoy, "worker_1");

    envoy.wipe();
    const follower = pass(envoy, "worker_1");
    const again = pass(envoy, "worker_0");

    expect(follower.leads).toBe(false);
    expect(again.leads).toBe(true);
    expect(again.term).toBeGreaterThan(old.term);
    expect(said(envoy, /^stopped/).map(({ text }) => text)).toEqual(["stopped vanished"]);
    expect(record(envoy)).toMatchObject({ vmID: old.id, st: "held" });
  });

  it("W1: a VM that never read its record leads at once, beside it", () => {
    const envoy = electing({ retry: -1, isJudged: false });
    pass(envoy, "worker_0");

    envoy.wipe();
    const fresh = pass(envoy, "worker_1");
    envoy.advance("1s");

    expect([fresh.leads, stateOf(envoy, "worker_0").leads]).toEqual([true, true]);
    expect(history(envoy)).not.toHaveSingleWinner();
  });

  it("W2: two claims of one version both succeed when it is lost between; a fence refuses the second", () => {
    const envoy = claimedTwice({ isJudged: false });
    const both = ["worker_0", "worker_1"].map((thread) => stateOf(envoy, thread));

    command(envoy, "worker_0", "/send");
    command(envoy, "worker_1", "/send");
    envoy.advance("1s");

    expect(both.map(({ leads }) => leads)).toEqual([true, true]);
    expect(both[1]!.term).toBe(both[0]!.term);
    expect(history(envoy)).not.toHaveSingleWinner();
    expect(envoy.calls.map(({ answered }) => answered)).toEqual([200, 409]);
  });

  it("W4: a lost term key does not make terms smaller", () => {
    const envoy = electing({ retry: -1 });
    const old = pass(envoy, "worker_0");
    envoy.setSharedData({ key: termKey, value: "" });
    envoy.shiftWallClock("-1h");

    command(envoy, "worker_0", "/release");
    const heir = pass(envoy, "worker_1");

    expect(heir.term).toBe(old.term + 1);
    expect(envoy.sharedData().get(termKey)?.text()).toBe(String(heir.term));
  });

  it("W5: a wipe and then a new configuration: somebody leads within P", () => {
    const envoy = ledBy("worker_0", { drain: "0s" });
    untilRenewal(envoy);
    const old = leader(envoy);

    envoy.wipe();
    envoy.reconfigure(plugin, { lease: 15_000 });
    const atNs = envoy.nowNs;
    envoy.advance("10s");

    const [, heir] = history(envoy);
    expect(heir!.fromNs - atNs).toBeLessThanOrEqual(3 * second);
    expect(heir!.term! > old.term!).toBe(true);
  });

  it("W5: with wasm-go's key the new configuration makes both keys again", () => {
    const envoy = electing({ make: "wasm-go", retry: -1, drain: "0s", needsLeader: false });

    envoy.wipe();
    envoy.reconfigure(plugin, { retry: -1, lease: 60_000 });

    expect([...envoy.sharedData().keys()]).toEqual([
      "higress_wasm_vm_lease:",
      "higress_wasm_vm_lease::term",
    ]);
  });
});

describe("a wipe with candidates on probation", () => {
  it("W3: of two claims of one version one is given up, and the other leads after its probation", () => {
    const envoy = claimedTwice({ make: "probation" });
    const claimedNs = envoy.nowNs;

    for (let i = 0; i < 8; i++) {
      for (const thread of ["worker_0", "worker_1"]) pass(envoy, thread);
      envoy.advance("3s");
    }

    expect(history(envoy).map(({ thread }) => thread)).toEqual(["worker_1"]);
    expect(leader(envoy).fromNs - claimedNs).toBeGreaterThan(15 * second);
    expect(leader(envoy).fromNs - claimedNs).toBeLessThanOrEqual(18 * second);
  });

  it("W3: a VM that never read the leader's record leads only when that one has stopped", () => {
    const envoy = electing({ make: "probation" });
    for (const { name } of envoy.threads) if (name !== "worker_0") envoy.thread(name).pause("21s");
    envoy.advance("21s");
    untilRenewal(envoy);
    const atNs = envoy.nowNs;

    envoy.thread("worker_1").restart();
    envoy.wipe();
    pass(envoy, "worker_1");
    envoy.thread("worker_0").pause("30s");
    envoy.advance("30s");

    const [old, heir] = history(envoy);
    expect([old!.thread, heir!.thread]).toEqual(["worker_0", "worker_1"]);
    // The old promise runs for another 14.25 s.
    expect(heir!.fromNs - atNs).toBeGreaterThan(15 * second);
    expect(heir!.fromNs - atNs).toBeLessThanOrEqual(18 * second);
  });
});
