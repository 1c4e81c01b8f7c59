/** The mock against the real thing: one set of steps, two hosts, one transcript. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as sharedData from "../conformance/shared-data.ts";
import { mockTranscript } from "../conformance/mock-transcript.ts";
import { buildGuest } from "../support/build-guest.ts";
import { EnvoyProcess } from "./envoy-process.ts";
import { get } from "./http-client.ts";
import { installEnvoy, root } from "./install.ts";
import { upstreamCluster } from "./listeners.ts";
import type { ListenerSpec } from "./listeners.ts";
import { RecordingServer } from "./servers.ts";

const recorded = join(root, "test/conformance/shared-data.transcript.txt");

describe("shared data, call by call", () => {
  let upstream: RecordingServer | undefined;
  let envoy: EnvoyProcess | undefined;
  let real: string[];

  beforeAll(async () => {
    const binary = installEnvoy();
    const { path } = await buildGuest(sharedData.probe);
    upstream = await RecordingServer.start(204);
    const clusters = [{ name: upstreamCluster, port: upstream.port }];
    const running = await EnvoyProcess.start({
      binary,
      concurrency: 1,
      clusters,
      listeners: listeners(path, "one"),
    });
    envoy = running;
    const ask = async (plugin: string, request: string): Promise<string> => {
      const answer = await get(running.port(plugin), request);
      return `${String(answer.status)} ${answer.body}`;
    };
    const reconfigure = async (): Promise<void> => {
      await running.update(listeners(path, "two"));
    };
    real = await sharedData.transcript(ask, reconfigure);
    if (process.env["RECORD"] === "1") writeFileSync(recorded, `${real.join("\n")}\n`);
  });

  afterAll(async () => {
    await envoy?.stop();
    envoy?.discard();
    upstream?.stop();
  });

  it("RE13 a real Envoy answers as recorded", () => {
    expect(real).toEqual(readFileSync(recorded, "utf8").trimEnd().split("\n"));
  });

  it("RE14 the mock answers as the real Envoy does, version numbers included", async () => {
    const mock = await mockTranscript();

    expect(mock).toEqual(real);
  });
});

function listeners(wasm: string, configuration: string): ListenerSpec[] {
  return sharedData.plugins.map(({ name, vmId, vmConfiguration }) => ({
    name,
    plugins: [
      { name, wasm, vmId, vmConfiguration, configuration: name === "A" ? configuration : "always" },
    ],
  }));
}
