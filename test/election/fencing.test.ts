/** Scenarios N1 to N9, N11 and N12: effects of a leader whose time is over are refused. */
import { describe, expect, it } from "vitest";
import type { CallRequest, MockEnvoy } from "../../host-mock/index.ts";
import {
  before,
  command,
  FencedOutcome,
  fencedSet,
  get,
  pass,
  set,
  stateOf,
  stopBefore,
} from "./support/commands.ts";
import {
  electing,
  history,
  latest,
  leader,
  leaseKey,
  record,
  said,
  second,
  termKey,
  useElections,
} from "./support/elections.ts";

useElections();

const sentinel = 0xfffffffe;

function cell(envoy: MockEnvoy): { term: number; by: string; data: unknown } | null {
  const found = envoy.sharedData().get("cell");
  return found === undefined
    ? null
    : (JSON.parse(found.text()) as { term: number; by: string; data: unknown });
}

describe("a fence cell", () => {
  it("N1: a leader that pauses between its check and its write is refused, and steps down", () => {
    const envoy = electing({ make: "fenced", lease: 5000, renew: 3000, retry: -1 });
    const old = pass(envoy, "worker_0");
    envoy.advance("2s");
    const written: unknown[] = [];
    stopBefore(envoy, { thread: "worker_0", call: get }, "3200ms", () => {
      pass(envoy, "worker_1");
      envoy.advance("800ms");
      written.push(fencedSet(envoy, "worker_1", '"of-B"'));
      envoy.thread("worker_0").pause("6s");
      envoy.advance("6s");
    });

    const late = fencedSet(envoy, "worker_0", '"of-A"');

    expect(envoy.nowNs).toBe(12 * second);
    expect([written, late]).toEqual([[FencedOutcome.Ok], FencedOutcome.Fenced]);
    expect(said(envoy, /^stopped/).map(({ thread, text }) => [thread, text])).toEqual([
      ["worker_0", "stopped fenced"],
    ]);
    const heir = latest(envoy);
    expect(heir.thread).toBe("worker_1");
    expect(cell(envoy)).toEqual({ term: Number(heir.term), by: heir.id, data: "of-B" });
    expect(heir.term! > BigInt(old.term)).toBe(true);
  });

  it.each([
    ["plain", "accepts the late writer while the new leader has written nothing", FencedOutcome.Ok],
    [
      "fenced",
      "refuses it when the new leader shows its term before it leads",
      FencedOutcome.Fenced,
    ],
  ] as const)("N2: a %s election %s", (make, _what, outcome) => {
    const envoy = electing({ make, retry: -1 });
    pass(envoy, "worker_0");
    const claim = (): void => void pass(envoy, "worker_1");
    stopBefore(envoy, { thread: "worker_0", call: get }, "16s", claim);

    const late = fencedSet(envoy, "worker_0", '"of-A"');

    expect(late).toBe(outcome);
    expect(leader(envoy).thread).toBe("worker_1");
  });

  // Each of the older two stops before the get or the set of its write while the younger ones write.
  it.each([
    [get, get],
    [get, set],
    [set, get],
    [set, set],
  ])(
    "N3: of three writers, the older ones stopped before %s and %s, the youngest's data stays",
    (one, two) => {
      const envoy = electing({ concurrency: 3, retry: -1 });
      const outcomes = new Map<string, unknown>();
      const write = (thread: string): void => {
        outcomes.set(thread, fencedSet(envoy, thread, `"${thread}"`));
      };
      pass(envoy, "worker_0");
      stopBefore(envoy, { thread: "worker_0", call: one }, "16s", () => {
        pass(envoy, "worker_1");
        stopBefore(envoy, { thread: "worker_1", call: two }, "16s", () => {
          pass(envoy, "worker_2");
          write("worker_2");
        });
        write("worker_1");
      });

      write("worker_0");

      const { Ok, Fenced } = FencedOutcome;
      expect([...outcomes]).toEqual([
        ["worker_2", Ok],
        ["worker_1", Fenced],
        ["worker_0", Fenced],
      ]);
      expect(cell(envoy)).toMatchObject({ term: Number(leader(envoy).term), data: "worker_2" });
    },
  );

  it("N4: a cell that is absent is created with the sentinel, so that two creators cannot overwrite each other", () => {
    const envoy = electing({ retry: -1, alsoCalls: [set] });
    pass(envoy, "worker_0");
    stopBefore(envoy, { thread: "worker_0", call: set }, "16s", () => {
      pass(envoy, "worker_1");
      fencedSet(envoy, "worker_1", "2");
    });

    const late = fencedSet(envoy, "worker_0", "1");

    const creations = envoy.trace.filter(
      ({ name, args }) =>
        name === set && new TextDecoder().decode(args["key"] as Uint8Array) === "cell",
    );
    expect(creations.map(({ thread, status, args }) => [thread, status, args["cas"]])).toEqual([
      ["worker_1", "Ok", sentinel],
      ["worker_0", "CasMismatch", sentinel],
    ]);
    expect(late).toBe(FencedOutcome.Fenced);
    expect(cell(envoy)).toMatchObject({ data: 2 });
  });

  it("N5: the same term from another holder is refused", () => {
    const envoy = electing({ retry: -1 });
    const { term } = pass(envoy, "worker_0");
    envoy.setSharedData({ key: "cell", value: `{"term":${term},"by":"other","data":"other's"}` });

    const refused = fencedSet(envoy, "worker_0", "1");

    expect(refused).toBe(FencedOutcome.Fenced);
    expect(cell(envoy)).toMatchObject({ by: "other", data: "other's" });
    expect(said(envoy, /^stopped/).map(({ text }) => text)).toEqual(["stopped fenced"]);
  });

  it("N6: the same term from the same holder is accepted again and again", () => {
    const envoy = electing({ make: "fenced", retry: -1 });
    const { term } = pass(envoy, "worker_0");

    const outcomes = [1, 2, 3].map((n) => fencedSet(envoy, "worker_0", String(n)));

    expect(outcomes).toEqual([0, 0, 0]);
    expect(cell(envoy)).toMatchObject({ term, data: 3 });
  });

  it("N7: eight lost races are busy, and end nothing", () => {
    const envoy = electing({ retry: -1, alsoCalls: [set] });
    pass(envoy, "worker_0");
    const count = envoy.trace.filter(({ name }) => name === set).length;
    envoy.thread("worker_0").refuse({ call: set, status: "CasMismatch", count: 8 });

    const busy = fencedSet(envoy, "worker_0", "1");

    expect(envoy.trace.filter(({ name }) => name === set).length - count).toBe(8);
    expect(busy).toBe(FencedOutcome.Busy);
    expect(stateOf(envoy, "worker_0").leads).toBe(true);
    expect(fencedSet(envoy, "worker_0", "1")).toBe(FencedOutcome.Ok);
  });
});

