// 10,000 VMs of metrics-reporter in one process: start time and resident memory a VM.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MockEnvoy } from "../dist/index.js";
import { root } from "./measure.js";

const wasm = new Uint8Array(
  readFileSync(join(root, "examples/metrics-reporter/build/metrics-reporter.wasm")),
);
const plugins = [{ name: "metrics-reporter", wasm, configuration: { collector: "collector" } }];
const clusters = { collector: { status: 204 } };

function start(concurrency) {
  globalThis.gc();
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const envoy = new MockEnvoy({ concurrency, plugins, clusters });
  envoy.start();
  const took = performance.now() - began;
  globalThis.gc();
  return { envoy, took, bytes: process.memoryUsage.rss() - before };
}

start(50); // warms the engine up
const count = 10_000;
const { envoy, took, bytes } = start(count - 1);
console.log(
  `${count} VMs: ${((took / count) * 1000).toFixed(0)} µs a VM to start and configure (aim 150)`,
);
console.log(`${count} VMs: ${(bytes / count / 1024).toFixed(1)} KiB resident a VM (aim 60)`);
const began = performance.now();
envoy.advance("10s");
console.log(
  `ten virtual seconds of all of them: ${((performance.now() - began) / 1000).toFixed(1)} s`,
);
