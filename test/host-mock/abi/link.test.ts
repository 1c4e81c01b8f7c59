import { describe, expect, it } from "vitest";
import { restrictsExport } from "../../../host-mock/abi/capabilities.ts";
import { linkImports } from "../../../host-mock/abi/link.ts";
import { encodePairs } from "../../../host-mock/abi/pairs.ts";
import { Status } from "../../../host-mock/abi/status.ts";
import { profileByName } from "../../../host-mock/profiles/index.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";
import { RestrictedCallback } from "../../../host-mock/vm/trap.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

describe("before each call", () => {
  it("the host counts it, WASI calls too", () => {
    const guest = new FakeGuest();

    guest.call("proxy_done");
    guest.call("sched_yield");

    expect(guest.recorder.hostCallCount).toBe(2);
  });

  it("a fault's rule may answer in its place: nothing is asked, nothing is written", () => {
    const guest = new FakeGuest();
    const asked: string[] = [];
    guest.rules.push({ answer: (call) => void asked.push(`first ${call}`) });
    guest.rules.push({
      answer: (call) => (call === "proxy_set_shared_data" ? Status.InternalFailure : undefined),
    });
    guest.rules.push({ answer: () => Status.BrokenConnection });

    const status = guest.call("proxy_set_shared_data", ...guest.put("k"), ...guest.put("v"), 0);

    expect(status).toBe(Status.InternalFailure);
    expect(asked).toEqual(["first proxy_set_shared_data"]);
    expect([...guest.host.process.sharedData.entries()]).toEqual([]);
  });

  it("a rule answers a WASI call with an errno", () => {
    const guest = new FakeGuest();
    const notSupported = 58;
    guest.rules.push({ answer: (call) => (call === "clock_time_get" ? notSupported : undefined) });

    expect(guest.call("clock_time_get", 1, 0n, 0)).toBe(notSupported);
    expect(guest.call("sched_yield")).toBe(0);
  });

  it("a call that the phase forbids throws, and counts and asks nothing", () => {
    const guest = new FakeGuest();
    guest.rules.push({ answer: () => Status.Ok });
    guest.instance.phase = "start";

    expect(() => guest.call("proxy_get_log_level", 0)).toThrow(RestrictedCallback);
    expect(() => guest.call("sched_yield")).toThrow("restricted_callback");
    expect(guest.recorder.hostCallCount).toBe(0);
  });

  it("the allocator may call clock_time_get and not random_get; a start function both", () => {
    const guest = new FakeGuest();
    const time = guest.out(8);

    guest.instance.phase = "allocator";
    expect(guest.call("clock_time_get", 0, 0n, time)).toBe(0);
    expect(() => guest.call("random_get", time, 8)).toThrow(RestrictedCallback);
    guest.instance.phase = "start";
    expect([guest.call("clock_time_get", 0, 0n, time), guest.call("random_get", time, 8)]).toEqual([
      0, 0,
    ]);
  });
});

describe("capability restriction", () => {
  const allowing = (...names: string[]): FakeGuest =>
    new FakeGuest({ allowedCapabilities: new Set(names) });

  it("answers InternalFailure in a restricted function's place, and the host logs an error", () => {
    const guest = allowing("proxy_log");

    const status = guest.call("proxy_set_shared_data", ...guest.put("k"), ...guest.put("v"), 0);

    expect(status).toBe(Status.InternalFailure);
    expect([...guest.host.process.sharedData.entries()]).toEqual([]);
    expect(guest.recorder.events).toMatchObject([
      {
        event: "log",
        name: "error",
        args: {
          message: utf8(
            "Attempted call to restricted proxy-wasm capability: proxy_set_shared_data",
          ),
        },
      },
    ]);
  });

  it("answers errno 76 in place of WASI, whose names stand in the list without their module", () => {
    const guest = allowing("clock_time_get");
    const time = guest.out(8);

    expect(guest.call("random_get", time, 8)).toBe(76);
    expect(guest.isUntouched(time, 8)).toBe(true);
    expect(guest.call("clock_time_get", 1, 0n, time)).toBe(0);
  });

  it("never restricts what compilers import, nor Envoy's additions", () => {
    const guest = allowing("proxy_log");

    expect(guest.call("pthread_equal", 1, 1)).toBe(1);
    expect(guest.call("envoy_resolve_dns", ...guest.put("a"), guest.out())).not.toBe(
      Status.InternalFailure,
    );
  });

  it("is asked after the phase: a forbidden call traps whether it is restricted or not", () => {
    const guest = allowing("proxy_log");
    guest.instance.phase = "allocator";

    expect(() => guest.call("proxy_done")).toThrow(RestrictedCallback);
  });

  it("hides callbacks, and neither start functions nor the allocator", () => {
    const allowed = new Set(["proxy_on_tick"]);
    const names = ["proxy_on_tick", "proxy_on_log", "proxy_on_memory_allocate", "_initialize"];

    const hidden = names.filter((name) => restrictsExport(allowed, name));

    expect(hidden).toEqual(["proxy_on_log"]);
    expect(names.some((name) => restrictsExport(undefined, name))).toBe(false);
  });
});

