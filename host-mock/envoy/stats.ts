import { kindOf } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { latin1, utf8 } from "../state/bytes.ts";
import { prometheusPage, textPage, type Statistic } from "../state/stats-page.ts";
import type { EnvoyProcess } from "./process.ts";

/** What became of a try to bring back a failed VM; "backoff": it was too early to try. */
export type ReloadOutcome = "success" | "failure" | "backoff";

const reloadOutcomes: readonly ReloadOutcome[] = ["backoff", "failure", "success"];

/**
 * Envoy's own statistics about VMs and plugins: `wasm.…`.
 *
 * Source: Envoy `source/extensions/common/wasm/stats_handler.h`, `plugin.h`, `remote_async_datasource.h`.
 */
export class WasmStatistics {
  #createdCount = 0;
  #activeCount = 0;
  readonly #reloads = new Map<string, Map<ReloadOutcome, number>>();

  onVmCreated(): void {
    this.#createdCount++;
    this.#activeCount++;
  }

  onVmGone(): void {
    this.#activeCount--;
  }

  onReload(plugin: string, outcome: ReloadOutcome): void {
    const outcomes = this.#reloads.get(plugin) ?? new Map<ReloadOutcome, number>();
    this.#reloads.set(plugin, outcomes);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }

  /** The statistics of these plugins' process. */
  statistics(plugins: readonly string[]): Statistic[] {
    const runtime = "wasm.envoy.wasm.runtime.v8";
    return [
      counter(`${runtime}.created`, this.#createdCount),
      gauge(`${runtime}.active`, this.#activeCount),
      gauge("wasm.wasm_vm_count", this.#activeCount),
      // Code comes from files and never from a server.
      gauge("wasm.remote_load_cache_entries", 0),
      ...remoteLoads.map((name) => counter(`wasm.remote_load_${name}`, 0)),
      ...plugins.flatMap((plugin) => this.#ofPlugin(plugin)),
    ];
  }

  #ofPlugin(plugin: string): Statistic[] {
    const outcomes = this.#reloads.get(plugin);
    return [
      // Envoy has the statistic and never counts in it.
      counter(`wasm.${plugin}.vm_reload`, 0),
      ...reloadOutcomes.map((outcome) =>
        counter(`wasm.${plugin}.vm_reload_${outcome}`, outcomes?.get(outcome) ?? 0),
      ),
    ];
  }
}

const remoteLoads = [
  "cache_hits",
  "cache_misses",
  "cache_negative_hits",
  "fetch_failures",
  "fetch_successes",
];

/** What Envoy's statistics pages show of plugins; the statistics of listeners, clusters and the rest are not there. */
export interface Stats {
  /**
   * As `/stats`: plugins' metrics as `wasmcustom.NAME`, Envoy's own `wasm.…`; only names in which the expression is
   * found. Histograms are as of the last flush, which comes every 5 s. E_OPTION for a filter of another type.
   */
  text(filter?: RegExp): string;
  /** As `/stats/prometheus`; the filter sees the names of the text page. */
  prometheus(filter?: RegExp): string;
}

/** Envoy's own and the plugins' as they are now. */
export function allStatistics(world: EnvoyProcess): Statistic[] {
  // A plugin that went with its listener has no statistics of its own any more.
  const present = world.plugins.filter(({ current }) => current.slots.size > 0);
  const plugins = present.map(({ name }) => name);
  return [...world.wasmStatistics.statistics(plugins), ...world.metrics.statistics()];
}

/** The pages as they are at each call. */
export function statsOf(world: EnvoyProcess): Stats {
  return {
    text: (filter) => textPage(allStatistics(world), checked(filter)),
    prometheus: (filter) => prometheusPage(allStatistics(world), checked(filter)),
  };
}

function checked(filter: unknown): RegExp | undefined {
  if (filter === undefined || filter instanceof RegExp) return filter;
  throw new MockHostError("E_OPTION", `the filter of a statistics page is ${kindOf(filter)}`, {
    remedy: "give a regular expression, /^wasmcustom/, or nothing",
  });
}

function counter(name: string, value: number): Statistic {
  return { kind: "counter", name: binary(name), value: BigInt(value), isUsed: value > 0 };
}

function gauge(name: string, value: number): Statistic {
  return { kind: "gauge", name: binary(name), value: BigInt(value), isUsed: true };
}

function binary(name: string): string {
  return latin1(utf8(name));
}
