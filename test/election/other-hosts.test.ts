/** Scenario S7, and what else the SDK's elector and wasm-go's recipe do over the shared data of other hosts. */
import { describe, expect, it } from "vitest";
import { before, pass, set, stateOf } from "./support/commands.ts";
import {
  electing,
  go,
  history,
  leader,
  leaseKey,
  leaseMs,
  monoMs,
  plugin,
  record,
  running,
  said,
  second,
  startUnixMs,
  termKey,
  until,
  useElections,
} from "./support/elections.ts";
import { profiles, type MockEnvoy } from "../../host-mock/index.ts";

useElections();

/** Hosts on which a key can be created safely. */
const safe = profiles.map(({ name }) => name).filter((name) => name !== "java");
/** Where only 0 creates: the elector asks by a key of its own. */
const zeroCreates = ["nginx", "strict"];

function keys(envoy: MockEnvoy): string[] {
  return [...envoy.sharedData().keys()].sort();
}

function complaints(envoy: MockEnvoy): string[] {
  return envoy.logs
    .filter(({ level }) => !["debug", "info"].includes(level))
    .map(({ vm, level }) => `${vm} ${level}`);
}

describe("one candidate on other hosts", () => {
  it.each(safe)(
    "S7: a lone candidate leads with the record and the term key it has on Envoy: %s",
    (profile) => {
      const envoy = electing({ profile, kind: "singleton" });

      until(envoy, () => envoy.election(plugin).leader !== null, "1ms");

      const { term, id, fromNs } = leader(envoy);
      // A second pass is needed where the first finds out how to create.
      const passes = zeroCreates.includes(profile) ? 2 : 1;
      expect(fromNs).toBeLessThanOrEqual(passes * 3 * second);
      expect(record(envoy)).toEqual({
        vmID: id,
        timestamp: Math.floor((startUnixMs + fromNs / 1e6) / 1000),
        st: "held",
        term: Number(term),
        mono: monoMs(envoy),
        ttl: leaseMs,
      });
      expect(envoy.sharedData().get(termKey)?.text()).toBe(String(term));
      const probe = zeroCreates.includes(profile) ? [`${leaseKey}:probe`] : [];
      expect(keys(envoy)).toEqual([leaseKey, ...probe, termKey].sort());
    },
  );
});

describe("eight candidates on other hosts", () => {
  it.each(safe.flatMap((profile) => [1, 2, 3].map((seed) => [profile, seed] as const)))(
    "S7: eight candidates that tick at one instant elect exactly one: %s, seed %i",
    (profile, seed) => {
      const envoy = electing({ profile, concurrency: 7, seed });
      for (const thread of envoy.threads) thread.pause("4s");

      envoy.advance("4s");
      if (zeroCreates.includes(profile)) envoy.advance("3s");

      expect(history(envoy)).toHaveLength(1);
      expect(complaints(envoy)).toEqual([]);
    },
  );

  it.each(safe)("the leader's death is survived: %s", (profile) => {
    const envoy = electing({ profile, concurrency: 3 });
    envoy.advance("10s");
    envoy.thread(leader(envoy).thread).crash();

    envoy.advance("18s");

    expect(history(envoy)).toHaveLength(2);
    expect(leader(envoy).end).toBe("running");
  });
});

describe("a host on which nothing can be created safely", () => {
  it("java: each VM says so once, at error level, and nobody ever leads", () => {
    const envoy = electing({ profile: "java", concurrency: 3, needsLeader: false });

    envoy.advance("10m");

    expect(history(envoy)).toEqual([]);
    expect(complaints(envoy).sort()).toEqual(
      envoy.threads.map(({ name }) => `${name}#1 error`).sort(),
    );
    expect(said(envoy, /no safe way to create a key: this VM never leads/)).toHaveLength(4);
  });
});

describe("a key that nginx evicts", () => {
  it("is made anew by its leader at its next pass, under a new term; nobody leads beside it", () => {
    const envoy = electing({ profile: "nginx", concurrency: 3 });
    envoy.advance("20s");
    const first = leader(envoy);

    envoy.evict({ key: leaseKey });
    envoy.advance("30s");

    const [one, two, ...more] = history(envoy);
    expect([one!.end, two!.vm, more]).toEqual(["vanished", first.vm, []]);
    expect(two!.term!).toBeGreaterThan(first.term!);
  });

  it("is the term: the next term still grows", () => {
    const envoy = electing({ profile: "nginx", concurrency: 3 });
    envoy.advance("20s");
    const first = leader(envoy);

    envoy.evict({ key: termKey });
    envoy.thread(first.thread).crash();
    envoy.advance("20s");

    expect(leader(envoy).term!).toBeGreaterThan(first.term!);
  });
});

describe("wasm-go's recipe on other hosts", () => {
  it.each([
    ["envoy", true],
    ["higress", true],
    ["nginx", false],
    ["proxytest", false],
    ["mosn", false],
    ["java", true],
    ["strict", false],
  ])("of two VMs that both find no record both lead: %s %s", (profile, bothLead) => {
    const envoy = running([go(plugin)], { concurrency: 2, profile, isJudged: false }).start();
    before(envoy, { thread: "worker_0", call: set }, () => void pass(envoy, "worker_1"));

    pass(envoy, "worker_0");
    envoy.advance("50ms");

    expect(stateOf(envoy, "worker_1").leads).toBe(true);
    expect(stateOf(envoy, "worker_0").leads).toBe(bothLead);
    if (bothLead) {
      expect(history(envoy)).not.toHaveSingleWinner();
      expect(envoy).not.toHaveNoForeignWrite();
    } else {
      expect(history(envoy)).toHaveSingleWinner();
      expect(envoy).toHaveNoForeignWrite();
    }
  });
});
