import { describe, expect, it } from "vitest";
import { Status } from "../../../host-mock/abi/status.ts";
import { splitPath } from "../../../host-mock/abi/property-path.ts";
import { latin1, utf8 } from "../../../host-mock/state/bytes.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

describe("metrics by host calls", () => {
  it("define writes the id; increment, record and get find it", () => {
    const guest = new FakeGuest();
    const [id, value] = [guest.out(), guest.out(8)];

    const statuses = [
      guest.call("proxy_define_metric", 1, ...guest.put("g"), id),
      guest.call("proxy_record_metric", 5, 42n),
      guest.call("proxy_increment_metric", 5, -100n),
      guest.call("proxy_get_metric", 5, value),
    ];

    expect(statuses).toEqual([Status.Ok, Status.Ok, Status.Ok, Status.Ok]);
    expect([guest.u32(id), guest.u64(value)]).toEqual([5, 18446744073709551558n]);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("define looks at the name's memory before the type, and has defined even when the id's word is bad", () => {
    const guest = new FakeGuest();

    expect(guest.call("proxy_define_metric", 3, outOfBounds, 5, guest.out())).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("proxy_define_metric", 3, ...guest.put("x"), guest.out())).toBe(
      Status.BadArgument,
    );
    expect(guest.call("proxy_define_metric", 0, ...guest.put("x"), outOfBounds)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("proxy_increment_metric", 4, 1n)).toBe(Status.Ok);
  });

  it("get refuses before it writes", () => {
    const guest = new FakeGuest();
    const value = guest.out(8);

    const statuses = [400, 402, 403].map((id) => guest.call("proxy_get_metric", id, value));

    expect(statuses).toEqual([Status.NotFound, Status.BadArgument, Status.BadArgument]);
    expect(guest.isUntouched(value, 8)).toBe(true);
  });

  it("two VMs have ids of their own and one value", () => {
    const one = new FakeGuest();
    const other = new FakeGuest({ sameProcessAs: one });
    one.call("proxy_define_metric", 0, ...one.put("c"), one.out());
    other.call("proxy_define_metric", 0, ...other.put("first"), other.out());
    other.call("proxy_define_metric", 0, ...other.put("c"), other.out());

    one.call("proxy_increment_metric", 4, 2n);
    other.call("proxy_increment_metric", 8, 3n);

    expect(one.host.process.metrics.results()).toEqual({ c: 5, first: 0 });
  });
});

describe("property paths", () => {
  it.each([
    ["a", ["a"]],
    ["a\0b", ["a", "b"]],
    ["a\0b\0", ["a", "b"]],
    ["a\0\0b", ["a", "", "b"]],
    ["\0a", ["", "a"]],
    ["a\0\0", ["a", ""]],
    ["\0", [""]],
    ["a.b", ["a.b"]],
    ["", []],
  ])("%j has the components %j", (path, components) => {
    expect(splitPath(utf8(path)).map(latin1)).toEqual(components);
  });
});

describe("properties by host calls", () => {
  function get(guest: FakeGuest, path: string): { status: number; ptr: number; size: number } {
    const [ptr, size] = [guest.out(), guest.out()];
    return { status: guest.call("proxy_get_property", ...guest.put(path), ptr, size), ptr, size };
  }

  it("get hands the components over and gives the value", () => {
    const guest = new FakeGuest();
    guest.context.properties.set("xds·node·id", { status: Status.Ok, value: utf8("node-1") });

    const { status, ptr, size } = get(guest, "xds\0node\0id\0");

    expect(status).toBe(Status.Ok);
    expect(guest.textAt(ptr, size)).toBe("node-1");
    expect(guest.strayWrites()).toEqual([]);
  });

  it("FP4, FP5: an empty value is Ok with pointer 0 and size 0", () => {
    const guest = new FakeGuest();
    guest.context.properties.set("plugin_root_id", { status: Status.Ok, value: new Uint8Array(0) });

    const { status, ptr, size } = get(guest, "plugin_root_id");

    expect(status).toBe(Status.Ok);
    expect([guest.u32(ptr), guest.u32(size)]).toEqual([0, 0]);
  });

  it("the empty path and what cannot be serialised are SerializationFailure, an unknown one NotFound: nothing written", () => {
    const guest = new FakeGuest();
    guest.context.properties.set("request", { status: Status.SerializationFailure });

    const answers = [get(guest, ""), get(guest, "request"), get(guest, "nope")];

    expect(answers.map(({ status }) => status)).toEqual([
      Status.SerializationFailure,
      Status.SerializationFailure,
      Status.NotFound,
    ]);
    expect(
      answers.every(({ ptr, size }) => guest.isUntouched(ptr) && guest.isUntouched(size)),
    ).toBe(true);
    expect(guest.call("proxy_get_property", outOfBounds, 9, 0, 0)).toBe(Status.InvalidMemoryAccess);
  });

  it("set hands over the path as it stands", () => {
    const guest = new FakeGuest();

    const status = guest.call("proxy_set_property", ...guest.put("a\0b"), ...guest.put("v"));

    expect(status).toBe(Status.Ok);
    expect(guest.context.calls).toEqual(["setProperty a\0b v"]);
    expect(guest.call("proxy_set_property", ...guest.put("a"), outOfBounds, 9)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("proxy_set_property", outOfBounds, 9, ...guest.put("v"))).toBe(
      Status.InvalidMemoryAccess,
    );
  });
});
