/** A thousand streams at once on one VM, and a hundred thousand one after another. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { MockEnvoy, type CallRequest, type Exchange } from "../../host-mock/index.ts";
import { Random } from "../../host-mock/random.ts";
import { lossyUtf8 } from "../../host-mock/state/bytes.ts";
import { rawGuest } from "../host-mock/envoy/guests.ts";
import { buildGuest } from "../support/build-guest.ts";
import { checkAlive, pagesOf } from "./support/vital-signs.ts";
import { rounds } from "../support/soak.ts";

const mebibyte = 2 ** 20;

let collect: () => void;

beforeAll(() => {
  setFlagsFromString("--expose-gc");
  collect = runInNewContext("gc") as () => void;
});

function heapMebibytes(): number {
  collect();
  return process.memoryUsage().heapUsed / mebibyte;
}

function valueOf(headers: Exchange["headers"], wanted: string): unknown {
  return headers.find(([name]) => name === wanted)?.[1];
}

function linesOf(envoy: MockEnvoy): string[] {
  return envoy.trace
    .filter(({ event, thread }) => event === "log" && thread === "worker_0")
    .map(({ args }) => lossyUtf8(args["message"] as Uint8Array));
}

describe("a thousand streams on a VM", () => {
  const streamCount = 1_000;

  it("never see one another's, whatever order their calls and answers come in", async () => {
    const random = new Random(5, "streams");
    const draw = (): string => `${random.below(900)}ms`;
    const envoy = new MockEnvoy({
      plugins: [{ name: "many", wasm: await rawGuest("many-streams") }],
      clusters: {
        gate: ({ path }: CallRequest) => ({
          status: 200,
          headers: { "x-name": path.slice(1) },
          delay: draw(),
        }),
      },
    });
    envoy.start();
    const worker = envoy.thread("worker_0");

    const streams = Array.from({ length: streamCount }, (_, index) => {
      const body = ["x".repeat(random.below(50)), "y".repeat(random.below(50) + 1)];
      const headers = { "x-name": `stream-${index}` };
      const exchange = worker.request({ headers, body, upstream: { delay: draw() } });
      return { exchange, name: `stream-${index}`, sizeBytes: body.join("").length };
    });
    const gone = streams.filter((_, index) => index % 10 === 9);
    const atOnce = [...worker.vms.values()][0]!.contexts.size - 1;
    envoy.advance("300ms");
    for (const { exchange } of gone) exchange.abandon();
    envoy.advance("5s");

    expect(atOnce).toBe(streamCount);
    const answered = streams.filter(({ exchange }) => exchange.status === 200);
    expect(answered.length).toBeGreaterThan(streamCount * 0.9);
    const seen = answered.map(({ exchange: { headers, upstream } }) => [
      valueOf(headers, "x-name"),
      valueOf(headers, "x-body"),
      upstream?.body.length,
    ]);
    expect(seen).toEqual(answered.map(({ name, sizeBytes }) => [name, `${sizeBytes}`, sizeBytes]));
    const lines = linesOf(envoy);
    expect(lines.filter((line) => line.startsWith("mixed"))).toEqual([]);
    expect(lines.at(-1)).toBe("streams=0 calls=0");
    expect([...worker.vms.values()][0]!.contexts.size).toBe(1);
  }, 60_000);
});

describe("memory of host and guest", () => {
  const requestCount = rounds(100_000);
  const batch = 1_000;

  it("is the same after requests: a hundred thousand in a soak", async () => {
    const { bytes } = await buildGuest({ entry: "test/guests/hello/plugin.guest.ts" });
    const envoy = new MockEnvoy({ logLevel: "error", plugins: [{ name: "hello", wasm: bytes }] });
    const worker = envoy.thread("worker_0");
    const upstream = { headers: { "content-type": "text/plain" }, body: "some text" };
    let warm: { pages: number[]; heap: number } | undefined;
    let served = 0;

    while (served < requestCount) {
      for (let left = batch; left > 0; left--) {
        const { status } = worker.request({ path: `/${served}`, body: "asked", upstream });
        if (status === 200) served++;
      }
      envoy.advance("1s");
      checkAlive(envoy, () => `after ${served} requests`);
      envoy.forget();
      if (served === 2 * batch) warm = { pages: pagesOf(envoy), heap: heapMebibytes() };
    }

    expect(pagesOf(envoy)).toEqual(warm!.pages);
    expect(heapMebibytes() - warm!.heap).toBeLessThan(4);
    expect([...worker.vms.values()][0]!.contexts.size).toBe(1);
  }, 300_000);
});
