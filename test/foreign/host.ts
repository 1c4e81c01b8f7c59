/** The mock with one foreign plugin in it, and how its log reads. */
import { MockEnvoy } from "../../host-mock/index.ts";
import type {
  Exchange,
  MockEnvoyOptions,
  PluginOptions,
  RequestOptions,
} from "../../host-mock/index.ts";
import { logLines } from "../../host-mock/trace/logs.ts";
import { foreignModule } from "./build.ts";
import type { ForeignName } from "./build.ts";

export type HostOptions = Partial<Omit<MockEnvoyOptions, "plugins">> & {
  readonly configuration?: PluginOptions["configuration"];
  readonly witness?: "log" | "lease";
};

/** The plugin's name in every run. */
export const pluginName = "foreign";

const forEnvoy = /_stock$|^rust_|^mosn_/;

/** wasm-go's own marker is Higress's, as is that of Higress's plugins; everything else is for Envoy. */
export function profileOf(name: ForeignName): string {
  return forEnvoy.test(name) ? "envoy" : "higress";
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

/** One plugin of a chain. */
export interface Link {
  readonly name: string;
  readonly module: ForeignName;
  readonly configuration?: PluginOptions["configuration"];
}

/** Higress with these plugins in this order, started unless that is left to the caller. */
export function higressWith(
  links: readonly Link[],
  options: Partial<Omit<MockEnvoyOptions, "plugins">> = {},
  { isStarted = true } = {},
): MockEnvoy {
  const plugins = links.map(({ name, module, configuration }): PluginOptions => ({
    name,
    wasm: foreignModule(module),
    ...(configuration === undefined ? {} : { configuration }),
  }));
  const envoy = new MockEnvoy({ profile: "higress", ...options, plugins });
  return isStarted ? envoy.start() : envoy;
}

/** A request with a JSON body. */
export function posted(
  path: string,
  body: unknown,
  more: Partial<RequestOptions> & { readonly headers?: Readonly<Record<string, string>> } = {},
): RequestOptions {
  const headers = { "content-type": "application/json", ...more.headers };
  return { method: "POST", path, body: JSON.stringify(body), ...more, headers };
}

/** The first value of a header that the upstream saw. */
export function sentHeader(exchange: Exchange, name: string): string | undefined {
  const value = exchange.upstream?.headers.find(([known]) => known === name)?.[1];
  return value === undefined ? undefined : String(value);
}

/** The body that the upstream saw, from JSON. */
export function sentJson(exchange: Exchange): unknown {
  return JSON.parse(new TextDecoder().decode(exchange.upstream?.body));
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
