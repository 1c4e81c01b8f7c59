/** The steps of shared-data.ts on the mock: the plugins stand in one filter chain, each takes its own requests. */
import { MockEnvoy } from "../../host-mock/index.ts";
import { buildGuest } from "../support/build-guest.ts";
import * as sharedData from "./shared-data.ts";

export async function mockTranscript(): Promise<string[]> {
  const { bytes } = await buildGuest(sharedData.probe);
  const envoy = new MockEnvoy({
    concurrency: 1,
    plugins: sharedData.plugins.map(({ name, vmId, vmConfiguration }) => ({
      name,
      vmId,
      vmConfiguration,
      wasm: bytes,
      configuration: name === "A" ? "one" : "always",
    })),
  });
  envoy.start();
  const ask = (_plugin: string, path: string): string => {
    const exchange = envoy.thread("worker_0").request({ path });
    return `${String(exchange.status)} ${new TextDecoder().decode(exchange.body)}`;
  };
  const lines = await sharedData.transcript(ask, () => {
    envoy.reconfigure("A", "two");
    envoy.advance("1s");
  });
  envoy.end();
  return lines;
}
