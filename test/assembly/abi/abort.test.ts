import { beforeEach, describe, expect, test } from "vitest";
import { loadRoom, type Room } from "../../support/load-room.ts";
import { ScriptHost } from "../../support/script-host.ts";

let host: ScriptHost;
let room: Room;

beforeEach(async () => {
  host = new ScriptHost();
  room = await loadRoom("test/guests/abort/plugin.guest.ts", {
    imports: host.imports,
    args: ["-O3", "--use", "abort=~lib/proxy-wasm-as/assembly/abi/abort/abortHook"],
  });
  host.attach(room.exports);
});

describe("a trap", () => {
  test("of the standard library is logged at critical with its place", () => {
    expect(room.call("outOfBounds", 1)).toBe(2);
    expect(() => room.call("outOfBounds", 2)).toThrow(WebAssembly.RuntimeError);

    expect(host.take()).toEqual([
      {
        name: "proxy_log",
        args: [5, expect.stringMatching(/^Index out of range at ~lib\/array\.ts:\d+:\d+$/)],
      },
    ]);
  });

  test("of the plugin is logged with its message, in UTF-8", () => {
    expect(() => room.call("say", 0)).toThrow(WebAssembly.RuntimeError);

    expect(host.take()[0]!.args[1]).toBe("grüße at test/guests/abort/plugin.guest.ts:9:18");
  });

  test("without a message says that it is one", () => {
    expect(() => room.call("say", 1)).toThrow(WebAssembly.RuntimeError);

    expect(host.take()[0]!.args[1]).toBe("abort at test/guests/abort/plugin.guest.ts:10:18");
  });

  test("with a long message is cut at 512 bytes", () => {
    expect(() => room.call("say", 2)).toThrow(WebAssembly.RuntimeError);

    expect(host.take()[0]!.args[1]).toBe("long ".repeat(300).slice(0, 512));
  });
});
