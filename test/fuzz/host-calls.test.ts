/** A guest that makes random host calls with random arguments, in every callback there is. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import type { Vm } from "../../host-mock/envoy/vm.ts";
import { MockEnvoy } from "../../host-mock/index.ts";
import { profileByName } from "../../host-mock/profiles/index.ts";
import { fuzzGuest, tally } from "./support/fuzz-guest.ts";

const highestStatus = 12;
const mebibyte = 2 ** 20;

let collect: () => void;

beforeAll(() => {
  setFlagsFromString("--expose-gc");
  collect = runInNewContext("gc") as () => void;
});

/** What the guests of all VMs counted, those that are gone too. */
interface Sums {
  calls: number;
  statuses: number;
  errnos: number;
  readonly hashes: number[];
}

/** An Envoy whose plugin is the fuzz guest, and a word for what it did. */
class Storm {
  readonly envoy: MockEnvoy;
  /** Why VMs trapped. */
  readonly traps: string[] = [];
  readonly #gone: Sums = { calls: 0, statuses: 0, errnos: 0, hashes: [] };

  constructor(profile: string, seed: number) {
    const { groups } = profileByName(profile);
    this.envoy = new MockEnvoy({
      profile,
      seed,
      logLevel: "trace",
      plugins: [{ name: "fuzz", wasm: fuzzGuest({ groups, seed }) }],
      clusters: { collector: () => ({ status: 200, body: "answer", delay: "1ms" }) },
    });
    this.envoy.start();
  }

  get vms(): readonly Vm[] {
    return this.envoy.threads.flatMap((thread) =>
      [...thread.handles.values()].map(({ root }) => root!.owner),
    );
  }

  sums(): Sums {
    const all = { ...this.#gone, hashes: [...this.#gone.hashes] };
    for (const vm of this.vms) add(all, vm);
    return all;
  }

  /** Requests of several kinds, one of them given up, and time for what they started. */
  round(): void {
    const worker = this.envoy.thread("worker_0");
    const upstream = { body: ["one", "two"], trailers: { "x-end": "1" }, delay: "2ms" };
    worker.request({ method: "POST", body: ["a", "bc"], trailers: { "x-t": "1" }, upstream });
    worker.request({ upstream: { fail: "reset" } });
    worker.request({ upstream: { delay: "1s" } });
    this.envoy.advance("5ms");
    for (const one of this.envoy.exchanges) one.abandon();
    this.envoy.advance("100ms");
    this.#replaceFailed();
    // Nobody looks back, and these hold all there ever was.
    this.envoy.forget();
  }

  run(calls: number): this {
    while (this.sums().calls < calls) this.round();
    return this;
  }

  #replaceFailed(): void {
    for (const { event, args } of this.envoy.trace)
      if (event === "trap") this.traps.push(args["message"] as string);
    for (const vm of this.vms) {
      if (!vm.isDead()) continue;
      add(this.#gone, vm);
      this.envoy.thread(vm.thread.name).restart();
    }
  }
}

function add(sums: Sums, { instance }: Vm): void {
  const word = (at: number): number => instance.memory.readU32(at)!;
  sums.calls += word(tally.count);
  sums.statuses |= word(tally.statuses);
  sums.errnos |= word(tally.errnos);
  sums.hashes.push(word(tally.hash));
}

function heapMebibytes(): number {
  collect();
  return process.memoryUsage().heapUsed / mebibyte;
}

/** Numbers of the bits that are set. */
function bitsOf(word: number): number[] {
  return Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (word >>> bit) % 2 === 1);
}

describe.each([
  ["envoy", 100_000, 1],
  ["higress", 30_000, 2],
] as const)("random host calls on %s", (profile, callCount, seed) => {
  it(`${callCount} of them get statuses that there are, and leave nothing behind`, () => {
    const storm = new Storm(profile, seed).run(callCount / 2);
    const halfWay = heapMebibytes();

    storm.run(callCount);

    const sums = storm.sums();
    expect(heapMebibytes() - halfWay).toBeLessThan(16);
    expect(Math.max(...bitsOf(sums.statuses))).toBeLessThanOrEqual(highestStatus);
    expect(bitsOf(sums.statuses)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 6, 7, 8]));
    expect(bitsOf(sums.errnos)).toEqual(expect.arrayContaining([0, 8, 21]));
    expect(new Set(storm.traps.map((message) => message.split(":")[1]))).toEqual(
      new Set(storm.traps.length === 0 ? [] : [" a real Envoy crashes here"]),
    );
    expect(storm.vms.map((vm) => vm.contexts.size)).toEqual([1, 1]);
    for (const vm of storm.vms) expect(vm.instance.memory.sizeBytes).toBeLessThanOrEqual(4 * 65536);
  }, 120_000);

  it("are the same for the same seed, and others for another", () => {
    const [one, other, another] = [seed, seed, seed + 10].map((drawn) =>
      new Storm(profile, drawn).run(5_000).sums(),
    );

    expect(other).toEqual(one);
    expect(another!.hashes).not.toEqual(one!.hashes);
  }, 60_000);
});
