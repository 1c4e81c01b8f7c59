// One request (path read, header set, response header added) in a bare Node loop, in MockEnvoy and in other hosts,
// alternating.
import { MockEnvoy } from "../dist/index.js";
import { alternate, compile, compiledPath, median, rawGuest, speedOf } from "./measure.js";
import { rivals } from "./rivals.js";

const entry = "bench/guests/request.ts";
const bytes = compile(entry, rawGuest);
const module = new WebAssembly.Module(bytes);
const requests = 20_000;
const rounds = 9;
const accept = { accept: "*/*" };

/** The least a host can do: real lists of headers, memory through the allocator, contexts, and what a test looks at. */
function bareLoop() {
  const streams = new Map();
  const exchanges = [];
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let exports;
  let current;
  const u8 = () => new Uint8Array(exports.memory.buffer);
  const text = (ptr, size) => decoder.decode(u8().subarray(ptr, ptr + size));
  const mapOf = (type) => (type === 0 ? current.request : current.response);
  const env = {
    proxy_get_header_map_value: (type, key, keySize, outPtr, outSize) => {
      const name = text(key, keySize);
      const found = mapOf(type).find(([one]) => one === name);
      if (found === undefined) return 1;
      const value = encoder.encode(found[1]);
      const at = exports.proxy_on_memory_allocate(value.length) >>> 0;
      u8().set(value, at);
      const view = new DataView(exports.memory.buffer);
      view.setUint32(outPtr, at, true);
      view.setUint32(outSize, value.length, true);
      return 0;
    },
    proxy_replace_header_map_value: (type, key, keySize, ptr, size) => {
      const name = text(key, keySize);
      const map = mapOf(type);
      const at = map.findIndex(([one]) => one === name);
      if (at >= 0) map.splice(at, 1);
      map.push([name, text(ptr, size)]);
      return 0;
    },
    proxy_add_header_map_value: (type, key, keySize, ptr, size) => {
      mapOf(type).push([text(key, keySize), text(ptr, size)]);
      return 0;
    },
  };
  exports = new WebAssembly.Instance(module, { env }).exports;
  exports._initialize();
  exports.proxy_on_context_create(1, 0);
  exports.proxy_on_vm_start(1, 0);
  exports.proxy_on_configure(1, 0);
  const start = performance.now();
  for (let i = 0; i < requests; i++) {
    const id = i + 2;
    current = {
      request: [
        [":authority", "localhost"],
        [":path", "/shop"],
        [":method", "GET"],
        [":scheme", "http"],
        ["accept", "*/*"],
      ],
      response: [
        [":status", "200"],
        ["content-type", "text/plain"],
      ],
    };
    streams.set(id, current);
    exports.proxy_on_context_create(id, 1);
    exports.proxy_on_request_headers(id, current.request.length, 1);
    exports.proxy_on_response_headers(id, current.response.length, 1);
    exports.proxy_on_log(id);
    exports.proxy_on_done(id);
    streams.delete(id);
    exchanges.push(current);
    if (current.response.at(-1)[0] !== "x-bench") throw new Error("the plugin did not run");
  }
  return performance.now() - start;
}

function mockEnvoy(trace) {
  const envoy = new MockEnvoy({
    concurrency: 1,
    plugins: [{ name: "request", wasm: bytes }],
    trace,
  });
  envoy.start();
  const worker = envoy.thread("worker_0");
  const upstream = { headers: { "content-type": "text/plain" } };
  const start = performance.now();
  for (let i = 0; i < requests; i++) {
    const exchange = worker.request({ path: "/shop", headers: accept, upstream });
    if (exchange.status !== 200) throw new Error("the request was not answered");
  }
  return performance.now() - start;
}

const perRequest = (ms) => (ms / requests) * 1e6;
const kinds = {
  "bare loop": () => perRequest(bareLoop()),
  "MockEnvoy, tracing off": () => perRequest(mockEnvoy("outcome")),
  "MockEnvoy, full trace": () => perRequest(mockEnvoy("full")),
};
for (const [name, run] of Object.entries(rivals())) {
  kinds[name] = () => run("requests", compiledPath(entry), requests, requests / 10);
}
const times = alternate(kinds, rounds);
for (const kind of Object.keys(kinds)) {
  const ns = median(times[kind]).toFixed(0).padStart(7);
  const ratio = speedOf(times, kind, "bare loop").toFixed(2);
  const aim = kind === "MockEnvoy, tracing off" ? " (aim 0.3)" : "";
  console.log(`${kind.padEnd(24)} ${ns} ns a request, ${ratio} of the bare loop's speed${aim}`);
}
