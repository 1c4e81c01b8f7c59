/** Candidates in VMs of their own over one store and one pair of clocks, driven pass by pass. */
import { buildGuest } from "../../support/build-guest.ts";
import { Clocks, FakeVm } from "./fake-host.ts";
import type { HostOptions } from "./fake-host.ts";
import type { Rules } from "./shared-store.ts";
import { SharedStore } from "./shared-store.ts";

export const KEY = "higress_wasm_vm_lease:p";
export const TERM_KEY = `${KEY}:term`;
export const LEASE_MS = 15_000;
export const GUARD_MS = 750;
export const PERIOD_MS = 3_000;
/** The root context's id in every candidate's VM. */
export const ROOT = 1;

export const Outcome = {
  Ok: 0,
  Fenced: 1,
  NotLeader: 2,
  Busy: 3,
  Missing: 4,
  BadData: 5,
  Error: 6,
};

/** The guest, built with further asc arguments. */
export async function candidateBytes(
  args: readonly string[] = [],
): Promise<Uint8Array<ArrayBuffer>> {
  return (await buildGuest({ entry: "test/guests/election-candidate/plugin.guest.ts", args }))
    .bytes;
}

/** The guest whose candidates have the optional features. */
export async function featuredBytes(): Promise<Uint8Array<ArrayBuffer>> {
  return (await buildGuest({ entry: "test/guests/featured-candidate/plugin.guest.ts" })).bytes;
}

export interface World {
  readonly store: SharedStore;
  readonly clocks: Clocks;
  /** A new candidate of a make: the plugin of that name in the guest. */
  join(make?: string, options?: HostOptions & { configuration?: string }): Candidate;
}

export function world(bytes: Uint8Array<ArrayBuffer>, rules: Rules = "envoy"): World {
  const store = new SharedStore(rules);
  const clocks = new Clocks();
  return {
    store,
    clocks,
    join: (make = "options", options = {}) =>
      new Candidate(bytes, make, { store, clocks, ...options }),
  };
}

export class Candidate {
  readonly vm: FakeVm;
  readonly accepted: boolean;

  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    make: string,
    options: HostOptions & { configuration?: string },
  ) {
    const properties = options.properties ?? { plugin_name: "p", plugin_root_id: make };
    this.vm = new FakeVm(bytes, { ...options, properties });
    this.accepted = this.vm.configure(ROOT, options.configuration ?? "");
  }

  pass(id = ROOT): this {
    this.vm.effective = id;
    this.vm.call("pass", id);
    return this;
  }

  leads(id = ROOT): boolean {
    return this.vm.call("isLeader", id) === 1;
  }

  term(id = ROOT): bigint {
    return this.vm.exports.term!(id) as bigint;
  }

  remainingMs(id = ROOT): number {
    return Number(this.vm.exports.remaining!(id));
  }

  release(id = ROOT): void {
    this.vm.call("release", id);
  }

  /** What the callbacks said, without the context's id: "started 5", "stopped expired", "leader <id>". */
  get events(): string[] {
    return this.vm.lines
      .map((line) => /^(started|stopped|leader) \d+ ?(.*)$/.exec(line))
      .flatMap((match) => (match === null ? [] : [`${match[1]} ${match[2]}`.trimEnd()]));
  }

  /** As `events`, with the ids of leaders left out. */
  get starts(): string[] {
    return this.events.filter((event) => !event.startsWith("leader"));
  }

  /** Keys that were set since the last look, and forgets the calls. */
  sets(): string[] {
    const sets = this.vm.calls
      .filter((call) => call.name === "proxy_set_shared_data")
      .map((call) => call.about);
    this.vm.calls.length = 0;
    return sets;
  }
}

export interface Record {
  vmID: string;
  timestamp: number;
  st?: string;
  term?: number;
  mono?: number;
  ttl?: number;
}

export function record(store: SharedStore): Record {
  return JSON.parse(store.text(KEY) ?? "null") as Record;
}

/** A held record of somebody else, written now. */
export function heldByOther(clocks: Clocks, over: object = {}): string {
  return JSON.stringify({
    vmID: "other",
    timestamp: Number(clocks.wallNs / 1_000_000_000n),
    st: "held",
    term: 5,
    mono: clocks.nowMs,
    ttl: LEASE_MS,
    ...over,
  });
}
