import type { TraceEvent } from "./event.ts";
import { HostEvent } from "./names.ts";
import { numberOf } from "./values.ts";

/**
 * Which root context an event belongs to. Elections and effects are counted per root: a call made while a request
 * is handled carries its stream's id, yet it is the plugin context's effect.
 */
export class Roots {
  readonly #ofVm = new Map<string, { readonly ids: Set<number>; latest: number }>();

  feed(event: TraceEvent): void {
    if (event.event !== "timer" || event.name !== HostEvent.contextConfigured) return;
    const key = `${event.vm} ${event.plugin}`;
    const known = this.#ofVm.get(key);
    if (known === undefined) {
      this.#ofVm.set(key, { ids: new Set([event.context]), latest: event.context });
      return;
    }
    known.ids.add(event.context);
    if (event.status === "Ok") known.latest = event.context;
  }

  /** The argument `root` where the event has one, else the context itself if it is a root, else the VM's newest root. */
  of(event: TraceEvent): number {
    const named = numberOf(event.args["root"]);
    if (named !== null) return named;
    const known = this.#ofVm.get(`${event.vm} ${event.plugin}`);
    return known === undefined || known.ids.has(event.context) ? event.context : known.latest;
  }
}
