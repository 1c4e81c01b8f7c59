import { describe, expect, it } from "vitest";
import { Status } from "../../../host-mock/abi/status.ts";
import { FakeGuest, outOfBounds } from "../../support/fake-guest.ts";

function register(guest: FakeGuest, name: string): number {
  const token = guest.out();
  expect(guest.call("proxy_register_shared_queue", ...guest.put(name), token)).toBe(Status.Ok);
  return guest.u32(token);
}

function dequeue(guest: FakeGuest, token: number): { status: number; ptr: number; size: number } {
  const [ptr, size] = [guest.out(), guest.out()];
  return { status: guest.call("proxy_dequeue_shared_queue", token, ptr, size), ptr, size };
}

describe("shared queues by host calls", () => {
  it("register gives one token a name and makes the acting root the one that is told", () => {
    const guest = new FakeGuest();
    const told: unknown[] = [];
    guest.host.process.sharedQueues.onReady = (token, { owner, rootId }) =>
      told.push([token, owner === guest.host, rootId]);

    const tokens = [register(guest, "q"), register(guest, "q"), register(guest, "")];
    guest.call("proxy_enqueue_shared_queue", 1, ...guest.put("x"));

    expect(tokens).toEqual([1, 1, 2]);
    expect(told).toEqual([[1, true, 1]]);
    expect(guest.strayWrites()).toEqual([]);
  });

  it("register has registered even when the token's word is bad", () => {
    const guest = new FakeGuest();

    const status = guest.call("proxy_register_shared_queue", ...guest.put("q"), outOfBounds);

    expect(status).toBe(Status.InvalidMemoryAccess);
    expect(guest.host.process.sharedQueues.resolve("", "q")).toBe(1);
  });

  it("resolve takes an empty vm_id for the VM's own, and finds queues of others", () => {
    const owner = new FakeGuest({ vmId: "owner" });
    const other = new FakeGuest({ vmId: "other", sameProcessAs: owner });
    register(owner, "q");
    const token = other.out();
    const resolve = (guest: FakeGuest, vmId: string, name: string): number =>
      guest.call("proxy_resolve_shared_queue", ...guest.put(vmId), ...guest.put(name), token);

    const statuses = [
      resolve(owner, "", "q"),
      resolve(other, "owner", "q"),
      resolve(other, "", "q"),
      resolve(other, "owner", "x"),
    ];

    expect(statuses).toEqual([Status.Ok, Status.Ok, Status.NotFound, Status.NotFound]);
    expect(other.u32(token)).toBe(1);
  });

  it("elements come out in order; then Empty; an empty element is pointer 0 and size 0", () => {
    const guest = new FakeGuest();
    const token = register(guest, "q");
    guest.call("proxy_enqueue_shared_queue", token, ...guest.put("one"));
    guest.call("proxy_enqueue_shared_queue", token, ...guest.put(""));

    const [first, second, third] = [
      dequeue(guest, token),
      dequeue(guest, token),
      dequeue(guest, token),
    ];

    expect([first.status, second.status, third.status]).toEqual([
      Status.Ok,
      Status.Ok,
      Status.Empty,
    ]);
    expect(guest.textAt(first.ptr, first.size)).toBe("one");
    expect([guest.u32(second.ptr), guest.u32(second.size)]).toEqual([0, 0]);
    expect([guest.isUntouched(third.ptr), guest.isUntouched(third.size)]).toEqual([true, true]);
  });

  it("an element taken out with a bad output word is lost", () => {
    const guest = new FakeGuest();
    const token = register(guest, "q");
    guest.call("proxy_enqueue_shared_queue", token, ...guest.put("one"));

    const status = guest.call("proxy_dequeue_shared_queue", token, outOfBounds, guest.out());

    expect(status).toBe(Status.InvalidMemoryAccess);
    expect(dequeue(guest, token).status).toBe(Status.Empty);
  });

  it("unknown tokens are NotFound, bad memory comes first", () => {
    const guest = new FakeGuest();

    expect(dequeue(guest, 7).status).toBe(Status.NotFound);
    expect(guest.call("proxy_enqueue_shared_queue", 7, ...guest.put("x"))).toBe(Status.NotFound);
    expect(guest.call("proxy_enqueue_shared_queue", 7, outOfBounds, 5)).toBe(
      Status.InvalidMemoryAccess,
    );
  });
});