describe("a service", () => {
  it("N8: an answer that comes after the step-down has no effect, and is counted", () => {
    const clusters = { collector: { status: 200, delay: "2s" } };
    const envoy = electing({ retry: -1, clusters });
    const first = pass(envoy, "worker_0");
    command(envoy, "worker_0", "/send");
    envoy.advance("3s");
    command(envoy, "worker_0", "/send");
    envoy.advance("1s");
    command(envoy, "worker_0", "/release");

    envoy.advance("3s");

    expect(said(envoy, /^effect of/).map(({ text }) => text)).toEqual([`effect of ${first.term}`]);
    expect(said(envoy, /^dropped/).map(({ text }) => text)).toEqual([
      `dropped the answer to ${first.term}`,
    ]);
    expect(envoy.metrics()["stale_answers"]).toBe(1);
  });

  it("N9: a call carries the term of its dispatch, though it arrives under another leader", () => {
    const fence = { header: "x-leader-term", idHeader: "x-leader-id", refuse: 409 };
    const envoy = electing({ retry: -1, clusters: { collector: { status: 200, fence } } });
    const first = pass(envoy, "worker_0");
    envoy.thread("worker_0").delayCalls({ cluster: "collector", by: "10s", for: "1s" });
    command(envoy, "worker_0", "/send");
    command(envoy, "worker_0", "/release");
    const next = pass(envoy, "worker_1");
    command(envoy, "worker_1", "/send");

    envoy.advance("11s");

    const sent = envoy.calls.map(({ headers, answered }) => {
      const terms = headers
        .filter(([name]) => name === "x-leader-term")
        .map(([, term]) => Number(term));
      return [...terms, answered];
    });
    expect(sent).toEqual([
      [first.term, 409],
      [next.term, 200],
    ]);
    expect(envoy).toHaveNoStaleEffect({ cluster: "collector", header: "x-leader-term" });
  });
});

describe("terms", () => {
  it("N11: a number raised by a claim that was stopped and overtaken stays a gap", () => {
    const envoy = electing({ concurrency: 3, retry: -1, alsoCalls: [set] });
    before(envoy, { thread: "worker_0", call: set, nth: 2 }, () => {
      pass(envoy, "worker_1");
      envoy.thread("worker_1").crash();
      return undefined;
    });

    const late = pass(envoy, "worker_0");
    const burned = envoy.trace.find(({ name, thread }) => name === set && thread === "worker_0");
    const heldTerm = record(envoy)["term"];
    envoy.advance("15001ms");
    const heir = pass(envoy, "worker_2");

    expect(late.leads).toBe(false);
    const number = Number(new TextDecoder().decode(burned?.args["value"] as Uint8Array));
    expect(heldTerm).toBe(number + 1);
    expect(heir.term).toBeGreaterThan(number + 1);
    expect(history(envoy).map(({ term }) => Number(term))).not.toContain(number);
    expect(envoy.sharedData().get(leaseKey)?.text()).toContain(heir.id);
    expect(envoy.sharedData().get(termKey)?.text()).toBe(String(heir.term));
  });

  it("N12: after a restart of the process terms go on above those a service has seen", () => {
    let highest = 0;
    const collector = (call: CallRequest) => {
      const term = Number(call.header("x-leader-term"));
      if (term <= highest) return { status: 409 };
      highest = term;
      return { status: 200 };
    };
    const options = { retry: -1, clusters: { collector } };
    const first = electing(options);
    const old = pass(first, "worker_0");
    command(first, "worker_0", "/send");
    first.advance("10s");
    first.shutdown();

    const restarted = electing({ ...options, start: "2026-01-01T00:00:11Z", seed: 2 });
    const fresh = pass(restarted, "worker_0");
    command(restarted, "worker_0", "/send");
    restarted.advance("1s");

    expect(restarted.calls.map(({ answered }) => answered)).toEqual([200]);
    expect(fresh.term).toBeGreaterThan(old.term);
    expect(highest).toBe(fresh.term);
  });
});
