import type { MockEnvoyOptions, PluginOptions } from "../../../host-mock/envoy/options.ts";
import { MockEnvoy } from "../../../host-mock/envoy/mock-envoy.ts";
import { lossyUtf8 } from "../../../host-mock/state/bytes.ts";
import { buildGuest } from "../../support/build-guest.ts";

/** A guest of test/guests/host, which uses raw imports. */
export async function rawGuest(name: string): Promise<Uint8Array> {
  const built = await buildGuest({
    entry: `test/guests/host/${name}.guest.ts`,
    config: false,
    args: [
      "-O",
      "--runtime",
      "stub",
      "--exportStart",
      "_initialize",
      "--use",
      "abort=test/guests/host/raw.guest/aborted",
    ],
  });
  return built.bytes;
}

export interface Setup extends Omit<MockEnvoyOptions, "plugins"> {
  readonly plugins?: readonly PluginOptions[];
  /** Configuration of the one plugin `life`, when `plugins` is absent. */
  readonly configuration?: string;
  readonly plugin?: Partial<PluginOptions>;
}

/** An Envoy with the plugin `life`, not started. */
export function envoyOf(wasm: Uint8Array, setup: Setup = {}): MockEnvoy {
  const { plugins, configuration, plugin, ...options } = setup;
  const one: PluginOptions = { name: "life", wasm, configuration: configuration ?? "", ...plugin };
  return new MockEnvoy({ ...options, plugins: plugins ?? [one] });
}

/** The log lines of one VM, or of all, without the random identity. */
export function linesOf(envoy: MockEnvoy, vm?: string, since = 0): string[] {
  return envoy.recorder.events
    .slice(since)
    .filter((event) => event.event === "log" && (vm === undefined || event.vm === vm))
    .map((event) =>
      lossyUtf8(event.args["message"] as Uint8Array).replace(/ id=[0-9a-f]{16}$/, ""),
    );
}

/** Names and statuses of the host's own events. */
export function hostEvents(envoy: MockEnvoy, ...names: string[]) {
  return envoy.recorder.events.filter(
    (event) => (event.event === "timer" || event.event === "fault") && names.includes(event.name),
  );
}

/** "12ms worker_0#1 line" of every log line. */
export function timeline(envoy: MockEnvoy): string[] {
  return envoy.recorder.events
    .filter((event) => event.event === "log")
    .map(
      (event) =>
        `${event.atNs / 1e6} ${event.vm} ${lossyUtf8(event.args["message"] as Uint8Array)}`,
    );
}
