import { beforeAll, describe, expect, it } from "vitest";
import {
  candidateBytes,
  GUARD_MS,
  KEY,
  LEASE_MS,
  Outcome,
  PERIOD_MS,
  record,
  world,
} from "../support/candidates.ts";
import type { Candidate } from "../support/candidates.ts";
import { Status } from "../support/fake-host.ts";

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  bytes = await candidateBytes();
});

const write = (candidate: Candidate, value: number): number =>
  candidate.vm.call("fencedSet", 1, value);

/** Once, after the candidate has seen that it leads and before it has read the cell. */
function whileReading(candidate: Candidate, happens: () => void): void {
  candidate.vm.before = (call) => {
    if (call.name !== "proxy_get_shared_data" || call.about !== "cell-a") return undefined;
    candidate.vm.before = undefined;
    happens();
    return undefined;
  };
}

describe("a fence cell", () => {
  it("N1: refuses the leader that woke up too late, and ends its leadership", () => {
    const { join, store, clocks } = world(bytes);
    const configuration = '{"timing":{"LeaseDuration":5000,"RetryPeriod":-1}}';
    const [a, b] = [join("fenced", { configuration }), join("fenced", { configuration })];
    a.pass();
    const written: number[] = [];
    whileReading(a, () => {
      clocks.advance(5_200);
      written.push(write(b.pass(), 8));
      clocks.advance(6_800);
    });

    const refused = write(a, 7);

    expect([...written, refused]).toEqual([Outcome.Ok, Outcome.Fenced]);
    expect(a.starts.at(-1)).toBe("stopped fenced");
    expect(JSON.parse(store.text("cell-a")!)).toMatchObject({ term: record(store).term, data: 8 });
  });

  it("N2: accepts the late writer when the new leader has not touched it yet", () => {
    const { join, clocks } = world(bytes);
    const [a, b] = [join().pass(), join()];
    whileReading(a, () => {
      clocks.advance(LEASE_MS + 1);
      b.pass();
    });

    expect(write(a, 7)).toBe(Outcome.Ok);
    expect(b.leads()).toBe(true);
  });

  it("N2: refuses it when the new leader touches before it leads, though it has written nothing", () => {
    const { join, clocks, store } = world(bytes);
    const [a, b] = [join("fenced").pass(), join("fenced")];
    whileReading(a, () => {
      clocks.advance(LEASE_MS + 1);
      b.pass();
    });

    expect(write(a, 7)).toBe(Outcome.Fenced);
    expect(JSON.parse(store.text("cell-a")!)).toMatchObject({ term: Number(b.term()), data: null });
    expect(store.text("cell-b")).toBe(store.text("cell-a"));
  });

  it("N4: is created by the first write, with the sentinel", () => {
    const { join, store } = world(bytes);
    const a = join().pass();

    expect(write(a, 1)).toBe(Outcome.Ok);
    expect(JSON.parse(store.text("cell-a")!).data).toBe(1);
  });

  it("N3, N4: a cell that another creates in between is not overwritten by an older term", () => {
    const { join, store } = world(bytes);
    const a = join().pass();
    a.vm.before = (call) => {
      if (call.name === "proxy_set_shared_data")
        store.put("cell-a", '{"term":1900000000000,"by":"b","data":2}');
      return undefined;
    };

    expect(write(a, 1)).toBe(Outcome.Fenced);
    expect(JSON.parse(store.text("cell-a")!).data).toBe(2);
  });

  it("N5: refuses the same term from another holder", () => {
    const { join, store } = world(bytes);
    const a = join().pass();
    store.put("cell-a", `{"term":${a.term()},"by":"other","data":2}`);

    expect(write(a, 1)).toBe(Outcome.Fenced);
  });

  it("N6: accepts the same term from the same holder again", () => {
    const { join, store } = world(bytes);
    const a = join().pass();

    expect([write(a, 1), write(a, 2)]).toEqual([Outcome.Ok, Outcome.Ok]);
    expect(JSON.parse(store.text("cell-a")!).data).toBe(2);
  });

  it("N7: is busy after eight lost races, which ends nothing", () => {
    const { join } = world(bytes);
    const a = join().pass();
    a.sets();
    a.vm.before = (call) =>
      call.name === "proxy_set_shared_data" ? Status.CasMismatch : undefined;

    expect(write(a, 1)).toBe(Outcome.Busy);
    expect(a.sets()).toHaveLength(8);
    expect(a.leads()).toBe(true);
  });

  it("is not written by a context that does not lead, nor with data that is no JSON", () => {
    const { join } = world(bytes);
    const [a, b] = [join().pass(), join().pass()];

    expect(write(b, 1)).toBe(Outcome.NotLeader);
    expect(a.vm.call("fencedSetText", 1)).toBe(Outcome.BadData);
  });

  it.each([
    ["in which its promise ends", 0, Outcome.NotLeader],
    ["before it", 1, Outcome.Ok],
  ])(
    "is written with a term up to the instant %s, though no pass has noticed",
    (_at, ms, outcome) => {
      const { join, clocks, store } = world(bytes);
      const a = join().pass();
      const term = a.term();
      clocks.advance(LEASE_MS - GUARD_MS - ms);

      expect(write(a, 1)).toBe(outcome);
      expect(a.term()).toBe(outcome === Outcome.Ok ? term : 0n);
      expect(store.get("cell-a") !== undefined).toBe(outcome === Outcome.Ok);
      expect(a.starts).toHaveLength(1);
    },
  );

  it("says what the host said when that refuses", () => {
    const { join } = world(bytes);
    const a = join().pass();
    a.vm.before = (call) =>
      call.name === "proxy_get_shared_data" ? Status.InternalFailure : undefined;

    expect(write(a, 1)).toBe(Outcome.Error);
  });

  it.each([
    "garbage",
    "",
    "[0]",
    '{"term":-4,"by":"x","data":1}',
    '{"term":9007199254740993,"by":"x"}',
    '{"term":4503599627370496,"by":"x"}',
    '{"term":2082758400001,"by":"x"}',
  ])("counts %j as term 0, and is repaired by the next write", (text) => {
    const { join, store } = world(bytes);
    const a = join().pass();
    store.put("cell-a", text);

    expect(write(a, 1)).toBe(Outcome.Ok);
    expect(JSON.parse(store.text("cell-a")!)).toMatchObject({ term: Number(a.term()), data: 1 });
  });

  it("is read by anybody: term, holder and data, or that there is none", () => {
    const { join, store } = world(bytes);
    const a = join();
    const missing = a.vm.call("fencedGet", 1);
    store.put("cell-a", '{"term":7,"by":"x","data":{"n":[1, 2]}}');

    expect(missing).toBe(Outcome.Missing);
    expect(a.vm.call("fencedGet", 1)).toBe(Outcome.Ok);
    expect(a.vm.lines.at(-1)).toBe('cell 7 x {"n":[1, 2]}');
  });
});