describe("an import nobody has", () => {
  it("is a fault of ours once linking begins", () => {
    const imports = [{ module: "env", name: "abort", kind: "function" as const }];
    const link = (): unknown =>
      linkImports({ abi: "0.2.1", imports }, profileByName("envoy"), () => new FakeGuest().host);

    expect(link).toThrow(expect.objectContaining({ code: "E_INTERNAL" }));
  });
});

describe("call events", () => {
  const full = {
    recorder: { alsoCalls: new Set(["proxy_get_shared_data", "proxy_set_shared_data"]) },
  };

  it("are not written unless somebody wants them", () => {
    const guest = new FakeGuest();

    guest.call("proxy_done");

    expect(guest.recorder.events).toEqual([]);
  });

  it("name arguments, status and outputs", () => {
    const guest = new FakeGuest(full);
    const [ptr, size, cas] = [guest.out(), guest.out(), guest.out()];

    guest.call("proxy_set_shared_data", ...guest.put("k"), ...guest.put("v"), 0xfffffffe);
    guest.call("proxy_get_shared_data", ...guest.put("k"), ptr, size, cas);

    expect(guest.recorder.events).toMatchObject([
      {
        event: "call",
        name: "proxy_set_shared_data",
        args: { key: utf8("k"), value: utf8("v"), cas: 0xfffffffe },
        status: "Ok",
        result: null,
        vm: "main#1",
      },
      {
        name: "proxy_get_shared_data",
        args: { key: utf8("k") },
        status: "Ok",
        result: { value: utf8("v"), cas: 1 },
      },
    ]);
  });

  it("have no outputs when the call failed, and null for what lies out of bounds", () => {
    const guest = new FakeGuest(full);

    guest.call("proxy_get_shared_data", ...guest.put("absent"), 0, 4, 8);
    guest.call("proxy_set_shared_data", outOfBounds, 9, ...guest.put("v"), 0);

    expect(guest.recorder.events).toMatchObject([
      { status: "NotFound", result: null },
      { status: "InvalidMemoryAccess", args: { key: null, value: utf8("v"), cas: 0 } },
    ]);
  });

  it("tell a call that a fault answered", () => {
    const guest = new FakeGuest(full);
    guest.rules.push({ answer: () => Status.InternalFailure });

    guest.call("proxy_set_shared_data", ...guest.put("k"), ...guest.put("v"), 0);

    expect(guest.recorder.events).toMatchObject([
      { status: "InternalFailure", args: { key: utf8("k") } },
    ]);
  });

  it("of every kind of argument are readable in a full trace", () => {
    const guest = new FakeGuest({ recorder: { detail: "full" } });
    const heard: unknown[] = [];
    guest.recorder.listen(({ name, args, status, result }) =>
      heard.push([name, args, status, result]),
    );
    guest.context.maps.set(0, HeaderMap.from([["a", "b"]]));
    const block = guest.put(encodePairs([[utf8("c"), utf8("d")]]));
    const [ptr, size, time] = [guest.out(), guest.out(), guest.out(8)];

    guest.call("proxy_get_header_map_pairs", 0, ptr, size);
    guest.call("proxy_send_local_response", 200, 0, 0, 0, 0, ...block, 0xffffffff);
    guest.call("clock_time_get", 1, 0n, time);
    guest.call("clock_time_get", 9, 0n, time);
    guest.call("proc_exit", 3);
    guest.call("pthread_equal", 1, 1);

    expect(heard).toEqual([
      ["proxy_get_header_map_pairs", { map: 0 }, "Ok", { headers: [[utf8("a"), utf8("b")]] }],
      [
        "proxy_send_local_response",
        {
          status: 200,
          details: new Uint8Array(0),
          body: new Uint8Array(0),
          headers: [[utf8("c"), utf8("d")]],
          grpc_status: -1,
        },
        "Ok",
        null,
      ],
      ["clock_time_get", { clock: 1, precision: 0n }, "Ok", { time: 3_600_000_000_000n }],
      ["clock_time_get", { clock: 9, precision: 0n }, "errno 58", null],
      ["proc_exit", { code: 3 }, null, null],
      ["pthread_equal", { left: 1, right: 1 }, "1", null],
    ]);
  });
});
