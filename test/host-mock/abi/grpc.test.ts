import { describe, expect, it } from "vitest";
import { encodePairs } from "../../../host-mock/abi/pairs.ts";
import { Status } from "../../../host-mock/abi/status.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

const metadata = encodePairs([[utf8("a"), utf8("b")]]);

function start(guest: FakeGuest, name: "call" | "stream", token: number, bad?: number): number {
  const parts = ["cluster", "pkg.Svc", "Do", metadata, ...(name === "call" ? ["ask"] : [])];
  const ranges = parts.map((part) => guest.put(part));
  if (bad !== undefined) ranges[bad] = [outOfBounds, 9];
  const timeout = name === "call" ? [250] : [];
  return guest.call(`proxy_grpc_${name}`, ...ranges.flat(), ...timeout, token);
}

describe.each(["call", "stream"] as const)("proxy_grpc_%s", (name) => {
  it("hands everything over and writes the token", () => {
    const guest = new FakeGuest();
    const token = guest.out();
    guest.context.grpcAnswer = { status: Status.Ok, token: 21 };

    expect(start(guest, name, token)).toBe(Status.Ok);
    expect(guest.u32(token)).toBe(21);
    expect(guest.context.grpcCalls).toEqual([
      {
        service: utf8("cluster"),
        serviceName: utf8("pkg.Svc"),
        method: utf8("Do"),
        metadata: [[utf8("a"), utf8("b")]],
        ...(name === "call" ? { message: utf8("ask"), timeoutMs: 250 } : {}),
      },
    ]);
    expect(guest.strayWrites()).toEqual([]);
  });

  it.each([Status.ParseFailure, Status.InternalFailure])(
    "leaves the token alone when the host refuses with %i",
    (status) => {
      const guest = new FakeGuest();
      const token = guest.out();
      guest.context.grpcAnswer = { status, token: 9 };

      expect(start(guest, name, token)).toBe(status);
      expect(guest.isUntouched(token)).toBe(true);
    },
  );

  it.each(name === "call" ? [0, 1, 2, 3, 4] : [0, 1, 2, 3])(
    "answers InvalidMemoryAccess for bad input %i, and starts nothing",
    (bad) => {
      const guest = new FakeGuest();

      expect(start(guest, name, guest.out(), bad)).toBe(Status.InvalidMemoryAccess);
      expect(guest.context.grpcCalls).toEqual([]);
    },
  );

  it("looks at the token's word only after the start", () => {
    const guest = new FakeGuest();

    expect(start(guest, name, outOfBounds)).toBe(Status.InvalidMemoryAccess);
    expect(guest.context.grpcCalls).toHaveLength(1);
  });
});

describe("what is done with a token", () => {
  it("reaches the context; any end_stream but 0 is one", () => {
    const guest = new FakeGuest();

    guest.call("proxy_grpc_send", 6, ...guest.put("m"), 0);
    guest.call("proxy_grpc_send", 6, ...guest.put(""), 7);
    guest.call("proxy_grpc_close", 6);
    guest.call("proxy_grpc_cancel", 5);

    expect(guest.context.calls).toEqual([
      "grpcSend 6 m false",
      "grpcSend 6  true",
      "grpcClose 6",
      "grpcCancel 5",
    ]);
  });

  it("a message out of bounds is not sent", () => {
    const guest = new FakeGuest();

    expect(guest.call("proxy_grpc_send", 6, outOfBounds, 9, 0)).toBe(Status.InvalidMemoryAccess);
    expect(guest.context.calls).toEqual([]);
  });
});
