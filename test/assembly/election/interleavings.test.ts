/**
 * Random runs of three candidates. Before every host call of a pass time may go on, far beyond the
 * lease, and another candidate may make a whole pass, within which the same may happen again.
 */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { candidateBytes, featuredBytes, KEY, LEASE_MS, world } from "../support/candidates.ts";
import type { Candidate, World } from "../support/candidates.ts";
import { Status } from "../support/fake-host.ts";
import type { Rules } from "../support/shared-store.ts";

let bytes: Uint8Array<ArrayBuffer>;
let collecting: Uint8Array<ArrayBuffer>;
let featured: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  featured = await featuredBytes();
  bytes = await candidateBytes();
  collecting = await candidateBytes(["--transform", "./test/support/collect-always.js"]);
});

interface Leading {
  readonly term: bigint;
  readonly untilNs: bigint;
}

/** What the witness lines say, read as they come. */
class Judge {
  readonly terms: bigint[] = [];
  readonly #leading = new Map<Candidate, Leading>();
  readonly #read = new Map<Candidate, number>();

  constructor(
    readonly world: World,
    readonly candidates: readonly Candidate[],
  ) {}

  look(): void {
    for (const candidate of this.candidates) this.#readOf(candidate);
    const now = this.world.clocks.seenNs;
    const valid = [...this.#leading.values()].filter((leading) => leading.untilNs > now);
    expect(valid.length, "valid leaders at once").toBeLessThan(2);
  }

  #readOf(candidate: Candidate): void {
    const lines = candidate.vm.witness;
    for (const line of lines.slice(this.#read.get(candidate) ?? 0)) {
      const [, event, term, until] = /election (\w+) term=(\d+) at_ns=\d+ (?:until_ns=(\d+))?/.exec(
        line,
      )!;
      if (event === "stop") this.#leading.delete(candidate);
      else this.#leading.set(candidate, { term: BigInt(term!), untilNs: BigInt(until!) });
      if (event === "claim") this.terms.push(BigInt(term!));
    }
    this.#read.set(candidate, lines.length);
  }
}

interface Faults {
  readonly rules?: Rules;
  readonly hasMonotonic?: boolean;
  readonly make?: string;
  readonly spoils?: boolean;
  /** How often shared data may be lost in a run. */
  readonly wipes?: number;
  /** A candidate of `featured-candidate`, whose configuration must say that it does not tick. */
  readonly isFeatured?: boolean;
  /** The collector runs to its end at every allocation: what is not rooted is lost at once. */
  readonly collects?: boolean;
}

/** Plays one run; every choice comes from `choose`, so a failing run shrinks. */
function play(
  choose: (below: number) => number,
  steps: number,
  faults: Faults,
): { judge: Judge; all: Candidate[] } {
  const guest = faults.isFeatured === true ? featured : bytes;
  const here = world(faults.collects === true ? collecting : guest, faults.rules ?? "envoy");
  here.clocks.hasMonotonic = faults.hasMonotonic ?? true;
  const configuration = faults.isFeatured === true ? '{"retry":-1}' : "";
  const all = [1, 2, 3].map(() => here.join(faults.make ?? "fenced", { configuration }));
  let wipes = faults.wipes ?? 0;
  const judge = new Judge(here, all);
  const busy = new Set<Candidate>();
  const run = (candidate: Candidate): void => {
    if (busy.has(candidate)) return;
    busy.add(candidate);
    if (choose(20) === 0) candidate.release();
    else candidate.pass();
    busy.delete(candidate);
    judge.look();
  };
  const before = (): number | undefined => {
    const choice = choose(40);
    if (choice < 4) here.clocks.advance([1, 750, LEASE_MS, 3 * LEASE_MS][choice]!);
    else if (choice < 10) run(all[choose(3)]!);
    else if (choice === 10) return Status.InternalFailure;
    else if (choice === 11 && faults.spoils === true)
      here.store.put(KEY, ["", "garbage", "{}"][choose(3)]!);
    else if (choice === 12 && wipes > 0) {
      wipes--;
      here.store.wipe();
    }
    judge.look();
    return undefined;
  };
  for (const candidate of all) candidate.vm.before = before;
  for (let i = 0; i < steps; i++) {
    run(all[choose(3)]!);
    here.clocks.advance(choose(4) * 1_000);
    judge.look();
  }
  return { judge, all };
}

const WORLDS: [string, Faults][] = [
  ["Envoy's rules", {}],
  ["Envoy's rules, with garbage written over the record", { spoils: true }],
  ["ngx_wasm_module's rules", { rules: "nginx" }],
  ["the Go emulator's rules", { rules: "strict" }],
  ["wasm-go's key", { make: "wasm-go" }],
  ["no monotonic clock", { hasMonotonic: false }],
  ["a collection at every allocation", { collects: true }],
  ["handovers", { isFeatured: true, make: "handover" }],
  ["ranks", { isFeatured: true, make: "preference" }],
  ["delayed claims", { isFeatured: true, make: "claim-delay" }],
  ["probation", { isFeatured: true, make: "probation" }],
  ["probation and garbage", { isFeatured: true, make: "probation", spoils: true }],
];

describe("three candidates in any order", () => {
  it.each(WORLDS)("%s: never two valid leaders, terms grow, callbacks pair", (_name, faults) => {
    let claims = 0;
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const choose = (below: number): number => (numbers.next().value as number) % below;

        const { judge, all } = play(choose, 40, faults);

        claims += judge.terms.length;
        expect(judge.terms.every((term, i) => i === 0 || term > judge.terms[i - 1]!)).toBe(true);
        for (const candidate of all) {
          const kinds = candidate.starts.map((event) => event.split(" ")[0]);
          expect(kinds.every((kind, i) => kind === (i % 2 === 0 ? "started" : "stopped"))).toBe(
            true,
          );
        }
      }),
      { numRuns: 50, seed: 7 },
    );

    // A run in which nobody is ever elected would hold all of it.
    expect(claims).toBeGreaterThan(25);
  });
});

describe("three candidates and one loss of shared data", () => {
  /** What went wrong first, and how often somebody led until then. */
  function wiping(make: string): { wrong: string; claims: number } {
    let claims = 0;
    const outcome = fc.check(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const choose = (below: number): number => (numbers.next().value as number) % below;

        claims += play(choose, 60, { isFeatured: true, make, wipes: 1 }).judge.terms.length;
      }),
      { numRuns: 200, seed: 7, endOnFailure: true },
    );
    return {
      wrong: outcome.errorInstance instanceof Error ? outcome.errorInstance.message : "",
      claims,
    };
  }

  it("W3: on probation never two of them lead", () => {
    const { wrong, claims } = wiping("probation");

    expect(wrong).toBe("");
    expect(claims).toBeGreaterThan(50);
  });

  it("W2: without it two of them may", () => {
    expect(wiping("handover").wrong).toContain("valid leaders at once");
  });
});
