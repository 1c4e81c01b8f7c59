import { fc, test as property } from "@fast-check/vitest";
import { beforeEach, describe, expect, test } from "vitest";
import { loadRoom, type Room } from "../../support/load-room.ts";
import { ScriptHost } from "../../support/script-host.ts";

let host: ScriptHost;
let room: Room;

async function load(
  guest: string,
  runtime: "incremental" | "minimal" = "incremental",
): Promise<void> {
  host = new ScriptHost();
  room = await loadRoom(`test/guests/${guest}/plugin.guest.ts`, { imports: host.imports, runtime });
  host.attach(room.exports);
  host.script("proxy_get_log_level", { out: [0] });
}

/** The lines logged since the last look, with their level. */
const lines = (): string[] =>
  host
    .take()
    .filter((call) => call.name === "proxy_log")
    .map(
      ({ args }) =>
        `${["trace", "debug", "info", "warn", "error"][Number(args[0])]}: ${String(args[1])}`,
    );

describe("callbacks", () => {
  beforeEach(async () => {
    await load("every-callback");
    room.call("proxy_on_context_create", 1, 0);
    room.call("proxy_on_context_create", 2, 1);
    host.take();
  });

  test.each([
    ["proxy_on_vm_start", [1, 5], 1, "vmStart 1 5 0 0 0"],
    ["proxy_on_vm_start", [1, 99], 0, "vmStart 1 99 0 0 0"],
    ["proxy_on_configure", [1, 5], 1, "configure 1 5 0 0 0"],
    ["proxy_on_configure", [1, 99], 0, "configure 1 99 0 0 0"],
    ["proxy_on_tick", [1], undefined, "tick 1 0 0 0 0"],
    ["proxy_on_queue_ready", [1, 7], undefined, "queueReady 1 7 0 0 0"],
    ["proxy_on_request_headers", [2, 3, 1], 1, "requestHeaders 2 3 1 0 0"],
    ["proxy_on_request_body", [2, 3, 0], 1, "requestBody 2 3 0 0 0"],
    ["proxy_on_request_trailers", [2, 3], 1, "requestTrailers 2 3 0 0 0"],
    ["proxy_on_response_headers", [2, 3, 0], 1, "responseHeaders 2 3 0 0 0"],
    ["proxy_on_response_body", [2, 3, 1], 1, "responseBody 2 3 1 0 0"],
    ["proxy_on_response_trailers", [2, 3], 1, "responseTrailers 2 3 0 0 0"],
    ["proxy_on_new_connection", [2], 1, "newConnection 2 0 0 0 0"],
    ["proxy_on_downstream_data", [2, 3, 1], 1, "downstreamData 2 3 1 0 0"],
    ["proxy_on_upstream_data", [2, 3, 0], 1, "upstreamData 2 3 0 0 0"],
    ["proxy_on_downstream_connection_close", [2, 2], undefined, "downstreamClose 2 2 0 0 0"],
    ["proxy_on_upstream_connection_close", [2, 1], undefined, "upstreamClose 2 1 0 0 0"],
    ["proxy_on_http_call_response", [1, 4, 5, 6, 7], undefined, "httpCallResponse 1 4 5 6 7"],
    [
      "proxy_on_grpc_receive_initial_metadata",
      [1, 5, 6],
      undefined,
      "grpcInitialMetadata 1 5 6 0 0",
    ],
    ["proxy_on_grpc_receive", [1, 5, 6], undefined, "grpcReceive 1 5 6 0 0"],
    [
      "proxy_on_grpc_receive_trailing_metadata",
      [1, 5, 6],
      undefined,
      "grpcTrailingMetadata 1 5 6 0 0",
    ],
    ["proxy_on_grpc_close", [1, 5, 14], undefined, "grpcClose 1 5 14 0 0"],
    ["proxy_on_redis_call_response", [1, 7, 1, 9], undefined, "redisCallResponse 1 7 1 9 0"],
    ["proxy_on_foreign_function", [2, 7, 9], undefined, "foreignFunction 2 7 9 0 0"],
    ["proxy_on_log", [2], undefined, "log 2 0 0 0 0"],
    ["proxy_on_log", [1], undefined, "log 1 0 0 0 0"],
    ["proxy_on_done", [1], 0, "done 1 0 0 0 0"],
    ["proxy_on_done", [2], 1, "done 2 0 0 0 0"],
  ])("%s(%j) answers %j and fills its slot", (name, args, answer, line) => {
    expect(room.call(name, ...args)).toBe(answer);
    expect(lines()).toEqual([`info: ${line}`]);
  });

  test.each([
    ["proxy_on_vm_start", [9, 0], 1],
    ["proxy_on_configure", [9, 0], 0],
    ["proxy_on_tick", [9], undefined],
    ["proxy_on_request_headers", [9, 0, 0], 0],
    ["proxy_on_http_call_response", [9, 0, 0, 0, 0], undefined],
    ["proxy_on_done", [9], 1],
    ["proxy_on_log", [9], undefined],
    ["proxy_on_delete", [9], undefined],
  ])("%s for a context nobody knows is logged, and the VM lives on", (name, args, answer) => {
    expect(room.call(name, ...args)).toBe(answer);
    expect(lines()).toEqual(["warn: proxy-wasm-as: callback for an unknown context 9"]);
  });

  test("a stream's callback for a root, and a root's for a stream, are logged", () => {
    expect(room.call("proxy_on_request_headers", 1, 0, 0)).toBe(0);
    room.call("proxy_on_tick", 2);

    expect(lines()).toEqual([
      "warn: proxy-wasm-as: callback of the other kind for context 1",
      "warn: proxy-wasm-as: callback of the other kind for context 2",
    ]);
  });

  test("a stream of an unknown root, or of a stream, is logged and not made", () => {
    room.call("proxy_on_context_create", 3, 8);
    room.call("proxy_on_context_create", 4, 2);

    expect(lines()).toEqual([
      "warn: proxy-wasm-as: stream ignored, unknown root context 8",
      "warn: proxy-wasm-as: stream ignored, unknown root context 2",
    ]);
    expect(room.call("live")).toBe(2);
  });

  test("contexts are done, then deleted, then gone", () => {
    room.call("proxy_on_done", 2);
    expect(room.call("alive", 2)).toBe(1);
    room.call("proxy_on_delete", 2);

    expect(lines()).toEqual(["info: done 2 0 0 0 0", "info: delete 2 0 0 0 0"]);
    expect(room.call("alive", 2)).toBe(0);
    expect(room.call("live")).toBe(1);
  });

  test("a root that is made again ends its old generation first and keeps its id", () => {
    room.call("proxy_on_context_create", 1, 0);

    expect(lines()).toEqual([
      "info: done 1 0 0 0 0",
      "info: delete 1 0 0 0 0",
      "info: createRoot 1 generation 2",
    ]);
    expect(room.call("live")).toBe(2);
    // The stream of the old generation still ends in order.
    room.call("proxy_on_log", 2);
    room.call("proxy_on_delete", 2);
    expect(lines()).toEqual(["info: log 2 0 0 0 0", "info: delete 2 0 0 0 0"]);
  });

  test("every callback asks for the host's log level anew", () => {
    host.script("proxy_get_log_level", { out: [6] });
    room.call("proxy_on_tick", 1);
    expect(lines()).toEqual([]);

    host.script("proxy_get_log_level", { out: [2] });
    room.call("proxy_on_tick", 1);
    expect(lines()).toEqual(["info: tick 1 0 0 0 0"]);
  });

  property.prop(
    [fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 2, max: 90 })), { maxLength: 300 })],
    {
      numRuns: 20,
    },
  )("contexts are found among any others, whatever was made and deleted before", (steps) => {
    const model = new Set<number>();
    for (let id = 2; id <= 200; id++) if (room.call("alive", id)) room.call("proxy_on_delete", id);
    for (const [isMade, small] of steps) {
      // Ids that are equal in their low bits meet in the table.
      const id = small % 3 === 0 ? small * 16 : small;
      if (isMade) {
        room.call("proxy_on_context_create", id, 1);
        model.add(id);
      } else {
        room.call("proxy_on_delete", id);
        model.delete(id);
      }
    }

    for (let id = 2; id <= 1440; id++) expect(room.call("alive", id)).toBe(model.has(id) ? 1 : 0);
    for (const id of model) room.call("proxy_on_delete", id);
    expect(room.call("live")).toBeGreaterThanOrEqual(1);
  });
});

