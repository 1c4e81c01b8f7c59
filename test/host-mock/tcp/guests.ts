import type { MockEnvoyOptions, PluginOptions } from "../../../host-mock/envoy/options.ts";
import { MockEnvoy } from "../../../host-mock/envoy/mock-envoy.ts";
import { guestBytes } from "../../conformance/probe-script.ts";
import { linesOf } from "../envoy/guests.ts";

/** The scripted guest as a network plugin. */
export async function networkPlugin(
  name: string,
  script: string,
  more: Partial<PluginOptions> = {},
): Promise<PluginOptions> {
  return { name, wasm: await guestBytes(), configuration: script, kind: "network", ...more };
}

/** An Envoy that has started; `lines` are what its one worker's VMs logged since, or since the last asking. */
export function started(options: MockEnvoyOptions): { envoy: MockEnvoy; lines: () => string[] } {
  const envoy = new MockEnvoy(options).start();
  envoy.advance("1ms");
  let since = envoy.trace.length;
  const lines = (): string[] => {
    const found = linesOf(envoy, undefined, since);
    since = envoy.trace.length;
    return found;
  };
  return { envoy, lines };
}

/** An Envoy with one network plugin `A`. */
export async function withScript(script: string, more: Partial<PluginOptions> = {}) {
  return started({ plugins: [await networkPlugin("A", script, more)] });
}
