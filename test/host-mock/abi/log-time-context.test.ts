import { describe, expect, it } from "vitest";
import { Status } from "../../../host-mock/abi/status.ts";
import { Body } from "../../../host-mock/state/body.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

describe("proxy_log", () => {
  it("writes one event at the level, with the message's bytes and the root", () => {
    const guest = new FakeGuest();
    const message = guest.put("hello");

    const status = guest.call("proxy_log", 2, ...message);

    expect(status).toBe(Status.Ok);
    expect(guest.recorder.events).toMatchObject([
      {
        event: "log",
        name: "info",
        plugin: "fake",
        context: 2,
        args: { message: utf8("hello"), root: 1 },
      },
    ]);
  });

  it.each([6, 7, 0xffffffff])(
    "answers BadArgument for level %i, before it looks at the memory",
    (level) => {
      const guest = new FakeGuest();

      expect(guest.call("proxy_log", level, outOfBounds, 10)).toBe(Status.BadArgument);
      expect(guest.recorder.events).toEqual([]);
    },
  );

  it("answers InvalidMemoryAccess for a message out of bounds, and logs an empty one", () => {
    const guest = new FakeGuest();

    expect(guest.call("proxy_log", 0, outOfBounds, 10)).toBe(Status.InvalidMemoryAccess);
    expect(guest.call("proxy_log", 0, 0, 0)).toBe(Status.Ok);
    expect(guest.recorder.events).toMatchObject([
      { name: "trace", args: { message: new Uint8Array(0) } },
    ]);
  });

  it("drops lines below the logger's level and is Ok all the same", () => {
    const guest = new FakeGuest({ logLevel: 3 });

    const statuses = [2, 3, 5].map((level) => guest.call("proxy_log", level, ...guest.put("x")));

    expect(statuses).toEqual([Status.Ok, Status.Ok, Status.Ok]);
    expect(guest.recorder.events.map(({ name }) => name)).toEqual(["warn", "critical"]);
  });

  it("logs nothing when the logger is off", () => {
    const guest = new FakeGuest({ logLevel: 6 });

    guest.call("proxy_log", 5, ...guest.put("x"));

    expect(guest.recorder.events).toEqual([]);
  });
});

describe("proxy_get_log_level", () => {
  it("writes the level, 6 when off, and nothing beside it", () => {
    const guest = new FakeGuest({ logLevel: 6 });
    const level = guest.out();

    expect(guest.call("proxy_get_log_level", level)).toBe(Status.Ok);
    expect(guest.u32(level)).toBe(6);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("answers InvalidMemoryAccess for a word out of bounds", () => {
    expect(new FakeGuest().call("proxy_get_log_level", outOfBounds)).toBe(
      Status.InvalidMemoryAccess,
    );
  });
});

describe("time", () => {
  it("is the wall clock in nanoseconds, 8 bytes", () => {
    const guest = new FakeGuest();
    const time = guest.out(8);
    guest.clock.advanceTo(1_000);

    expect(guest.call("proxy_get_current_time_nanoseconds", time)).toBe(Status.Ok);
    expect(guest.u64(time)).toBe(1_767_225_600_000_001_000n);
    expect(guest.strayWrites()).toEqual([]);
    expect(guest.call("proxy_get_current_time_nanoseconds", outOfBounds)).toBe(
      Status.InvalidMemoryAccess,
    );
  });

  it("moves by the cost of each call, before the call looks", () => {
    const guest = new FakeGuest({ callCostNs: 500 });
    const time = guest.out(8);

    guest.call("proxy_set_tick_period_milliseconds", 1);
    guest.call("proxy_get_current_time_nanoseconds", time);

    expect(guest.clock.nowNs).toBe(1_000);
    expect(guest.u64(time)).toBe(1_767_225_600_000_001_000n);
  });

  it("FP1: a period of 2^32 − 1 ms arrives unsigned", () => {
    const guest = new FakeGuest();

    const statuses = [100, 0, 0xffffffff].map((ms) =>
      guest.call("proxy_set_tick_period_milliseconds", ms),
    );

    expect(statuses).toEqual([Status.Ok, Status.Ok, Status.Ok]);
    expect(guest.context.calls).toEqual([
      "setTickPeriod 100",
      "setTickPeriod 0",
      "setTickPeriod 4294967295",
    ]);
  });
});

describe("contexts", () => {
  it("proxy_set_effective_context takes live ids and 0 and refuses others", () => {
    const guest = new FakeGuest();

    const statuses = [0, 1, 2, 99].map((id) => guest.call("proxy_set_effective_context", id));

    expect(statuses).toEqual([Status.Ok, Status.Ok, Status.Ok, Status.BadArgument]);
  });

  it("proxy_done answers what the context says", () => {
    const guest = new FakeGuest();
    const first = guest.call("proxy_done");
    guest.context.doneAnswer = Status.Ok;

    expect([first, guest.call("proxy_done")]).toEqual([Status.NotFound, Status.Ok]);
  });

  it("proxy_get_status writes code and message", () => {
    const guest = new FakeGuest();
    guest.context.status = { code: 11, message: utf8("reset") };
    const [code, ptr, size] = [guest.out(), guest.out(), guest.out()];

    expect(guest.call("proxy_get_status", code, ptr, size)).toBe(Status.Ok);
    expect([guest.u32(code), guest.textAt(ptr, size)]).toEqual([11, "reset"]);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("proxy_get_status gives an empty message as pointer 0 and size 0, without the allocator", () => {
    const guest = new FakeGuest();
    const [code, ptr, size] = [guest.out(), guest.out(), guest.out()];

    guest.call("proxy_get_status", code, ptr, size);

    expect([guest.u32(code), guest.u32(ptr), guest.u32(size)]).toEqual([0, 0, 0]);
    expect(guest.instance.allocations).toEqual([]);
  });

  it("proxy_get_status stops at a bad code word and has written the code before a bad message word", () => {
    const guest = new FakeGuest();
    const [code, ptr] = [guest.out(), guest.out()];

    expect(guest.call("proxy_get_status", outOfBounds, ptr, ptr)).toBe(Status.InvalidMemoryAccess);
    expect(guest.isUntouched(ptr)).toBe(true);
    expect(guest.call("proxy_get_status", code, ptr, outOfBounds)).toBe(Status.InvalidMemoryAccess);
    expect([guest.u32(code), guest.u32(ptr)]).toEqual([0, 0]);
  });
});

describe("configuration in ABI 0.1.0", () => {
  it("is the plugin's while it is readable, else the VM's", () => {
    const guest = new FakeGuest({ abi: "0.1.0" });
    guest.vmConfiguration = utf8("vm");
    const [ptr, size] = [guest.out(), guest.out()];

    guest.call("proxy_get_configuration", ptr, size);
    const before = guest.textAt(ptr, size);
    guest.context.buffers.set(7, new Body(utf8("plugin"), true));
    guest.call("proxy_get_configuration", ptr, size);

    expect([before, guest.textAt(ptr, size)]).toEqual(["vm", "plugin"]);
  });
});
