import { describe, expect, it } from "vitest";
import { callCountKept } from "../../../host-mock/abi/call-ring.ts";
import { encodePairs } from "../../../host-mock/abi/pairs.ts";
import { Status } from "../../../host-mock/abi/status.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { RestrictedCallback } from "../../../host-mock/vm/trap.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

describe("the last host calls of a VM", () => {
  it("are told with the arguments that mean something and the status, oldest first", () => {
    const guest = new FakeGuest();
    const [ptr, size, cas] = [guest.out(), guest.out(), guest.out()];

    guest.call("proxy_set_shared_data", ...guest.put("lease"), ...guest.put("value"), 0xfffffffe);
    guest.call("proxy_get_shared_data", ...guest.put("nothing"), ptr, size, cas);
    guest.call("proxy_done");

    expect(guest.calls.lines()).toEqual([
      'proxy_set_shared_data(key="lease", value=5 bytes, cas=4294967294) Ok',
      'proxy_get_shared_data(key="nothing") NotFound',
      "proxy_done() NotFound",
    ]);
  });

  it("are the last twenty", () => {
    const guest = new FakeGuest();

    for (let period = 1; period <= 25; period++) {
      guest.call("proxy_set_tick_period_milliseconds", period);
    }

    expect(guest.calls.lines()).toHaveLength(callCountKept);
    expect(guest.calls.lines()[0]).toBe("proxy_set_tick_period_milliseconds(period=6) Ok");
    expect(guest.calls.lines()[19]).toBe("proxy_set_tick_period_milliseconds(period=25) Ok");
  });

  it("show the bytes as they were at the call, cut where they are long", () => {
    const guest = new FakeGuest();
    const [ptr, size] = guest.put(`${"x".repeat(39)}"${"y".repeat(60)}`);

    guest.call("proxy_log", 2, ptr, size);
    guest.memory.writeBytes(ptr, utf8("overwritten"));

    expect(guest.calls.lines()).toEqual([
      `proxy_log(level=2, message="${"x".repeat(39)}\\""… (100 bytes)) Ok`,
    ]);
  });

  it("say so where an address is wild, and of bytes that are no text", () => {
    const guest = new FakeGuest();

    guest.call("proxy_log", 2, outOfBounds, 99);
    guest.call("proxy_log", 2, 0, 0);
    guest.call("proxy_log", 2, ...guest.put(new Uint8Array([0xff, 0x0a])));

    expect(guest.calls.lines()).toEqual([
      "proxy_log(level=2, message=99 bytes out of bounds) InvalidMemoryAccess",
      'proxy_log(level=2, message="") Ok',
      'proxy_log(level=2, message="\ufffd\\n") Ok',
    ]);
  });

  it("of many arguments, of 64 bits, of WASI and without a result are told as well", () => {
    const guest = new FakeGuest();
    const block = guest.put(encodePairs([[utf8("a"), utf8("b")]]));
    guest.context.httpAnswer = { status: Status.BadArgument, token: 0 };

    guest.call(
      "proxy_http_call",
      ...guest.put("collector"),
      ...block,
      ...guest.put("{}"),
      ...[0, 0, 5000, guest.out()],
    );
    guest.call("proxy_record_metric", 4, 9_007_199_254_740_993n);
    guest.call("proxy_send_local_response", 503, 0, 0, 0, 0, 0, 0, 0xffffffff);
    guest.call("clock_time_get", 9, 0n, guest.out(8));
    guest.call("proc_exit", 3);
    guest.call("pthread_equal", 1, 1);

    expect(guest.calls.lines()).toEqual([
      `proxy_http_call(cluster="collector", headers=${block[1]} bytes, body=2 bytes, trailers=0 bytes, timeout_ms=5000) BadArgument`,
      "proxy_record_metric(id=4, value=9007199254740993) NotFound",
      'proxy_send_local_response(status=503, details="", body=0 bytes, headers=0 bytes, grpc_status=-1) Ok',
      "clock_time_get(clock=9, precision=0) errno 58",
      "proc_exit(code=3)",
      "pthread_equal(left=1, right=1) 1",
    ]);
  });

  it("have no status while they are under way, or when a trap has left them", () => {
    const guest = new FakeGuest();
    guest.instance.phase = "start";

    expect(() => guest.call("proxy_get_log_level", 0)).toThrow(RestrictedCallback);

    expect(guest.calls.lines()).toEqual(["proxy_get_log_level()"]);
  });

  it("that are nested keep their own statuses, however many come inside", () => {
    const guest = new FakeGuest();
    const inner = (count: number) => (size: number) => {
      for (let left = count; left > 0; left--) guest.call("clock_time_get", 9, 0n, 0);
      return guest.reserve(size);
    };
    guest.host.process.sharedData.set("", "k", utf8("v"), 0);
    const get = (): number =>
      guest.call("proxy_get_shared_data", ...guest.put("k"), guest.out(), guest.out(), guest.out());

    guest.instance.allocator = inner(1);
    get();
    const few = guest.calls.lines();
    guest.instance.allocator = inner(30);
    get();

    expect(few).toEqual([
      'proxy_get_shared_data(key="k") Ok',
      "clock_time_get(clock=9, precision=0) errno 58",
    ]);
    expect(new Set(guest.calls.lines())).toEqual(new Set([few[1]]));
  });
});