// With the runtime `minimal` the SDK collects at the end of callbacks; else the collector runs by
// itself.
describe.each(["incremental", "minimal"] as const)("with the runtime %s", (runtime) => {
  beforeEach(async () => {
    await load("every-callback", runtime);
    room.call("proxy_on_context_create", 1, 0);
    host.script("proxy_get_log_level", { out: [6] });
  });

  test("20,000 streams, 1,000 of them at a time, leave nothing behind", () => {
    for (let id = 3; id < 20_003; id++) {
      room.call("proxy_on_context_create", id, 1);
      room.call("proxy_on_request_headers", id, 0, 0);
      if (id >= 1003) room.call("proxy_on_delete", id - 1000);
      if (id % 1000 === 0) host.take();
    }

    expect(room.call("live")).toBe(1001);
    expect(room.pages()).toBeLessThanOrEqual(8);
    for (let id = 19_003; id < 20_003; id++)
      expect(room.call("proxy_on_request_headers", id, 0, 0)).toBe(1);
  });

  test("1,000 ticks that read 100 KiB each need room for a few of them only", () => {
    host.script("proxy_get_buffer_bytes", { out: [new Uint8Array(100 * 1024)] });
    for (let i = 0; i < 1000; i++) room.call("proxy_on_tick", 1);

    expect(room.pages()).toBeLessThanOrEqual(32);
  });

  test("what a plugin holds outlives every collection", () => {
    for (let i = 0; i < 500; i++) room.call("proxy_on_tick", 1);
    host.script("proxy_get_log_level", { out: [0] });
    host.take();
    room.call("proxy_on_context_create", 1, 0);

    expect(lines()).toEqual([
      "info: done 1 0 0 0 0",
      "info: delete 1 0 0 0 0",
      "info: createRoot 1 generation 2",
    ]);
  });
});

