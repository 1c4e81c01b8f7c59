import { noBytes } from "../state/bytes.ts";
import { StatsDeltas, statsUpdate } from "../state/stats-update.ts";
import { EventClass } from "../time/event-queue.ts";
import type { EnvoyProcess } from "./process.ts";
import { allStatistics } from "./stats.ts";
import { ThreadEvent } from "./thread-event.ts";

/**
 * Tells the plugins of kind `stats_sink` the statistics at each flush: every counter and gauge that was ever written to,
 * a counter with what was added since the flush before. They live on the main thread.
 *
 * Source: Envoy `source/server/server.cc` (flushStats), `source/extensions/stat_sinks/wasm/wasm_stat_sink_impl.h`.
 */
export class StatsFlush {
  readonly #world: EnvoyProcess;
  readonly #deltas = new StatsDeltas();

  constructor(world: EnvoyProcess) {
    this.#world = world;
  }

  /** Begins to flush, if there is somebody to tell. */
  begin(): void {
    if (this.#sinks().length > 0) this.#book();
  }

  /** Flushes now. */
  flush(): void {
    const bytes = statsUpdate(this.#deltas.flushed(allStatistics(this.#world)));
    for (const plugin of this.#sinks()) {
      const root = this.#world.main.handles.get(plugin)?.root;
      if (root === undefined || root === null) continue;
      root.showCallData(bytes);
      root.owner.call(root, "envoy_on_stats_update", [root.id, bytes.length]);
      root.showCallData(noBytes);
    }
  }

  #book(): void {
    const world = this.#world;
    const event = new ThreadEvent(world.main, EventClass.timer, () => {
      this.flush();
      this.#book();
    });
    world.schedule(event, world.nowNs + world.options.statsFlushNs);
  }

  #sinks() {
    return this.#world.plugins.filter(({ spec }) => spec.kind === "stats_sink");
  }
}
