// One tick (get, cas set, one log line) in a bare Node loop and in MockEnvoy, one process, alternating.
import { MockEnvoy } from "../dist/index.js";
import { compile, median } from "./measure.js";

const bytes = compile("bench/guests/tick.ts", [
  ...[
    "--config",
    "bench/guests/asconfig.json",
    "-O3",
    "--runtime",
    "minimal",
    "--exportStart",
    "_initialize",
    "--use",
    "abort=",
  ],
]);
const module = new WebAssembly.Module(bytes);
const ticks = 100_000;
const rounds = 9;

/** The least a host can do: a real map with versions, a real log, memory read and written through the allocator. */
function bareLoop() {
  const store = new Map();
  const lines = [];
  let version = 0;
  const decoder = new TextDecoder();
  const vms = [0, 1].map(() => {
    let exports;
    const u8 = () => new Uint8Array(exports.memory.buffer);
    const env = {
      proxy_log: (level, ptr, size) => {
        lines.push({ level, message: u8().slice(ptr, ptr + size) });
        return 0;
      },
      proxy_set_tick_period_milliseconds: () => 0,
      proxy_get_shared_data: (key, keySize, outPtr, outSize, outCas) => {
        const entry = store.get(decoder.decode(u8().subarray(key, key + keySize)));
        if (entry === undefined) return 1;
        const at = exports.proxy_on_memory_allocate(entry.value.length) >>> 0;
        u8().set(entry.value, at);
        const view = new DataView(exports.memory.buffer);
        view.setUint32(outPtr, at, true);
        view.setUint32(outSize, entry.value.length, true);
        view.setUint32(outCas, entry.cas, true);
        return 0;
      },
      proxy_set_shared_data: (key, keySize, ptr, size, cas) => {
        const name = decoder.decode(u8().subarray(key, key + keySize));
        const entry = store.get(name);
        if (entry !== undefined && cas !== 0 && cas !== entry.cas) return 8;
        store.set(name, { value: u8().slice(ptr, ptr + size), cas: ++version });
        return 0;
      },
    };
    exports = new WebAssembly.Instance(module, { env }).exports;
    exports._initialize();
    return exports;
  });
  const start = performance.now();
  for (let i = 0; i < ticks / 2; i++) for (const vm of vms) vm.proxy_on_tick(1);
  return performance.now() - start;
}

function mockEnvoy(trace, listener) {
  const plugins = [{ name: "tick", wasm: bytes }];
  const envoy = new MockEnvoy({ concurrency: 1, plugins, clusters: {}, trace });
  if (listener) envoy.recorder.listen(listener);
  envoy.advance("1ms");
  const start = performance.now();
  envoy.advance(`${ticks / 2}ms`);
  return performance.now() - start;
}

const kinds = {
  "tracing off": () => mockEnvoy("outcome"),
  "full trace, held in memory": () => {
    const events = [];
    return mockEnvoy("full", (event) => events.push(event));
  },
};
const times = { bare: [], ...Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []])) };
for (let round = 0; round <= rounds; round++) {
  const bare = bareLoop();
  const mocks = Object.entries(kinds).map(([kind, run]) => [kind, run()]);
  if (round === 0) continue; // the first round warms the engine up
  times.bare.push(bare);
  for (const [kind, ms] of mocks) times[kind].push(ms);
}
const perTick = (ms) => ((ms / ticks) * 1e6).toFixed(0).padStart(6);
console.log(`bare loop                   ${perTick(median(times.bare))} ns a tick`);
for (const kind of Object.keys(kinds)) {
  const ratio = median(times.bare.map((bare, i) => bare / times[kind][i]));
  const aim = kind === "tracing off" ? 0.5 : 0.2;
  console.log(
    `MockEnvoy, ${kind.padEnd(16)} ${perTick(median(times[kind]))} ns a tick, ` +
      `${ratio.toFixed(2)} of the bare loop's speed (aim ${aim})`,
  );
}
