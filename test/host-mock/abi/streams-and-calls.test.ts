import { describe, expect, it } from "vitest";
import { encodePairs } from "../../../host-mock/abi/pairs.ts";
import { Status } from "../../../host-mock/abi/status.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

const pairs = encodePairs([[utf8("a"), utf8("b")]]);

describe("streams", () => {
  it("proxy_continue_stream: 0 to 2 go to the context, 3 is Unimplemented, others BadArgument", () => {
    const guest = new FakeGuest();

    const statuses = [0, 1, 2, 3, 4, 0xffffffff].map((type) =>
      guest.call("proxy_continue_stream", type),
    );

    expect(statuses).toEqual([
      0,
      0,
      0,
      Status.Unimplemented,
      Status.BadArgument,
      Status.BadArgument,
    ]);
    expect(guest.context.calls).toEqual([
      "continueStream 0",
      "continueStream 1",
      "continueStream 2",
    ]);
  });

  it("proxy_close_stream: 0 to 3 are Ok, others BadArgument", () => {
    const guest = new FakeGuest();

    const statuses = [0, 1, 2, 3, 4].map((type) => guest.call("proxy_close_stream", type));

    expect(statuses).toEqual([0, 0, 0, 0, Status.BadArgument]);
    expect(guest.context.calls).toEqual([0, 1, 2, 3].map((type) => `closeStream ${type}`));
  });

  it("ABI 0.1.0 has a call for each direction and for the route cache", () => {
    const guest = new FakeGuest({ abi: "0.1.0" });

    const statuses = [
      "proxy_continue_request",
      "proxy_continue_response",
      "proxy_clear_route_cache",
    ].map((name) => guest.call(name));

    expect(statuses).toEqual([0, 0, 0]);
    expect(guest.context.calls).toEqual(["continueStream 0", "continueStream 1"]);
    expect(() => guest.call("proxy_continue_stream", 0)).toThrow("no import");
  });
});

describe("proxy_send_local_response", () => {
  const send = (guest: FakeGuest, ...ranges: readonly number[]): number =>
    guest.call("proxy_send_local_response", 418, ...ranges, 0xffffffff);

  it("hands everything over, a gRPC status of −1 for none", () => {
    const guest = new FakeGuest();

    const status = send(guest, ...guest.put("details"), ...guest.put("body"), ...guest.put(pairs));

    expect(status).toBe(Status.Ok);
    expect(guest.context.responses).toEqual([
      {
        status: 418,
        details: utf8("details"),
        body: utf8("body"),
        headers: [[utf8("a"), utf8("b")]],
        grpcStatus: -1,
      },
    ]);
  });

  it("sends no headers for a rejected block, and nothing at all for memory out of bounds", () => {
    const guest = new FakeGuest();
    const none = [0, 0];

    const statuses = [
      send(guest, ...none, ...none, ...guest.put("rubbish")),
      send(guest, outOfBounds, 9, ...none, ...none),
      send(guest, ...none, outOfBounds, 9, ...none),
      send(guest, ...none, ...none, outOfBounds, 9),
    ];

    expect(statuses).toEqual([
      Status.Ok,
      Status.InvalidMemoryAccess,
      Status.InvalidMemoryAccess,
      Status.InvalidMemoryAccess,
    ]);
    expect(guest.context.responses).toHaveLength(1);
    expect(guest.context.responses[0]?.headers).toEqual([]);
  });
});

describe("proxy_http_call", () => {
  function dispatch(
    guest: FakeGuest,
    options: { timeoutMs?: number; token?: number; bad?: number } = {},
  ): number {
    const ranges = [guest.put("collector"), guest.put(pairs), guest.put("body"), guest.put(pairs)];
    if (options.bad !== undefined) ranges[options.bad] = [outOfBounds, 9];
    return guest.call(
      "proxy_http_call",
      ...ranges.flat(),
      options.timeoutMs ?? 500,
      options.token ?? 0,
    );
  }

  it("hands the request over and writes the token", () => {
    const guest = new FakeGuest();
    const token = guest.out();
    guest.context.httpAnswer = { status: Status.Ok, token: 12 };

    expect(dispatch(guest, { token })).toBe(Status.Ok);
    expect(guest.u32(token)).toBe(12);
    const list = [[utf8("a"), utf8("b")]];
    expect(guest.context.httpCalls).toEqual([
      { cluster: "collector", headers: list, body: utf8("body"), trailers: list, timeoutMs: 500 },
    ]);
    expect(guest.strayWrites()).toEqual([]);
  });

  it.each([Status.BadArgument, Status.InternalFailure])(
    "writes token 0 when the host refuses with %i",
    (status) => {
      const guest = new FakeGuest();
      const token = guest.out();
      guest.context.httpAnswer = { status, token: 16 };

      expect(dispatch(guest, { token })).toBe(status);
      expect(guest.u32(token)).toBe(0);
    },
  );

  it("hands every timeout over unsigned; the host refuses 2^31 ms and more", () => {
    const guest = new FakeGuest();

    const statuses = [0, 0x7fffffff, 0x80000000].map((timeoutMs) =>
      dispatch(guest, { timeoutMs, token: guest.out() }),
    );

    expect(statuses).toEqual([Status.Ok, Status.Ok, Status.Ok]);
    expect(guest.context.httpCalls.map(({ timeoutMs }) => timeoutMs)).toEqual([
      0, 0x7fffffff, 0x80000000,
    ]);
  });

  it.each([0, 1, 2, 3])(
    "answers InvalidMemoryAccess for bad input %i, and leaves the token alone",
    (bad) => {
      const guest = new FakeGuest();
      const token = guest.out();

      expect(dispatch(guest, { bad, token })).toBe(Status.InvalidMemoryAccess);
      expect(guest.isUntouched(token)).toBe(true);
    },
  );

  it("checks the token's word before it sends", () => {
    const guest = new FakeGuest();

    expect(dispatch(guest, { token: outOfBounds })).toBe(Status.InvalidMemoryAccess);
    expect(guest.context.httpCalls).toEqual([]);
  });
});

