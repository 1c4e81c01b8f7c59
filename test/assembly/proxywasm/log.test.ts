import { beforeEach, describe, expect, test } from "vitest";
import { loadRoom, type Room } from "../../support/load-room.ts";
import { ScriptHost } from "../../support/script-host.ts";

let host: ScriptHost;
let room: Room;

beforeEach(async () => {
  host = new ScriptHost();
  room = await loadRoom("test/guests/every-host-call/plugin.guest.ts", { imports: host.imports });
  host.attach(room.exports);
});

const names = (): string[] => host.take().map((call) => call.name);

describe("logging", () => {
  test.each([
    [0, ["trace", "debug", "info", "warn", "error", "critical"]],
    [2, ["info", "warn", "error", "critical"]],
    [5, ["critical"]],
    [6, []],
  ])("at level %i of the host lets %j through", (level, lines) => {
    host.script("proxy_get_log_level", { out: [level] });
    room.call("enterCallback");
    room.call("logAll");

    const logged = host.take().filter((call) => call.name === "proxy_log");
    expect(logged.map((call) => call.args[1])).toEqual(lines);
    expect(logged.map((call) => call.args[0])).toEqual([0, 1, 2, 3, 4, 5].slice(level));
  });

  test("asks the host for its level once in a callback, and again in the next", () => {
    host.script("proxy_get_log_level", { out: [6] });
    room.call("enterCallback");
    room.call("logAll");
    room.call("logAll");
    expect(names()).toEqual(["proxy_get_log_level"]);

    host.script("proxy_get_log_level", { out: [5] });
    room.call("enterCallback");
    room.call("logAll");
    expect(names()).toEqual(["proxy_get_log_level", "proxy_log"]);
  });

  test("does not ask before the first callback, where the host forbids it", () => {
    room.call("log", 0, "early");

    expect(host.take()).toEqual([{ name: "proxy_log", args: [0, "early"] }]);
  });

  test("sends every line to a host that does not tell its level", () => {
    host.script("proxy_get_log_level", { status: 12 });
    room.call("enterCallback");
    room.call("logAll");

    expect(names().filter((name) => name === "proxy_log")).toHaveLength(6);
    expect(room.call("logLevel")).toBe(0);
  });

  test("sends half a surrogate pair as U+FFFD, not as bytes that are no text", () => {
    room.call("log", 2, "a\ud83db");

    expect(host.take()[0]!.args).toEqual([2, "a\ufffdb"]);
  });
});
