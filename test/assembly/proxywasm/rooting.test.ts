import { describe, expect, test } from "vitest";
import { loadRoom } from "../../support/load-room.ts";
import { ScriptHost } from "../../support/script-host.ts";

/** What nothing roots is gone at the next allocation. */
const args = ["-O3", "--transform", "./test/support/collect-always.js"];
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("with a collection at every allocation", () => {
  test("arguments of host calls are still what they were", async () => {
    const host = new ScriptHost();
    const room = await loadRoom("test/guests/every-host-call/plugin.guest.ts", {
      imports: host.imports,
      args,
    });
    host.attach(room.exports);
    host.script("proxy_get_header_map_pairs", {
      out: [
        [
          ["a", "1"],
          ["b", "2"],
        ],
      ],
    });

    expect(room.text("headerCall", 0, "list", "", "")).toBe("0 a=1 b=2");
    room.text("httpCall", "cluster", ":path=/ x=y", utf8("body"), "t=1", 5);
    room.text("grpcCall", utf8("message"));
    room.call("setSharedData", "key", utf8("value"), 1);
    room.text("getProperty", "source", "address");
    expect(host.take().map((call) => call.args)).toEqual([
      [0],
      [
        "cluster",
        [
          [":path", "/"],
          ["x", "y"],
        ],
        "body",
        [["t", "1"]],
        5,
      ],
      ["up", "svc", "m", [["a", "b"]], "message", 5],
      ["key", "value", 1],
      ["source/address"],
    ]);
  });

  test("JSON is found behind escaped names and read from escaped strings", async () => {
    const room = await loadRoom("test/guests/json/plugin.guest.ts", { args });
    const text = utf8('{"\\u0061":{"b\\n":["x\\ty",{"n":"\\u0031\\u0032"}]}}');

    expect(room.text("text", text, "a.b\n.0")).toBe("x\ty");
    expect(room.bigint("int", text, "a.b\n.1.n")).toBe(12n);
    expect(room.bytes("rewrite", text)).toEqual(utf8('{"a":{"b\\n":["x\\ty",{"n":"12"}]}}'));
  });
});
