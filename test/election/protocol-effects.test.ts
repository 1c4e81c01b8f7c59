/** What the leaders of test/guests/protocols do, the writers of a fence cell, and the published elector's makes. */
import { describe, expect, it } from "vitest";
import { MockEnvoy } from "../../host-mock/index.ts";
import { readable } from "../../host-mock/trace/values.ts";
import { set, stopBefore } from "./support/commands.ts";
import { history, leader, periodMs, wasmGoKey } from "./support/elections.ts";
import {
  cellWriter,
  electing,
  publishedElector,
  still,
  tick,
  useProtocols,
} from "./support/protocol-runs.ts";

useProtocols();

/** Terms of the claims in the order in which they were made, effects among them. */
function claimedTerms(envoy: MockEnvoy): number[] {
  return envoy.logs.flatMap(({ message }) => {
    const term = /election claim term=(\d+)/.exec(readable(message))?.[1];
    return term === undefined ? [] : [Number(term)];
  });
}

describe("work", () => {
  const clusters = {
    collector: {
      status: 204,
      fence: { header: "x-leader-term", idHeader: "x-leader-id", refuse: 409 },
    },
  };

  it("calls the collector in each pass as leader, with term and id", () => {
    const envoy = electing("P7 work=call", { clusters });

    envoy.advance("10s");

    const { term, id } = leader(envoy);
    expect(envoy.calls).toHaveLength(3);
    for (const { cluster, path, status, headers } of envoy.calls) {
      expect({ cluster, path, status }).toEqual({
        cluster: "collector",
        path: "/effect",
        status: 204,
      });
      expect(Object.fromEntries(headers)).toMatchObject({
        "x-leader-term": String(term),
        "x-leader-id": id,
      });
    }
  });

  it.each([
    ["none", 2, { by: "worker_0", terms: [16, 32, 33, 17] }],
    ["lazy", 2, { by: "worker_1", terms: [16, 32, 33] }],
    ["eager", 3, { by: "worker_1", terms: [16, 32, 33] }],
  ])("fence=%s: a write is held up past the next leader's", (fence, nth, { by, terms }) => {
    const envoy = still(`P5-boot work=cell fence=${fence}`);
    stopBefore(envoy, { thread: "worker_0", call: set, nth }, "16s", () => {
      tick(envoy, "worker_1");
    });

    tick(envoy, "worker_0");

    const cell = JSON.parse(envoy.sharedData().get("cell")?.text() ?? "") as { by: string };
    const writer = history(envoy).find(({ id }) => id === cell.by);
    expect(writer?.thread).toBe(by);
    expect(claimedTerms(envoy)).toEqual(terms);
  });
});

describe("two writers of a cell", () => {
  /** The older's write is held up before this call of its until the newer one has written. */
  function written(how: string, older: number, newer: number): MockEnvoy {
    const plugins = [
      cellWriter("older", `${how} term=${older}`),
      cellWriter("newer", `${how} term=${newer}`),
    ];
    const envoy = new MockEnvoy({ plugins }).start();
    envoy.at("1s", () => {
      const main = envoy.thread("main");
      main.interpose({ call: set, run: () => void main.tick("newer") });
      main.tick("older");
    });
    envoy.advance("1s");
    return envoy;
  }
  const terms = (envoy: MockEnvoy) =>
    ["older", "newer"].flatMap((name) => history(envoy, name).map(({ term }) => Number(term)));

  it.each([
    ["right", 1, 2, [33]],
    ["right", 1, 1, [17]],
    ["absent", 1, 2, [17, 33]],
    ["blind", 1, 2, [17, 33]],
    ["unchecked", 1, 2, [17, 33]],
    ["ties", 1, 1, [17, 17]],
  ])("%s, terms %i and %i: %j are accepted", (how, older, newer, accepted) => {
    expect(terms(written(how, older, newer))).toEqual(accepted);
  });
});

describe("the published elector", () => {
  it.each(["plain", "reporting", "fenced"])("elects one, in the make %s", (make) => {
    const envoy = publishedElector(make);
    envoy.advance("10s");
    const first = leader(envoy);

    envoy.thread(first.thread).crash();
    envoy.advance("18s");

    expect(leader(envoy).thread).not.toBe(first.thread);
    expect(history(envoy)).toHaveSingleWinner();
    expect(history(envoy)).toHaveGrowingTerms();
    expect(envoy.sharedData().has("cell")).toBe(make === "fenced");
    const reporters = new Set(envoy.calls.map(({ thread }) => thread));
    expect([...reporters]).toEqual(
      make === "reporting" ? [first.thread, leader(envoy).thread] : [],
    );
  });

  it("hands over in the tick that its configuration names", () => {
    const envoy = publishedElector("releasing", { release: 3 });

    envoy.advance("20s");

    expect(history(envoy)[0]?.end).toBe("released");
    expect(history(envoy)).toHaveSingleWinner();
  });

  it("writes wasm-go's key, with its lease", () => {
    const envoy = publishedElector("wasm-go");

    envoy.advance("10s");

    const { fromNs } = leader(envoy);
    expect(fromNs).toBeLessThanOrEqual(periodMs * 1e6);
    expect(envoy.sharedData().get(wasmGoKey)?.text()).toContain('"ttl":60000');
  });
});