describe("several plugins in one module", () => {
  beforeEach(() => load("two-plugins"));

  test("are told apart by root_id", () => {
    host.script("proxy_get_property", { out: [Buffer.from("first")] });
    room.call("proxy_on_context_create", 1, 0);
    host.script("proxy_get_property", { out: [Buffer.from("second")] });
    room.call("proxy_on_context_create", 2, 0);
    expect(host.take()).toEqual([
      { name: "proxy_get_property", args: ["plugin_root_id"] },
      { name: "proxy_get_property", args: ["plugin_root_id"] },
    ]);

    expect(room.call("proxy_on_configure", 1, 0)).toBe(1);
    expect(room.call("proxy_on_configure", 2, 0)).toBe(1);
    room.call("proxy_on_tick", 1);
    room.call("proxy_on_tick", 2);
    expect(lines()).toEqual(["info: first configures 1", "info: first ticks"]);
  });

  test.each([
    ["another name", { out: [Buffer.from("third")] }, "third"],
    ["none", { status: 1 }, ""],
  ])("refuse a root_id of %s when they are configured", (_, answer, name) => {
    host.script("proxy_get_property", answer);
    room.call("proxy_on_context_create", 1, 0);

    expect(room.call("proxy_on_vm_start", 1, 0)).toBe(1);
    expect(room.call("proxy_on_configure", 1, 0)).toBe(0);
    expect(lines()).toEqual([
      `error: proxy-wasm-as: no plugin is registered for root_id "${name}"; registered: first second`,
    ]);
  });

  test("answer to empty slots as a host does to missing exports", () => {
    host.script("proxy_get_property", { out: [Buffer.from("second")] });
    room.call("proxy_on_context_create", 1, 0);
    room.call("proxy_on_context_create", 2, 1);

    expect(room.call("proxy_on_vm_start", 1, 0)).toBe(1);
    expect(room.call("proxy_on_request_headers", 2, 0, 0)).toBe(0);
    expect(room.call("proxy_on_downstream_data", 2, 0, 0)).toBe(0);
    expect(room.call("proxy_on_done", 2)).toBe(1);
    room.call("proxy_on_delete", 2);
    expect(lines()).toEqual([]);
  });
});

describe("a module without a plugin", () => {
  test("is refused when it is configured", async () => {
    await load("no-plugin");
    host.script("proxy_get_property", { status: 1 });
    room.call("proxy_on_context_create", 1, 0);

    expect(room.call("proxy_on_configure", 1, 0)).toBe(0);
    expect(lines()).toEqual([
      'error: proxy-wasm-as: no plugin is registered for root_id ""; registered: none',
    ]);
  });
});
