/** A suite's configuration in Envoy's words: modules on disk, clusters with servers behind them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { listenersOf } from "../conformance/mock-options.ts";
import { guestBytes } from "../conformance/probe-script.ts";
import type { ProbeListener, ProbePlugin, ProbeSuite } from "../conformance/probe.ts";
import { root } from "./install.ts";
import type { ListenerSpec, PluginSpec } from "./listeners.ts";

/** Plugins by name, with a module that Envoy can read. */
export async function pluginSpecs(
  plugins: readonly ProbePlugin[],
): Promise<Map<string, PluginSpec>> {
  const specs = new Map<string, PluginSpec>();
  for (const plugin of plugins) specs.set(plugin.name, await pluginSpec(plugin));
  return specs;
}

export async function pluginSpec(plugin: ProbePlugin): Promise<PluginSpec> {
  const { guest, rootId, ...same } = plugin;
  return { ...same, rootId: rootId ?? plugin.name, wasm: fileOf(await guestBytes(guest)) };
}

function fileOf(bytes: Uint8Array): string {
  const folder = join(root, ".cache/conformance");
  mkdirSync(folder, { recursive: true });
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  const path = join(folder, `${hash}.wasm`);
  writeFileSync(path, bytes);
  return path;
}

/** Listeners by name. */
export function listenerSpecs(
  suite: ProbeSuite,
  plugins: ReadonlyMap<string, PluginSpec>,
): Map<string, ListenerSpec> {
  return new Map(listenersOf(suite).map((listener) => [listener.name, spec(listener, plugins)]));
}

function spec(listener: ProbeListener, plugins: ReadonlyMap<string, PluginSpec>): ListenerSpec {
  return {
    ...listener,
    plugins: listener.plugins.map((name) => {
      const plugin = plugins.get(name);
      if (plugin === undefined) throw new Error(`listener ${listener.name}: no plugin ${name}`);
      return plugin;
    }),
  };
}
