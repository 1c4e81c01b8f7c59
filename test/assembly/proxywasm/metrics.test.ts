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

const writes = (): string[] =>
  host
    .take()
    .map((call) => call.name)
    .filter((name) => name === "proxy_increment_metric" || name === "proxy_record_metric");

describe("metrics", () => {
  test("a counter is defined by name, added to and read by id", () => {
    host.script("proxy_define_metric", { out: [8] });
    host.script("proxy_get_metric", { out: [2n ** 64n - 1n] });

    expect(room.text("counter", "requests", 3n)).toBe("0 0 18446744073709551615");
    expect(host.take()).toEqual([
      { name: "proxy_define_metric", args: [0, "requests"] },
      { name: "proxy_increment_metric", args: [8, 3n] },
      { name: "proxy_get_metric", args: [8] },
    ]);
  });

  test("reading writes nothing", () => {
    room.text("readCounter", "requests");

    expect(writes()).toEqual([]);
  });

  test("adding nothing to a counter is Ok, though a host would refuse it", () => {
    host.script("proxy_increment_metric", { status: 2 });

    expect(room.text("counter", "requests", 0n)).toBe("0 0 0");
    expect(writes()).toEqual([]);
  });

  test("a refused increment says so", () => {
    host.script("proxy_increment_metric", { status: 2 });

    expect(room.text("counter", "requests", 1n)).toBe("0 2 0");
  });

  test("a metric that could not be defined is not asked about again", () => {
    host.script("proxy_define_metric", { status: 2 });

    expect(room.text("counter", "requests", 1n)).toBe("2 2 0");
    expect(room.text("readCounter", "requests")).toBe("2 0");
    expect(room.text("gauge", "open", 1n, 1n)).toBe("2 2 0");
    expect(room.call("histogram", "ms", 1n)).toBe(2);
    expect(new Set(host.take().map((call) => call.name))).toEqual(new Set(["proxy_define_metric"]));
  });

  test("a gauge goes up, down and to a value", () => {
    host.script("proxy_define_metric", { out: [5] });
    host.script("proxy_get_metric", { out: [2n ** 64n - 2n] });

    expect(room.text("gauge", "open", -2n, 7n)).toBe("0 0 -2");
    expect(host.take().map((call) => call.args)).toEqual([[1, "open"], [5, -2n], [5, 7n], [5]]);
  });

  test("a histogram records samples", () => {
    host.script("proxy_define_metric", { out: [6] });

    expect(room.call("histogram", "ms", 12n)).toBe(0);
    expect(host.take().map((call) => call.args)).toEqual([
      [2, "ms"],
      [6, 12n],
    ]);
  });
});
