/**
 * Runs of candidates in the mock Envoy. Every run that a test makes is judged after it: never two leaders at once (I1),
 * terms that grow (I2), no trap, and somebody who led.
 */
import { afterEach, beforeAll, expect } from "vitest";
import { MockEnvoy } from "../../../host-mock/index.ts";
import type { Leadership, MockEnvoyOptions, PluginOptions } from "../../../host-mock/index.ts";
import { readable } from "../../../host-mock/trace/values.ts";
import "../../../host-mock/testing/index.ts";
import { buildGuest } from "../../support/build-guest.ts";

/** The plugin's name in runs of one. */
export const plugin = "p";
export const wasmGoKey = "higress_wasm_vm_lease:";
export const leaseKey = `${wasmGoKey}${plugin}`;
export const termKey = `${leaseKey}:term`;
export const second = 1_000_000_000;

/** The defaults of the elector, which most scenarios run with. */
export const leaseMs = 15_000;
export const periodMs = 3_000;
export const guardMs = 750;
/** T + P: within this a dead leader is replaced. */
export const failover = "18s";

export interface Timing {
  readonly lease?: number;
  readonly renew?: number;
  /** −1: passes only on request. */
  readonly retry?: number;
  readonly guard?: number;
}

export type HostOptions = Partial<Omit<MockEnvoyOptions, "plugins">>;

/** Plugins of `test/guests/featured-candidate`. */
const features = [
  ...["handover", "handover-5s", "begun", "preference", "jitter", "claim-delay", "metrics"],
  ...["probation", "busy", "bad-timeout", "bad-rank", "bad-jitter", "no-jitter", "bad-delay"],
];

export interface ElectionOptions extends HostOptions, Timing {
  /** `plain`, `fenced`, `wasm-go`, or a feature. */
  readonly make?: string;
  readonly kind?: "http" | "singleton";
}

let candidate: Uint8Array;
let recipe: Uint8Array;
let featured: Uint8Array;
/** The runs of the test that is running, and whether somebody has to have led. */
const runs = new Map<MockEnvoy, { readonly needsLeader: boolean }>();

/** To be called once in each file: builds the guests, and judges what each test has run. */
export function useElections(): void {
  beforeAll(async () => {
    candidate = (await buildGuest({ entry: "test/guests/elect-candidate/plugin.guest.ts" })).bytes;
    featured = (await buildGuest({ entry: "test/guests/featured-candidate/plugin.guest.ts" }))
      .bytes;
    const args = ["--exportStart", "_initialize", "--optimizeLevel", "3", "--use", "abort="];
    const entry = "test/guests/wasm-go-recipe/plugin.guest.ts";
    recipe = (await buildGuest({ entry, config: false, args })).bytes;
  });
  afterEach(() => {
    for (const [envoy, { needsLeader }] of runs) judge(envoy, needsLeader);
    runs.clear();
  });
}

function judge(envoy: MockEnvoy, needsLeader: boolean): void {
  for (const [name, witness] of Object.entries(envoy.witnesses)) {
    expect(envoy).not.toHaveTrapped({ plugin: name });
    if (witness === "lease") continue;
    const { history } = envoy.election(name);
    if (history.length === 0 && !needsLeader) continue;
    expect(history).toHaveSingleWinner();
    expect(history).toHaveGrowingTerms();
  }
}

/** Makes a run of several plugins; it is judged unless a known weakness is to be shown. */
export function running(
  plugins: readonly PluginOptions[],
  options: HostOptions & { readonly needsLeader?: boolean; readonly isJudged?: boolean } = {},
): MockEnvoy {
  const { needsLeader = true, isJudged = true, ...host } = options;
  const envoy = new MockEnvoy({ ...host, plugins });
  if (isJudged) runs.set(envoy, { needsLeader });
  return envoy;
}

/** Our candidate as a plugin. */
export function ours(
  name: string,
  options: Timing & Pick<ElectionOptions, "make" | "kind"> & { vmConfiguration?: string } = {},
): PluginOptions {
  const { make = "plain", kind = "http", vmConfiguration = "", ...timing } = options;
  const configuration = { ...timing };
  const wasm = features.includes(make) ? featured : candidate;
  return { name, wasm, rootId: make, kind, vmConfiguration, configuration };
}

