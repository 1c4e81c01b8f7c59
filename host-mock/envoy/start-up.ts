/** In which order plugins come and go, and how the main thread brings the first ones up. */
import { MockHostError } from "../errors.ts";
import { lastLineOf, requireBase, runCanary } from "./lifecycle.ts";
import type { Plugin } from "./plugin.ts";
import type { PluginHandle } from "./plugin-handle.ts";
import type { EnvoyProcess } from "./process.ts";

/** Kinds that live on the main thread alone. */
export function isOnMainOnly({ spec }: Plugin): boolean {
  return spec.kind === "singleton" || spec.kind === "stats_sink";
}

/**
 * Bootstrap services, stats sinks, then listener by listener: loggers before filters. What no listener names comes last.
 *
 * Source: Envoy `source/server/server.cc`, `source/server/configuration_impl.cc`, and
 * `source/extensions/filters/network/http_connection_manager/config.cc`.
 */
export function startOrder(
  plugins: readonly Plugin[],
  listeners: Iterable<{ readonly plugins: readonly string[] }>,
): readonly Plugin[] {
  const ofKinds = (...kinds: readonly string[]) =>
    plugins.filter(({ spec }) => kinds.includes(spec.kind));
  const order = new Set([...ofKinds("service", "singleton"), ...ofKinds("stats_sink")]);
  for (const listener of listeners) {
    const named = listener.plugins.flatMap((name) => plugins.filter((one) => one.name === name));
    for (const plugin of named) if (plugin.spec.kind === "access_log") order.add(plugin);
    for (const plugin of named) order.add(plugin);
  }
  for (const plugin of plugins) order.add(plugin);
  return [...order];
}

/**
 * From the highest place to the lowest, where the lowest place of a plugin is the one that ends it; what lives on the
 * main thread alone comes last. Source: Envoy `thread_local_impl.cc`.
 */
export function shutdownOrder(handles: readonly PluginHandle[]): PluginHandle[] {
  const lowest = ({ generation }: PluginHandle): number => Math.min(...generation.slots);
  const highestFirst = [...handles].sort((one, other) => lowest(other) - lowest(one));
  return [
    ...highestFirst.filter(({ plugin }) => !isOnMainOnly(plugin)),
    ...highestFirst.filter(({ plugin }) => isOnMainOnly(plugin)),
  ];
}

/**
 * Base VM, canary and main thread for each plugin; then each worker is told. False when one was refused: nothing runs
 * then, and E_PLUGIN_START is thrown unless that is allowed.
 */
export function startMain(world: EnvoyProcess): boolean {
  const { main } = world;
  for (const plugin of world.startOrder) {
    const base = requireBase(main, plugin);
    const canary = base.isDead() ? null : runCanary(main, plugin, plugin.current);
    if (canary === null || !canary.isOk) {
      refuseStart(world, plugin, canary?.lastLine ?? lastLineOf(base));
      return false;
    }
    main.startPlugin(plugin);
  }
  main.isUp = true;
  return true;
}

function refuseStart(world: EnvoyProcess, plugin: Plugin, lastLine: string): void {
  world.hasRefused = true;
  for (const thread of world.threads) thread.discard();
  if (world.options.allowRefusedStart) return;
  const said = lastLine === "" ? "and logged nothing" : `its last log line: ${lastLine}`;
  throw new MockHostError("E_PLUGIN_START", `plugin ${plugin.name} refused to start, ${said}`, {
    remedy: "correct its configuration or code; a real Envoy rejects it too",
  });
}
