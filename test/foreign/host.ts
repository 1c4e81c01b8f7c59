/** The mock with one foreign plugin in it, and how its log reads. */
import { MockEnvoy } from "../../host-mock/index.ts";
import type { MockEnvoyOptions, PluginOptions } from "../../host-mock/index.ts";
import { logLines } from "../../host-mock/trace/logs.ts";
import { foreignModule } from "./build.ts";
import type { ForeignName } from "./build.ts";

export type HostOptions = Partial<Omit<MockEnvoyOptions, "plugins">> & {
  readonly configuration?: PluginOptions["configuration"];
  readonly witness?: "log" | "lease";
};

/** The plugin's name in every run. */
export const pluginName = "foreign";

/** wasm-go's own marker is Higress's; everything else is for Envoy. */
export function profileOf(name: ForeignName): string {
  return name.startsWith("go_") && !name.endsWith("_stock") ? "higress" : "envoy";
}

export function mockWith(
  name: ForeignName,
  { configuration, witness, ...options }: HostOptions = {},
): MockEnvoy {
  const plugin: PluginOptions = {
    name: pluginName,
    wasm: foreignModule(name),
    ...(configuration === undefined ? {} : { configuration }),
    ...(witness === undefined ? {} : { witness }),
  };
  return new MockEnvoy({ profile: profileOf(name), ...options, plugins: [plugin] });
}

export interface Said {
  readonly atNs: number;
  readonly thread: string;
  readonly context: number;
  readonly level: string;
  readonly text: string;
}

/** What the plugin logged so far, in order. */
export function said(envoy: MockEnvoy): Said[] {
  return logLines(envoy.recorder.events).map(({ atNs, thread, context, level, message }) => ({
    atNs,
    thread,
    context,
    level,
    text: typeof message === "string" ? message : new TextDecoder().decode(message),
  }));
}

/** Every `leader report=N` line: an instant at which a VM acted as leader. */
export function leaderActs(envoy: MockEnvoy): Said[] {
  return said(envoy).filter(({ text }) => /leader report=\d+/.test(text));
}

export const second = 1_000_000_000;

export function threadsOf(some: readonly Said[]): string[] {
  return [...new Set(some.map(({ thread }) => thread))].sort();
}

/** True when two leaderships of different VMs share an instant. */
export function hasTwoLeaders(envoy: MockEnvoy): boolean {
  const { history } = envoy.election(pluginName);
  return history.some((one, index) =>
    history.slice(index + 1).some((other) => {
      const isOther = one.vm !== other.vm || one.context !== other.context;
      return isOther && one.fromNs < other.untilNs && other.fromNs < one.untilNs;
    }),
  );
}