/** Wasm-go's election as a plugin; it has a VM of its own for each `vmConfiguration`. */
export function go(name: string, vmConfiguration = ""): PluginOptions {
  return { name, wasm: recipe, vmConfiguration, witness: "lease" };
}

/** One plugin `p`: candidates on main and on two workers unless told otherwise. */
export function electing(
  options: ElectionOptions & { readonly needsLeader?: boolean; readonly isJudged?: boolean } = {},
): MockEnvoy {
  const { make, kind, lease, renew, retry, guard, ...host } = options;
  const timing = { lease, renew, retry, guard };
  const given = Object.fromEntries(Object.entries(timing).filter(([, ms]) => ms !== undefined));
  const shape = {
    ...(make === undefined ? {} : { make }),
    ...(kind === undefined ? {} : { kind }),
  };
  return running([ours(plugin, { ...given, ...shape })], { concurrency: 2, ...host }).start();
}

/** As `electing`, and brought to where that thread leads: the others stand still until it does. */
export function ledBy(thread: string, options: ElectionOptions = {}): MockEnvoy {
  const envoy = electing(options);
  for (const other of envoy.threads) if (other.name !== thread) other.pause("4s");
  envoy.advance("4s");
  expect(leader(envoy).thread).toBe(thread);
  return envoy;
}

/** A Go pair on main and worker_0, where main leads first and its passes come half a second before the other's. */
export function goPair(options: HostOptions = {}): MockEnvoy {
  const envoy = running([go(plugin)], options).start();
  envoy.thread("worker_0").pause("500ms");
  envoy.advance("10s");
  expect(leader(envoy).thread).toBe("main");
  return envoy;
}

/** Who leads now. */
export function leader(envoy: MockEnvoy, name = plugin): Leadership {
  const found = envoy.election(name).leader;
  if (found === null) throw new Error("nobody leads");
  return found;
}

export function history(envoy: MockEnvoy, name = plugin): Leadership[] {
  return envoy.election(name).history;
}

/** The last of all leaderships. */
export function latest(envoy: MockEnvoy): Leadership {
  const last = history(envoy).at(-1);
  if (last === undefined) throw new Error("nobody ever led");
  return last;
}

/** Lets time pass in small steps until something is so; fails after an hour. */
export function until(envoy: MockEnvoy, isSo: () => boolean, step = "10ms"): void {
  for (let i = 0; i < 360_000; i++) {
    if (isSo()) return;
    envoy.advance(step);
  }
  throw new Error("that never happened");
}

/** Lets time pass until the instant at which a plugin writes such a line. */
export function untilLine(envoy: MockEnvoy, pattern: RegExp): void {
  let seen = envoy.trace.length;
  until(
    envoy,
    () => {
      const fresh = envoy.trace.slice(seen);
      seen = envoy.trace.length;
      return fresh.some(
        ({ event, args }) => event === "log" && pattern.test(readable(args["message"])),
      );
    },
    "1ms",
  );
}

/** Lets time pass until the instant at which the leader's record has just been renewed. */
export function untilRenewal(envoy: MockEnvoy): void {
  untilLine(envoy, /election renew /);
}

export interface Said {
  readonly n: number;
  readonly atNs: number;
  readonly thread: string;
  readonly vm: string;
  readonly plugin: string;
  /** The plugin context, also of a line that a request's context logged. */
  readonly context: number;
  readonly level: string;
  readonly text: string;
}

/** Log lines, witness lines among them, that match. */
export function said(envoy: MockEnvoy, pattern: RegExp): Said[] {
  return envoy.trace.flatMap(({ n, atNs, thread, vm, plugin: name, event, name: level, args }) => {
    if (event !== "log") return [];
    const text = readable(args["message"]);
    const context = Number(args["root"]);
    return pattern.test(text) ? [{ n, atNs, thread, vm, plugin: name, context, level, text }] : [];
  });
}

/** The record under the lease key. */
export function record(envoy: MockEnvoy, key = leaseKey): Record<string, unknown> {
  return JSON.parse(envoy.sharedData().get(key)?.text() ?? "null") as Record<string, unknown>;
}

/** The guests' monotonic clock in milliseconds: it starts at one hour. */
export function monoMs(envoy: MockEnvoy): number {
  return 3_600_000 + Math.floor(envoy.nowMs);
}

export const startUnixMs = Date.UTC(2026, 0, 1);
