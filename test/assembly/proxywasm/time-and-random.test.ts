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

describe("clocks", () => {
  test("the wall clock is the host's, 0 when it does not tell", () => {
    host.script("proxy_get_current_time_nanoseconds", { out: [1767225600000000001n] });
    expect(room.bigint("currentTimeNs")).toBe(1767225600000000001n);
    expect(room.text("currentTime")).toBe("0 1767225600000000001");

    host.script("proxy_get_current_time_nanoseconds", { status: 6 });
    expect(room.bigint("currentTimeNs")).toBe(0n);
    expect(room.text("currentTime")).toBe("6 0");
  });

  test("the monotonic clock is WASI's clock 1", () => {
    host.script("clock_time_get", { out: [3600000000000n] });

    expect(room.bigint("monotonicNs")).toBe(3600000000000n);
    expect(room.text("monotonic")).toBe("0 3600000000000");
    expect(host.take().map((call) => call.args)).toEqual([
      [1, 0n],
      [1, 0n],
    ]);
  });

  test.each([
    [58, "12 0"],
    [76, "2 0"],
    [21, "10 0"],
  ])("a monotonic clock that answers errno %i is none", (errno, text) => {
    host.script("clock_time_get", { status: errno });

    expect(room.bigint("monotonicNs")).toBe(-1n);
    expect(room.text("monotonic")).toBe(text);
  });

  test("the tick period is in milliseconds", () => {
    expect(room.call("setTickPeriod", 250)).toBe(0);
    expect(host.take()).toEqual([{ name: "proxy_set_tick_period_milliseconds", args: [250] }]);
  });
});

describe("random bytes", () => {
  test("are asked for in parts of at most 64 KiB", () => {
    expect(room.text("randomBytes", 150_000)).toBe("0 150000");
    expect(host.take().map((call) => call.args[1])).toEqual([65536, 65536, 18928]);
  });

  test("none are asked for when none are wanted", () => {
    expect(room.text("randomBytes", 0)).toBe("0 0");
    expect(host.take()).toEqual([]);
  });

  test.each([
    [76, 2],
    [21, 10],
  ])("errno %i is status %i, without bytes", (errno, status) => {
    host.script("random_get", { status: errno });

    expect(room.text("randomBytes", 16)).toBe(`${status} 0`);
    expect(room.text("uuid")).toBe("");
  });

  test.each([
    [0x00, "00000000-0000-4000-8000-000000000000"],
    [0xff, "ffffffff-ffff-4fff-bfff-ffffffffffff"],
    [0x9a, "9a9a9a9a-9a9a-4a9a-9a9a-9a9a9a9a9a9a"],
  ])("a UUID of bytes %i has its version, its variant and the other bits of them", (fill, uuid) => {
    host.script("random_get", { fill });

    expect(room.text("uuid")).toBe(uuid);
  });
});
