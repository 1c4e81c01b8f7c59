import type { Property } from "../index.ts";
import type { CountRange } from "./matchers.ts";

/** What `import "proxy-wasm-as/testing"` adds to `expect`. `plugin` may be left out in a run of one plugin. */
export interface ProxyWasmMatchers<R = unknown> {
  /**
   * No instant lies in two leaderships of different contexts. On `envoy.election(name).history` or a MockEnvoy; fails when
   * nobody was ever elected, with `.not` too.
   *
   *     expect(envoy.election("metrics-reporter").history).toHaveSingleWinner();
   */
  toHaveSingleWinner(plugin?: string): R;
  /** Each leadership's term is strictly above every earlier one's. On a history or a MockEnvoy. */
  toHaveGrowingTerms(plugin?: string): R;
  /**
   * No longer stretch without a leader than `bound` (a duration with a unit; inclusive); a stretch still open at the end is
   * pending and not counted. On a MockEnvoy, time in which no context is alive and unpaused does not count; a history
   * knows nothing of that and ends with its last leadership.
   *
   *     expect(envoy).toHaveLeaderWithin("18s");
   */
  toHaveLeaderWithin(bound: string, plugin?: string): R;
  /** At least one context led. On a history or a MockEnvoy. */
  toHaveSomebodyLed(plugin?: string): R;
  /**
   * Starts and stops of each context's leaderships strictly alternate. On a MockEnvoy.
   */
  toHavePairedCallbacks(plugin?: string): R;
  /**
   * No set of the plugin's went over a lease that named another holder and had not run out. On a MockEnvoy that keeps these
   * calls, `alsoCalls: ["proxy_set_shared_data"]`; fails when none was kept.
   */
  toHaveNoForeignWrite(plugin?: string): R;
  /**
   * A rule of your own holds. On a MockEnvoy or what `runScenario` gives.
   *
   *     expect(envoy).toHold(property("quiet", (run) => sometimes(run.logs.length === 0, "something was logged")));
   */
  toHold(rule: Property): R;
  /**
   * In the order of arrival at the cluster the term in `header` never goes down, and two contexts share none. On a MockEnvoy.
   *
   *     expect(envoy).toHaveNoStaleEffect({ cluster: "collector", header: "x-leader-term" });
   */
  toHaveNoStaleEffect(options: { readonly cluster: string; readonly header: string }): R;
  /** So many calls to the cluster were dispatched: at least one, or as `range` says. On a MockEnvoy. */
  toHaveCalled(cluster: string, range?: CountRange): R;
  /** So many log lines match; witness lines are left out. On a MockEnvoy. */
  toHaveLogged(matches: RegExp | string, options?: CountRange & { readonly plugin?: string }): R;
  /** So many VMs trapped: at least one, or as the range says. On a MockEnvoy. */
  toHaveTrapped(options?: CountRange & { readonly plugin?: string }): R;
  /** The plugin accepted its configuration on its threads. On a MockEnvoy. */
  toHaveStarted(plugin?: string): R;
}

declare module "vitest" {
  // Vitest asks for exactly this parameter and default; the members come from the interface above.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-explicit-any
  interface Matchers<T = any> extends ProxyWasmMatchers<T> {}
}
