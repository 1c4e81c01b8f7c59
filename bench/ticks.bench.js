// One tick (get, cas set, one log line) in a bare Node loop, in MockEnvoy and in other hosts, alternating.
import { MockEnvoy } from "../dist/index.js";
import { alternate, compile, compiledPath, median, rawGuest, speedOf } from "./measure.js";
import { rivals } from "./rivals.js";

const entry = "bench/guests/tick.ts";
const bytes = compile(entry, rawGuest);
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

const perTick = (ms) => (ms / ticks) * 1e6;
const kinds = {
  "bare loop": () => perTick(bareLoop()),
  "MockEnvoy, tracing off": () => perTick(mockEnvoy("outcome")),
  "MockEnvoy, full trace, held in memory": () => {
    const events = [];
    return perTick(mockEnvoy("full", (event) => events.push(event)));
  },
};
for (const [name, run] of Object.entries(rivals())) {
  kinds[name] = () => run("ticks", compiledPath(entry), ticks, ticks / 10);
}
const aims = {
  "MockEnvoy, tracing off": "aim 0.5",
  "MockEnvoy, full trace, held in memory": "aim 0.2",
};
const times = alternate(kinds, rounds);
for (const kind of Object.keys(kinds)) {
  const ns = median(times[kind]).toFixed(0).padStart(7);
  const ratio = speedOf(times, kind, "bare loop").toFixed(2);
  const aim = aims[kind] === undefined ? "" : ` (${aims[kind]})`;
  console.log(`${kind.padEnd(38)} ${ns} ns a tick, ${ratio} of the bare loop's speed${aim}`);
}
if (kinds["Go emulator"] !== undefined) {
  const ratio = speedOf(times, "MockEnvoy, tracing off", "Go emulator").toFixed(1);
  console.log(`MockEnvoy, tracing off: ${ratio} times the Go emulator's speed (aim 5)`);
}
