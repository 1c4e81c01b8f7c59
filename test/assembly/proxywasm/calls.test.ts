import { beforeEach, describe, expect, test } from "vitest";
import { loadRoom, type Argument, type Room } from "../../support/load-room.ts";
import { ScriptHost, type RecordedCall } from "../../support/script-host.ts";

let host: ScriptHost;
let room: Room;

beforeEach(async () => {
  host = new ScriptHost();
  room = await loadRoom("test/guests/every-host-call/plugin.guest.ts", { imports: host.imports });
  host.attach(room.exports);
  host.take();
});

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bad = Uint8Array.of(0x61, 0xff);

/** Calls a function of the guest and says which host calls that made. */
function called(name: string, ...args: readonly Argument[]): RecordedCall[] {
  room.call(name, ...args);
  return host.take();
}

describe("shared data", () => {
  test("a value comes with its cas, as bytes and as text", () => {
    host.script("proxy_get_shared_data", { out: [utf8("v1"), 9] });

    expect(room.text("getSharedData", "grüße")).toBe("0 7631 v1 cas 9");
    expect(host.take()).toEqual([{ name: "proxy_get_shared_data", args: ["grüße"] }]);
  });

  test("an empty value is Ok, a missing key NotFound", () => {
    host.script("proxy_get_shared_data", { out: [new Uint8Array(0), 3] });
    expect(room.text("getSharedData", "k")).toBe("0   cas 3");

    host.script("proxy_get_shared_data", { status: 1 });
    expect(room.text("getSharedData", "k")).toBe("1  null cas 0");
  });

  test("bytes that are not text are kept, and are no text", () => {
    host.script("proxy_get_shared_data", { out: [bad, 3] });

    expect(room.text("getSharedData", "k")).toBe("0 61ff null cas 3");
  });

  test("a failed call after a good one does not answer the good one's value", () => {
    host.script("proxy_get_shared_data", { out: [utf8("old"), 3] });
    room.text("getSharedData", "k");
    host.script("proxy_get_shared_data", { status: 1 });

    expect(room.text("getSharedData", "k")).toBe("1  null cas 0");
  });

  test("a write hands over key, value and cas, and answers the status", () => {
    host.script("proxy_set_shared_data", { status: 8 });

    expect(room.call("setSharedData", "k", utf8("v"), 5)).toBe(8);
    expect(host.take()).toEqual([{ name: "proxy_set_shared_data", args: ["k", "v", 5] }]);
    expect(room.call("createOnly") >>> 0).toBe(0xfffffffe);
  });
});

describe("shared queues", () => {
  test("are registered and resolved by name", () => {
    host.script("proxy_register_shared_queue", { out: [4] });
    host.script("proxy_resolve_shared_queue", { status: 1, out: [5] });

    expect(room.text("registerQueue", "q")).toBe("0 4");
    expect(room.text("resolveQueue", "vm", "q")).toBe("1 0");
    expect(host.take().map((call) => call.args)).toEqual([["q"], ["vm", "q"]]);
  });

  test("tell an empty element from an empty queue", () => {
    host.script("proxy_dequeue_shared_queue", { out: [new Uint8Array(0)] });
    expect(room.text("dequeue", 4)).toBe("0  ");

    host.script("proxy_dequeue_shared_queue", { status: 7 });
    expect(room.text("dequeue", 4)).toBe("7  null");
  });

  test("take bytes", () => {
    expect(called("enqueue", 4, bad)).toEqual([
      { name: "proxy_enqueue_shared_queue", args: [4, bad] },
    ]);
  });
});

describe("properties and configuration", () => {
  test("a path's parts are separated by NUL", () => {
    host.script("proxy_get_property", { out: [utf8("x")] });

    expect(room.text("getProperty", "source", "address")).toBe("0 78 x");
    expect(host.take()).toEqual([{ name: "proxy_get_property", args: ["source/address"] }]);
    expect(called("setProperty", "user", bad)).toEqual([
      { name: "proxy_set_property", args: ["user", bad] },
    ]);
  });

  test("configurations are buffers, read whole", () => {
    host.script("proxy_get_buffer_bytes", { out: [utf8("{}")] });

    expect(room.text("pluginConfiguration")).toBe("0 7b7d {}");
    expect(room.text("vmConfiguration")).toBe("0 7b7d {}");
    expect(host.take().map((call) => call.args)).toEqual([
      [7, 0, 0x7fffffff],
      [6, 0, 0x7fffffff],
    ]);
  });

  test("a configuration that is not there is NotFound", () => {
    host.script("proxy_get_buffer_bytes", { status: 1 });

    expect(room.text("pluginConfiguration")).toBe("1  null");
  });
});

