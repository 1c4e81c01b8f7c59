/** The smallest SDK plugin in a real Envoy: a header, and a configuration it refuses. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildGuest } from "../support/build-guest.ts";
import { EnvoyProcess } from "./envoy-process.ts";
import { get } from "./http-client.ts";
import { installEnvoy } from "./install.ts";
import { upstreamCluster } from "./listeners.ts";
import type { Json, ListenerSpec } from "./listeners.ts";
import { RecordingServer } from "./servers.ts";

describe("a plugin made with the SDK in a real Envoy", () => {
  let envoy: EnvoyProcess | undefined;
  let upstream: RecordingServer | undefined;
  let wasm: string;

  const listener = (configuration: Json): ListenerSpec => ({
    name: "hello",
    plugins: [{ name: "hello", wasm, configuration }],
  });

  beforeAll(async () => {
    const binary = installEnvoy();
    wasm = (await buildGuest({ entry: "test/guests/hello/plugin.guest.ts" })).path;
    upstream = await RecordingServer.start(200);
    const clusters = [{ name: upstreamCluster, port: upstream.port }];
    envoy = await EnvoyProcess.start({
      binary,
      concurrency: 2,
      clusters,
      listeners: [listener({ value: "one" })],
    });
  });

  afterAll(async () => {
    await envoy?.stop();
    envoy?.discard();
    upstream?.stop();
  });

  const running = (): EnvoyProcess => envoy ?? expect.unreachable("Envoy did not start");

  it("RE11 adds the response header that its configuration names", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => get(running().port("hello"), "/")),
    );

    expect(answers.map(({ status, headers }) => [status, headers["x-hello"]])).toEqual(
      Array.from({ length: 10 }, () => [200, "one"]),
    );
  });

  it("RE12 refuses a wrong configuration, and the listener keeps the old one", async () => {
    await running().refuses([listener({ value: "" })]);

    const { headers } = await get(running().port("hello"), "/");
    expect(headers["x-hello"]).toBe("one");
    expect(
      running()
        .log()
        .map(({ text }) => text)
        .join("\n"),
    ).toContain("value must not be empty");
  });
});