describe("a new leader", () => {
  it("does not lead when a fence has met a higher term, and claims above it at its next pass", () => {
    const { join, store, clocks } = world(bytes);
    const a = join("fenced");
    store.put("cell-b", '{"term":1900000000000,"by":"x","data":"kept"}');
    a.pass();
    const refused = [a.leads(), a.starts.length, a.vm.witness.length];
    clocks.advance(PERIOD_MS);

    expect(refused).toEqual([false, 0, 0]);
    expect(a.pass().leads()).toBe(true);
    expect(a.term()).toBe(1_900_000_000_001n);
    expect(JSON.parse(store.text("cell-b")!).data).toBe("kept");
  });

  it.each([0, 4_503_599_627_370_496, 2_082_758_400_001])(
    "keeps the data of a cell whose term is %d, which counts as none",
    (term) => {
      const { join, store } = world(bytes);
      store.put("cell-a", `{"term":${term},"by":"","data":{"sum":7}}`);
      const a = join("fenced").pass();

      expect(a.leads()).toBe(true);
      expect(JSON.parse(store.text("cell-a")!)).toMatchObject({
        term: Number(a.term()),
        data: { sum: 7 },
      });
    },
  );

  it("touches its fences between its record and the report", () => {
    const { join } = world(bytes);
    const a = join("fenced");
    a.sets();

    a.pass();

    expect(a.sets()).toEqual([`${KEY}:term`, KEY, "cell-a", "cell-b"]);
  });
});