describe.each([
  ["request headers", 0],
  ["request trailers", 1],
  ["response headers", 2],
  ["response trailers", 3],
])("%s", (_, map) => {
  test("are read by name and as a list", () => {
    host.script("proxy_get_header_map_value", { out: [bad] });
    host.script("proxy_get_header_map_pairs", {
      out: [
        [
          ["A", "1"],
          ["a", ""],
        ],
      ],
    });

    expect(room.text("headerCall", map, "get", "A", "")).toBe("0 61ff null");
    expect(room.text("headerCall", map, "list", "", "")).toBe("0 A=1 a=");
    expect(host.take().map((call) => call.args)).toEqual([[map, "A"], [map]]);
  });

  test("that are empty tell a missing value from an empty one", () => {
    host.script("proxy_get_header_map_value", { status: 1 });
    expect(room.text("headerCall", map, "get", "A", "")).toBe("1  null");

    host.script("proxy_get_header_map_value", {});
    expect(room.text("headerCall", map, "get", "A", "")).toBe("0  ");
    expect(room.text("headerCall", map, "list", "", "")).toBe("0");
  });

  test("are changed one by one and all together", () => {
    for (const call of ["add", "replace", "remove", "set"]) {
      room.text("headerCall", map, call, "n", "v=w x=y");
    }

    expect(host.take()).toEqual([
      { name: "proxy_add_header_map_value", args: [map, "n", "v=w x=y"] },
      { name: "proxy_replace_header_map_value", args: [map, "n", "v=w x=y"] },
      { name: "proxy_remove_header_map_value", args: [map, "n"] },
      {
        name: "proxy_set_header_map_pairs",
        args: [
          map,
          [
            ["v", "w"],
            ["x", "y"],
          ],
        ],
      },
    ]);
  });

  test("that come as malformed bytes are a status", () => {
    host.script("proxy_get_header_map_pairs", { out: [Uint8Array.of(9, 0, 0, 0, 1)] });

    expect(room.text("headerCall", map, "list", "", "")).toBe("4");
  });
});

describe("lists of headers that a host would take for empty ones", () => {
  test.each(["set", "respond", "call", "trailers", "grpc", "stream"])(
    "are refused before the call: %s",
    (call) => {
      expect(room.call("withTooMany", call)).toBe(2);
      expect(host.take()).toEqual([]);
    },
  );
});

describe("answers of calls", () => {
  test.each([4, 5, 6, 7])("map %i is read as a list", (map) => {
    host.script("proxy_get_header_map_pairs", { out: [[[":status", "200"]]] });

    expect(room.text("answeredHeaders", map)).toBe("0 :status=200");
    expect(host.take()).toEqual([{ name: "proxy_get_header_map_pairs", args: [map] }]);
  });

  test("a single header of an answer is asked for in map 6", () => {
    expect(called("callResponseHeader", ":status")).toEqual([
      { name: "proxy_get_header_map_value", args: [6, ":status"] },
    ]);
  });

  test("the status of a failed call has code and message", () => {
    host.script("proxy_get_status", { out: [11, utf8("reset")] });

    expect(room.text("callStatus")).toBe("0 7265736574 reset code 11");
  });
});

describe("buffers", () => {
  test.each([
    [0, 3, 4],
    [1, 3, 4],
    [2, 3, 4],
    [3, 3, 4],
    [4, 3, 4],
    [5, 0, 0x7fffffff],
    [8, 0, 0x7fffffff],
    [9, 0, 0x7fffffff],
  ])("buffer %i is read from %i, %i bytes", (type, start, length) => {
    expect(called("readBuffer", type, 3, 4)).toEqual([
      { name: "proxy_get_buffer_bytes", args: [type, start, length] },
    ]);
  });

  test.each([0, 1, 2, 3])("buffer %i is replaced, appended to, prepended to", (type) => {
    const edits = ["replace", "append", "prepend"].flatMap((edit) =>
      called("editBuffer", type, edit, bad),
    );

    expect(edits.map((edit) => edit.args)).toEqual([
      [type, 0, 0x7fffffff, bad],
      [type, 0x7fffffff, 0, bad],
      [type, 0, 0, bad],
    ]);
  });

  test.each([0, 1])("body %i is set in any range, and the status comes back", (type) => {
    host.script("proxy_set_buffer_bytes", { status: 2 });

    expect(room.call("editBuffer", type, "set", utf8("x"))).toBe(2);
    expect(host.take()[0]!.args).toEqual([type, 1, 2, "x"]);
  });

  test("a buffer's size is a status and a number", () => {
    host.script("proxy_get_buffer_status", { out: [17, 0] });
    expect(room.text("bufferSize", 0)).toBe("0 17");

    host.script("proxy_get_buffer_status", { status: 1 });
    expect(room.text("bufferSize", 0)).toBe("1 0");
  });
});

