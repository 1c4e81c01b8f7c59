import { MockEnvoy, singleWinner, type PluginOptions } from "../../../host-mock/index.ts";
import { Random } from "../../../host-mock/random.ts";
import { readable } from "../../../host-mock/trace/values.ts";
import { Witness } from "../../../host-mock/trace/witness.ts";
import type { Bytes } from "./bytes-mutation.ts";
import { hangMsMax, within } from "./deadline.ts";
import { parsed } from "./json-mutation.ts";
import { changedCell, changedRecord, changedTerm, promisedMs } from "./lease-records.ts";
import { checkAlive, pagesOf } from "./vital-signs.ts";

export interface BombardmentOptions {
  readonly plugin: PluginOptions;
  /** Shared-data keys of fence cells and of what else the plugin keeps. */
  readonly cells: readonly string[];
  readonly seed: number;
  /** Whether records may be believed that promise longer leases: the bound for a leader grows. */
  readonly hasLongPromises?: boolean;
  readonly pagesMax: number;
  readonly hangMs?: number;
}

/** What was done and seen. */
export interface Tally {
  records: number;
  /** Of these, valid JSON by JavaScript's parser. */
  json: number;
  cells: number;
  leaders: number;
  /** How often the record was left alone until somebody led. */
  recoveries: number;
  pages: number;
}

/** T and P of the plugins here. */
const leaseMs = 5_000;
const periodMs = 1_000;
/** wasm-go's lease, and the seconds that a timestamp may lie ahead. */
const wasmGoMs = 66_000;
const startUnixS = Date.UTC(2026, 0, 1) / 1000;
const batchSize = 500;

/**
 * Three VMs whose lease is overwritten once a period. Throws at the first thing that must not be: a
 * trap, a hang, more memory than allowed, two leaders, a leader that does not step down, nobody who
 * leads once the record is left alone.
 *
 * A record that *can* be believed is a lie when somebody leads: a forged "released" lets the next
 * one in at once, and no elector could tell. So what is valid JSON is written only while nobody
 * leads, for which garbage is written first.
 */
export class LeaseBombardment {
  readonly tally: Tally = { records: 0, json: 0, cells: 0, leaders: 0, recoveries: 0, pages: 0 };
  readonly envoy: MockEnvoy;
  readonly #options: BombardmentOptions;
  readonly #random: Random;
  readonly #witness: Witness;
  readonly #leaseKey: string;
  #longestMs = leaseMs;
  #last: Uint8Array = new Uint8Array(0);

  constructor(options: BombardmentOptions) {
    const { plugin, seed } = options;
    this.#options = options;
    this.#random = new Random(seed, "leases");
    this.#leaseKey = `higress_wasm_vm_lease:${plugin.name}`;
    this.#witness = new Witness({ plugin: plugin.name, witness: "log" });
    this.envoy = new MockEnvoy({
      concurrency: 2,
      seed,
      plugins: [plugin],
      clusters: { collector: { status: 204, delay: "5ms" } },
    });
    this.envoy.recorder.listen((event) => this.#witness.feed(event));
    this.envoy.advance("3s");
  }

  /** Writes so many mutated records. */
  run(count: number): Tally {
    while (this.tally.records < count) {
      const wanted = Math.min(count, this.tally.records + batchSize);
      const hangMs = this.#options.hangMs ?? hangMsMax;
      within(
        hangMs,
        () => this.#place(),
        () => this.#batch(wanted),
      );
      this.#check();
    }
    return this.tally;
  }

  #batch(wanted: number): void {
    while (this.tally.records < wanted) {
      const record = this.#draw();
      if (parsed(record) !== undefined && this.#leads()) this.#sendAway();
      this.#write(record);
      if (this.#random.below(4) === 0) this.#writeCell();
      this.#step(this.#random.below(30) === 0 ? leaseMs + periodMs : periodMs);
    }
    this.#check();
    if ((wanted / batchSize) % 2 === 0) this.#sendAway();
    this.#leaveAlone();
  }

  #draw(): Bytes {
    for (;;) {
      const record = changedRecord(this.#random, {
        monoMs: 3_600_000 + Math.floor(this.envoy.nowMs),
        unixS: startUnixS + Math.floor(this.envoy.nowMs / 1000),
        present: this.envoy.sharedData().get(this.#leaseKey)?.text() ?? "",
      });
      if (this.#options.hasLongPromises === true || promisedMs(record) <= leaseMs) return record;
    }
  }

  #write(record: Bytes): void {
    this.#last = record;
    this.#longestMs = Math.max(this.#longestMs, promisedMs(record));
    this.tally.records++;
    if (parsed(record) !== undefined) this.tally.json++;
    this.#put(this.#leaseKey, record);
  }

  #writeCell(): void {
    this.tally.cells++;
    const key = this.#random.below(this.#options.cells.length + 1);
    const cell = this.#options.cells[key];
    if (cell === undefined) this.#put(`${this.#leaseKey}:term`, changedTerm(this.#random));
    else this.#put(cell, changedCell(this.#random));
  }

  /** The note stands in the trace instead of what may be a megabyte. */
  #put(key: string, value: Bytes): void {
    this.envoy.setSharedData({ key, value }, { key });
  }

  /** Garbage: the leader steps down at its next tick. */
  #sendAway(): void {
    let garbage = this.#draw();
    while (parsed(garbage) !== undefined) garbage = this.#draw();
    this.#write(garbage);
    this.#step(periodMs);
    if (this.#leads()) throw new Error(`a leader did not step down: ${this.#place()}`);
  }

  /** From now on nobody writes but the electors. A cell with a higher term costs a claim, no more. */
  #leaveAlone(): void {
    const isRecord = parsed(this.#last) !== undefined;
    const boundMs = isRecord ? Math.max(2 * this.#longestMs, wasmGoMs) : this.#longestMs;
    const claims = this.tally.leaders;
    this.#step(boundMs + 2 * periodMs);
    this.tally.leaders = this.#witness.history(this.envoy.nowNs).length;
    if (!this.#leads() && this.tally.leaders === claims) {
      throw new Error(`nobody leads ${boundMs} ms + 2P after the last record: ${this.#place()}`);
    }
    this.tally.recoveries++;
  }

  #check(): void {
    const { envoy, tally } = this;
    checkAlive(envoy, () => this.#place());
    tally.pages = Math.max(tally.pages, ...pagesOf(envoy));
    if (tally.pages > this.#options.pagesMax) {
      throw new Error(`${tally.pages} pages of memory: ${this.#place()}`);
    }
    const verdict = singleWinner(this.#witness.history(envoy.nowNs));
    if (verdict.holds) return;
    throw new Error(`two leaders: ${JSON.stringify(verdict)}`);
  }

  #step(ms: number): void {
    // A little more than a period, so that every VM has ticked.
    this.envoy.advance(`${ms + 10}ms`);
  }

  #leads(): boolean {
    return this.#witness.leader(this.envoy.nowNs) !== null;
  }

  #place(): string {
    const text = readable(this.#last);
    return `record ${this.tally.records} of seed ${this.#options.seed}, ${text.slice(0, 300)}`;
  }
}
