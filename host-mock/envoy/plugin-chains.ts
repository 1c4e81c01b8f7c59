import type { ResolvedListener } from "../http/listener-options.ts";
import type { HttpStream } from "../http/stream.ts";
import type { StreamFilter } from "../http/stream-filter.ts";
import { AccessLogFilter } from "./access-log-context.ts";
import { filterFor } from "./failure-policy.ts";
import type { Plugin } from "./plugin.ts";
import type { Thread } from "./thread.ts";

/** Finds plugins; E_UNKNOWN_NAME for what is none. */
interface Plugins {
  plugin(name: string): Plugin;
}

interface Chain {
  readonly filtering: readonly Plugin[];
  readonly logging: readonly Plugin[];
}

/** Which plugins the requests of a listener meet; looked up once for each listener. */
export class PluginChains {
  readonly #plugins: Plugins;
  readonly #known = new Map<ResolvedListener, Chain>();

  constructor(plugins: Plugins) {
    this.#plugins = plugins;
  }

  /** The places of a new request's plugins: filters in the order of the listener, and behind them its access loggers. */
  filters(thread: Thread, listener: ResolvedListener, stream: HttpStream): StreamFilter[] {
    const { filtering, logging } = this.#chain(listener);
    const filters: StreamFilter[] = [];
    for (const plugin of filtering) {
      const filter = filterFor(thread, plugin, stream);
      if (filter !== null) filters.push(filter);
    }
    for (const plugin of logging) filters.push(new AccessLogFilter(thread, plugin, stream));
    return filters;
  }

  #chain(listener: ResolvedListener): Chain {
    const known = this.#known.get(listener);
    if (known !== undefined) return known;
    const plugins = listener.plugins.map((name) => this.#plugins.plugin(name));
    const filtering = plugins.filter(({ spec }) => spec.kind === "http");
    const logging = plugins.filter(({ spec }) => spec.kind === "access_log");
    const made = { filtering, logging };
    this.#known.set(listener, made);
    return made;
  }
}