describe("streams", () => {
  test.each([
    ["resume request", "proxy_continue_stream", [0]],
    ["resume response", "proxy_continue_stream", [1]],
    ["continue tcp", "proxy_continue_stream", [2]],
    ["close request", "proxy_close_stream", [0]],
    ["close downstream", "proxy_close_stream", [2]],
    ["close upstream", "proxy_close_stream", [3]],
    ["effective", "proxy_set_effective_context", [7]],
    ["done", "proxy_done", []],
  ])("%s is %s", (call, name, args) => {
    host.script(name, { status: 2 });

    expect(room.call("streamCall", call)).toBe(2);
    expect(host.take()).toEqual([{ name, args }]);
  });

  test("a response of the plugin has headers, body and no gRPC status unless one is given", () => {
    room.call("sendResponse", 403, "a=b", bad);
    room.call("sendGrpcResponse");

    expect(host.take().map((call) => call.args)).toEqual([
      [403, "", bad, [["a", "b"]], -1],
      [200, "", "", [], 14],
    ]);
  });
});

describe("HTTP and gRPC calls", () => {
  test("an HTTP call hands everything over and answers a token", () => {
    host.script("proxy_http_call", { out: [4] });

    expect(room.text("httpCall", "up", ":path=/ a=", bad, "t=1", 500)).toBe("0 4");
    expect(host.take()).toEqual([
      {
        name: "proxy_http_call",
        args: [
          "up",
          [
            [":path", "/"],
            ["a", ""],
          ],
          bad,
          [["t", "1"]],
          500,
        ],
      },
    ]);
  });

  test("a refused HTTP call has no token", () => {
    host.script("proxy_http_call", { status: 2, out: [4] });

    expect(room.text("httpCall", "up", "", bad, "", 500)).toBe("2 0");
  });

  test("gRPC calls and streams do the same", () => {
    host.script("proxy_grpc_call", { out: [5] });
    host.script("proxy_grpc_stream", { status: 4 });

    expect(room.text("grpcCall", bad)).toBe("0 5");
    expect(room.text("grpcStream")).toBe("4 0");
    expect(host.take().map((call) => call.args)).toEqual([
      ["up", "svc", "m", [["a", "b"]], bad, 5],
      ["up", "svc", "m", [["a", "b"]]],
    ]);
  });

  test("a gRPC stream is sent to, cancelled and closed by token", () => {
    const calls = [
      ...called("grpcSend", bad, true),
      ...called("grpcSend", bad, false),
      ...called("grpcEnd", "cancel"),
      ...called("grpcEnd", "close"),
    ];

    expect(calls).toEqual([
      { name: "proxy_grpc_send", args: [6, bad, 1] },
      { name: "proxy_grpc_send", args: [6, bad, 0] },
      { name: "proxy_grpc_cancel", args: [6] },
      { name: "proxy_grpc_close", args: [6] },
    ]);
  });

  test("a foreign function answers bytes or a status", () => {
    host.script("proxy_call_foreign_function", { out: [bad] });
    expect(room.text("foreign", "f", bad)).toBe("0 61ff null");
    expect(host.take()).toEqual([{ name: "proxy_call_foreign_function", args: ["f", bad] }]);

    host.script("proxy_call_foreign_function", { status: 1 });
    expect(room.text("foreign", "f", bad)).toBe("1  null");
  });
});

describe("what only Higress has", () => {
  test("reaches its own host functions", () => {
    host.script("proxy_redis_call", { out: [7] });
    host.script("proxy_get_upstream_hosts", { out: [[["10.0.0.1:80", "{}"]]] });

    expect(room.text("redisCall", bad)).toBe("0 7");
    expect(room.text("upstreamHosts")).toBe("0 10.0.0.1:80={}");
    room.call("redisInit");
    room.call("inject", bad, true);
    room.call("overrideHost", "10.0.0.1:80");
    expect(host.take().map((call) => call.args)).toEqual([
      ["redis", bad],
      [],
      ["redis?db=1", "user", "secret", 9],
      [bad, 1],
      ["10.0.0.1:80"],
    ]);
  });
});

describe("a thousand calls with answers", () => {
  test("keep memory as it is: every block of the host is freed", () => {
    host.script("proxy_get_header_map_pairs", { out: [[["a".repeat(500), "b".repeat(1500)]]] });
    host.script("proxy_get_shared_data", { out: [new Uint8Array(2000).fill(0x61), 1] });

    for (let i = 0; i < 1000; i++) {
      room.text("headerCall", 0, "list", "", "");
      room.text("getSharedData", "k");
    }

    expect(room.pages()).toBeLessThanOrEqual(4);
  });
});