describe("proxy_call_foreign_function", () => {
  const call = (guest: FakeGuest, ptr: number, size: number): number =>
    guest.call("proxy_call_foreign_function", ...guest.put("f"), ...guest.put("arg"), ptr, size);

  it("answers NotFound for an unknown name and touches nothing", () => {
    const guest = new FakeGuest();
    const [ptr, size] = [guest.out(), guest.out()];

    expect(call(guest, ptr, size)).toBe(Status.NotFound);
    expect([guest.isUntouched(ptr), guest.isUntouched(size)]).toEqual([true, true]);
  });

  it("hands name and argument over and gives the result", () => {
    const guest = new FakeGuest();
    const [ptr, size] = [guest.out(), guest.out()];
    guest.context.foreign = (name, argument) => ({
      status: Status.Ok,
      result: utf8(`${name}:${argument.length}`),
    });

    expect(call(guest, ptr, size)).toBe(Status.Ok);
    expect(guest.textAt(ptr, size)).toBe("f:3");
    expect(guest.strayWrites()).toEqual([]);
  });

  it("writes 0, 0 when the function failed", () => {
    const guest = new FakeGuest();
    const [ptr, size] = [guest.out(), guest.out()];
    guest.context.foreign = () => ({ status: Status.SerializationFailure });

    expect(call(guest, ptr, size)).toBe(Status.SerializationFailure);
    expect([guest.u32(ptr), guest.u32(size)]).toEqual([0, 0]);
  });

  it("leaves out the words whose address is 0", () => {
    const guest = new FakeGuest();
    const size = guest.out();
    guest.context.foreign = () => ({ status: Status.Ok, result: utf8("xy") });

    expect(call(guest, 0, size)).toBe(Status.Ok);
    expect(call(guest, 0, 0)).toBe(Status.Ok);
    expect(guest.u32(size)).toBe(2);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("answers InvalidMemoryAccess for bad names, arguments, words and allocators", () => {
    const guest = new FakeGuest();
    const good = guest.put("f");
    guest.context.foreign = () => ({ status: Status.Ok, result: utf8("xy") });

    expect(guest.call("proxy_call_foreign_function", outOfBounds, 9, ...good, 0, 0)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("proxy_call_foreign_function", ...good, outOfBounds, 9, 0, 0)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(call(guest, outOfBounds, 0)).toBe(Status.InvalidMemoryAccess);
    expect(call(guest, 0, outOfBounds)).toBe(Status.InvalidMemoryAccess);
    guest.instance.allocator = () => 0;
    expect(call(guest, 0, 0)).toBe(Status.InvalidMemoryAccess);
  });
});

describe("calls of single hosts", () => {
  it("Envoy's DNS gives its token first, for which there must be room", () => {
    const guest = new FakeGuest();
    const token = guest.out();

    expect(guest.call("envoy_resolve_dns", ...guest.put("a.b"), token)).toBe(Status.Ok);
    expect(guest.call("envoy_resolve_dns", ...guest.put("c.d"), outOfBounds)).toBe(
      Status.InvalidMemoryAccess,
    );
    expect(guest.call("envoy_resolve_dns", outOfBounds, 9, token)).toBe(Status.InvalidMemoryAccess);

    expect(guest.u32(token)).toBe(2);
    expect(guest.context.calls).toEqual(["resolveDns a.b", "resolveDns c.d"]);
  });

  it("Envoy's two helpers of the C library work", () => {
    const guest = new FakeGuest();

    expect([guest.call("pthread_equal", 3, 3), guest.call("pthread_equal", 3, 4)]).toEqual([1, 0]);
    expect(guest.call("emscripten_notify_memory_growth", 0)).toBe(0);
  });

  it("are not offered by the other host", () => {
    expect(() => new FakeGuest().call("proxy_redis_init", 0, 0, 0, 0, 0, 0, 0)).toThrow(
      "no import proxy_redis_init",
    );
  });
});
