/** Faults in the middle of a pass: what is between a candidate's get and its set. */
import { describe, expect, it } from "vitest";
import { applyFault } from "../../host-mock/index.ts";
import {
  electing,
  go,
  history,
  leader,
  leaseKey,
  ours,
  plugin,
  running,
  second,
  useElections,
} from "./support/elections.ts";

useElections();

const set = "proxy_set_shared_data";
const pausePoints = [set];

describe("a pause between get and set", () => {
  it("of wasm-go's cold start makes two leaders: the late set overwrites, whoever has written meanwhile", () => {
    const envoy = running([go(plugin)], { pausePoints }).start();
    applyFault(envoy, { do: "pause", thread: "worker_0", before: set, for: "1s" });
    applyFault(envoy, { do: "pause", thread: "main", before: set, for: "2s" });

    envoy.advance("5s");

    expect(history(envoy).map(({ thread }) => thread)).toEqual(["worker_0", "main"]);
    expect(history(envoy)).not.toHaveSingleWinner();
  });

  it.each([1, 2])(
    "of ours (before its set %i) makes one: the late set meets the sentinel or a newer version",
    (nth) => {
      const envoy = electing({ pausePoints, concurrency: 1, alsoCalls: [set] });
      applyFault(envoy, { do: "pause", thread: "main", before: set, nth, for: "20s" });
      applyFault(envoy, { do: "pause", thread: "worker_0", for: "4s" });

      envoy.advance("30s");

      expect(history(envoy).map(({ thread }) => thread)).toEqual(["worker_0"]);
      const late = envoy.trace.filter(({ name, thread }) => name === set && thread === "main");
      expect(late.at(-1)).toMatchObject({ status: "CasMismatch" });
    },
  );

  it("of three candidates at once, that go on in another order than they came, makes one", () => {
    const envoy = electing({ pausePoints, concurrency: 2 });
    const spans = { main: "9s", worker_0: "3s", worker_1: "6s" };
    for (const [thread, span] of Object.entries(spans))
      applyFault(envoy, { do: "pause", thread, before: set, nth: 2, for: span });

    envoy.advance("60s");

    expect(history(envoy)).toHaveLength(1);
  });

  it("of a leader's renewal, longer than its lease: the next one has led since, and it stops", () => {
    const envoy = electing({ pausePoints, concurrency: 1 });
    envoy.advance("5s");
    const first = leader(envoy);
    applyFault(envoy, { do: "pause", leader_of: plugin, before: set, for: "40s" });

    envoy.advance("60s");

    const [one, other] = history(envoy);
    expect(history(envoy)).toHaveLength(2);
    expect(one!.vm).toBe(first.vm);
    expect(one!.untilNs).toBeLessThanOrEqual(other!.fromNs);
    expect(other!.thread).not.toBe(first.thread);
  });
});

describe("a crash before a set", () => {
  it("of the claim leaves nothing behind: the other one leads at its next pass", () => {
    const envoy = electing({ concurrency: 1 });
    applyFault(envoy, { do: "pause", thread: "worker_0", for: "4s" });
    applyFault(envoy, { do: "crash", thread: "main", before: set, nth: 2 });

    envoy.advance("5s");

    expect(envoy.thread("main").alive).toBe(false);
    expect(history(envoy)).toMatchObject([{ thread: "worker_0", fromNs: 4 * second }]);
  });

  it("of the renewal: the lease runs out, then the other one leads", () => {
    const envoy = electing({ concurrency: 1 });
    envoy.advance("5s");
    const first = leader(envoy);
    applyFault(envoy, { do: "crash", leader_of: plugin, before: set });

    envoy.advance("25s");

    const [one, other] = history(envoy);
    expect(one).toMatchObject({ vm: first.vm, end: "crashed" });
    expect(other!.fromNs - one!.untilNs).toBeLessThanOrEqual(18 * second);
  });
});

describe("other faults in a pass", () => {
  it("a storm of writers: a set of the lease does not take while it lasts, then the leader goes on", () => {
    const envoy = electing({ concurrency: 1, alsoCalls: [set] });
    envoy.advance("5s");
    const first = leader(envoy);

    applyFault(envoy, { do: "cas_storm", leader_of: plugin, key: leaseKey, count: 2 });
    envoy.advance("20s");

    const answers = envoy.trace
      .filter(({ name, vm, atNs }) => name === set && vm === first.vm && atNs > 5 * second)
      .map(({ status }) => status);
    expect(answers[0]).toBe("CasMismatch");
    expect(answers.at(-1)).toBe("Ok");
    expect(leader(envoy).vm).toBe(first.vm);
  });

  it("a reconfigure right before the claim's set: new contexts stand for election, and one leads", () => {
    const envoy = electing({ concurrency: 1, drain: "10s" });
    const configuration = { lease: 9000 };
    applyFault(envoy, {
      do: "reconfigure",
      plugin,
      configuration,
      thread: "worker_0",
      before: set,
      nth: 2,
    });

    envoy.advance("60s");

    expect(leader(envoy).context).toBeGreaterThan(1);
  });

  it("a gift without memory in the middle of passes costs passes, and no second leader", () => {
    const envoy = running([ours(plugin)], { concurrency: 2 });
    for (let at = 5; at < 60; at += 5)
      envoy.at(
        `${at}s`,
        () => void applyFault(envoy, { do: "fail_allocation", leader_of: plugin }),
      );

    envoy.advance("70s");

    expect(history(envoy).length).toBeGreaterThan(0);
  });
});
