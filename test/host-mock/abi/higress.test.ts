import { describe, expect, it } from "vitest";
import { decodePairs } from "../../../host-mock/abi/pairs.ts";
import { Status } from "../../../host-mock/abi/status.ts";
import { latin1, utf8 } from "../../../host-mock/state/bytes.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

const higress = (): FakeGuest => new FakeGuest({ profile: "higress", abi: "0.2.100" });

describe("proxy_redis_init", () => {
  const init = (guest: FakeGuest, cluster: readonly [number, number]) =>
    guest.call("proxy_redis_init", ...cluster, ...guest.put("joe"), ...guest.put("pass"), 100);

  it("hands over cluster with options, user, password and timeout, and answers what the host says", () => {
    const guest = higress();

    expect(init(guest, guest.put("redis.dns?db=2"))).toBe(Status.Ok);
    guest.context.redisAnswer = { status: Status.BadArgument, token: 0 };
    expect(init(guest, guest.put("nobody"))).toBe(Status.BadArgument);
    expect(guest.context.calls).toEqual([
      "redisInit redis.dns?db=2 joe pass 100",
      "redisInit nobody joe pass 100",
    ]);
  });

  it("refuses what lies out of bounds before it asks", () => {
    const guest = higress();

    expect(init(guest, [outOfBounds, 4])).toBe(Status.InvalidMemoryAccess);
    expect(guest.context.calls).toEqual([]);
  });
});

describe("proxy_redis_call", () => {
  const call = (guest: FakeGuest, tokenPtr: number, query: readonly [number, number]) =>
    guest.call("proxy_redis_call", ...guest.put("redis"), ...query, tokenPtr);

  it("writes the token, 0 for a failure", () => {
    const guest = higress();
    const token = guest.out();

    expect(call(guest, token, guest.put("PING\r\n"))).toBe(Status.Ok);
    expect(guest.u32(token)).toBe(7);
    guest.context.redisAnswer = { status: Status.InternalFailure, token: 11 };
    expect(call(guest, token, guest.put("PING\r\n"))).toBe(Status.InternalFailure);
    expect(guest.u32(token)).toBe(0);
    expect(guest.context.calls[0]).toBe("redisCall redis PING\r\n");
    expect(guest.strayWrites()).toEqual([]);
  });

  it("does not send when the query or the token's place lies out of bounds", () => {
    const guest = higress();

    expect(call(guest, guest.out(), [outOfBounds, 4])).toBe(Status.InvalidMemoryAccess);
    expect(call(guest, outOfBounds, guest.put("PING\r\n"))).toBe(Status.InvalidMemoryAccess);
    expect(guest.context.calls).toEqual([]);
  });
});

describe("proxy_inject_encoded_data_to_filter_chain", () => {
  it("hands over bytes and end; out of bounds is refused", () => {
    const guest = higress();

    const name = "proxy_inject_encoded_data_to_filter_chain";
    expect(guest.call(name, ...guest.put("data"), 0)).toBe(Status.Ok);
    expect(guest.call(name, ...guest.put(""), 1)).toBe(Status.Ok);
    expect(guest.call(name, outOfBounds, 4, 1)).toBe(Status.InvalidMemoryAccess);
    expect(guest.context.calls).toEqual([
      "injectEncodedData data false",
      "injectEncodedData  true",
    ]);
  });
});

describe("proxy_get_upstream_hosts", () => {
  it("gives pairs of address and text, and nothing without hosts", () => {
    const guest = higress();
    const [ptr, size] = [guest.out(), guest.out()];

    expect(guest.call("proxy_get_upstream_hosts", ptr, size)).toBe(Status.Ok);
    expect([guest.u32(ptr), guest.u32(size)]).toEqual([0, 0]);
    guest.context.hosts = [[utf8("10.0.0.1:80"), utf8("{}")]];
    expect(guest.call("proxy_get_upstream_hosts", ptr, size)).toBe(Status.Ok);
    const pairs = decodePairs(guest.instance.memory.readBytes(guest.u32(ptr), guest.u32(size))!);
    expect(pairs.map((pair) => pair.map(latin1))).toEqual([["10.0.0.1:80", "{}"]]);
    expect(guest.call("proxy_get_upstream_hosts", outOfBounds, size)).toBe(
      Status.InvalidMemoryAccess,
    );
  });
});

describe("proxy_set_upstream_override_host", () => {
  it("hands over the address; out of bounds is refused", () => {
    const guest = higress();

    const name = "proxy_set_upstream_override_host";
    expect(guest.call(name, ...guest.put("10.0.0.1:80"))).toBe(Status.Ok);
    expect(guest.call(name, outOfBounds, 4)).toBe(Status.InvalidMemoryAccess);
    expect(guest.context.calls).toEqual(["setUpstreamOverrideHost 10.0.0.1:80"]);
  });
});
