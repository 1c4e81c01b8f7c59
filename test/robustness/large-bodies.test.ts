/** Bodies of 64 MiB, through a plugin that looks at each frame and through one that holds them all. */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { MockEnvoy } from "../../host-mock/index.ts";
import { probeScript } from "../conformance/probe-script.ts";
import { buildGuest } from "../support/build-guest.ts";

const frameBytes = 64 * 1024;
const frameCount = 1024;

let wasm: Uint8Array;

beforeAll(async () => {
  wasm = (await buildGuest(probeScript)).bytes;
});

/** No two frames are alike, so that none can take another's place. */
function frame(index: number): Uint8Array {
  const bytes = new Uint8Array(frameBytes).fill(index % 251);
  new DataView(bytes.buffer).setUint32(0, index);
  return bytes;
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function textsOf(envoy: MockEnvoy): string[] {
  return envoy.logs.map(({ message }) => String(message));
}

function through(script: string, bufferLimitBytes: number) {
  const frames = Array.from({ length: frameCount }, (_, index) => frame(index));
  const envoy = new MockEnvoy({
    logLevel: "info",
    plugins: [{ name: "probe", wasm }],
    listeners: { big: { bufferLimitBytes } },
  });
  const exchange = envoy.thread("worker_0").request({
    method: "POST",
    headers: { "x-probe": script },
    body: frames,
    frameGap: "1ms",
    upstream: { body: frames, frameGap: "1ms" },
  });
  envoy.advance("10s");
  const lines = textsOf(envoy);
  return { exchange, lines, whole: digestOf(Buffer.concat(frames)) };
}

describe("a body of 64 MiB in 1,024 frames", () => {
  it("arrives byte for byte both ways, a callback for each frame and one for the end", () => {
    const { exchange, lines, whole } = through(
      "request_body: return 0 | response_body: return 0",
      1 << 20,
    );

    expect(exchange.status).toBe(200);
    expect(digestOf(exchange.upstream!.body)).toBe(whole);
    expect(digestOf(exchange.body)).toBe(whole);
    expect(lines.filter((line) => line.startsWith("request_body("))).toHaveLength(frameCount + 1);
    expect(lines.filter((line) => line.startsWith("response_body("))).toHaveLength(frameCount + 1);
    expect(lines).toContain(`request_body(ctx=2 size=${frameBytes} end=0)`);
    expect(lines).toContain("request_body(ctx=2 size=0 end=1)");
  }, 60_000);

  it("held to its end is shown whole, and goes on whole", () => {
    const script = `request_body: return 1 | request_body#${frameCount + 1}: bufstatus 0; return 0`;
    const { exchange, lines, whole } = through(script, 128 << 20);

    expect(exchange.status).toBe(200);
    expect(digestOf(exchange.upstream!.body)).toBe(whole);
    expect(lines).toContain(`request_body(ctx=2 size=${frameBytes * frameCount} end=1)`);
  }, 60_000);

  it("is refused with 413 where it would be held beyond the limit", () => {
    const { exchange, lines } = through("request_body: return 1", 1 << 20);

    expect(exchange.status).toBe(413);
    expect(exchange.upstream).toMatchObject({ isComplete: false, body: new Uint8Array(0) });
    const sizes = lines.filter((line) => line.startsWith("request_body("));
    expect(sizes).toHaveLength((1 << 20) / frameBytes + 1);
  }, 60_000);
});

it("a body of no bytes is a request with a length of 0 and no body callback", () => {
  const envoy = new MockEnvoy({ logLevel: "info", plugins: [{ name: "probe", wasm }] });
  const exchange = envoy.thread("worker_0").request({ method: "POST", body: "" });

  expect(exchange.status).toBe(200);
  expect(exchange.upstream!.body).toHaveLength(0);
  const said = textsOf(envoy);
  expect(said.filter((line) => line.startsWith("request_body"))).toEqual([]);
  expect(said.some((line) => /^request_headers\(.* end=1\)$/.test(line))).toBe(true);
});
