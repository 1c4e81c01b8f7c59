import { describe, expect, it } from "vitest";
import { Status } from "../../../host-mock/abi/status.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { SharedQueues } from "../../../host-mock/state/shared-queue.ts";

const target = (owner: string) => ({ owner, rootId: 1 });

describe("shared queues, as measured on Envoy", () => {
  it("numbers queues from 1 for the whole process and keeps a token when registered again", () => {
    const queues = new SharedQueues<string>();

    const tokens = [
      queues.register("", "q", target("x")),
      queues.register("", "q", target("y")),
      queues.register("other", "q", target("x")),
      queues.register("", "", target("x")),
    ];

    expect(tokens).toEqual([1, 1, 2, 3]);
  });

  it("resolves any vm_id's queue, and nothing that was not registered", () => {
    const queues = new SharedQueues<string>();
    queues.register("v", "q", target("x"));

    expect(queues.resolve("v", "q")).toBe(1);
    expect(queues.resolve("", "q")).toBeUndefined();
    expect(queues.resolve("v", "other")).toBeUndefined();
  });

  it("gives elements in order, an empty one too, then Empty", () => {
    const queues = new SharedQueues<string>();
    const token = queues.register("", "q", target("x"));

    queues.enqueue(token, utf8("one"));
    queues.enqueue(token, new Uint8Array(0));

    expect(queues.dequeue(token)).toEqual({ status: Status.Ok, value: utf8("one") });
    expect(queues.dequeue(token)).toEqual({ status: Status.Ok, value: new Uint8Array(0) });
    expect(queues.dequeue(token)).toEqual({ status: Status.Empty });
  });

  it("answers NotFound for unknown tokens", () => {
    const queues = new SharedQueues<string>();

    expect(queues.enqueue(7, utf8("x"))).toBe(Status.NotFound);
    expect(queues.dequeue(7)).toEqual({ status: Status.NotFound });
  });

  it("tells the last registrant only, once for each enqueue", () => {
    const queues = new SharedQueues<string>();
    const told: string[] = [];
    queues.onReady = (token, { owner, rootId }) => told.push(`${owner} ${rootId} ${token}`);
    const token = queues.register("", "q", target("main"));
    queues.register("", "q", { owner: "worker_3", rootId: 2 });

    queues.enqueue(token, utf8("a"));
    queues.enqueue(token, utf8("b"));

    expect(told).toEqual(["worker_3 2 1", "worker_3 2 1"]);
  });

  it("keeps elements over a second registration, without telling of them", () => {
    const queues = new SharedQueues<string>();
    const told: string[] = [];
    const token = queues.register("", "q", target("first"));
    queues.enqueue(token, utf8("early"));
    queues.onReady = (_token, { owner }) => told.push(owner);

    queues.register("", "q", target("second"));

    expect(told).toEqual([]);
    expect(queues.dequeue(token).value).toEqual(utf8("early"));
  });

  it("forgets a vm_id's queues and their tokens when wiped, and never hands a token out twice", () => {
    const queues = new SharedQueues<string>();
    const old = queues.register("v", "q", target("x"));
    const other = queues.register("w", "q", target("x"));

    const count = queues.wipe("v");

    expect(count).toBe(1);
    expect(queues.enqueue(old, utf8("x"))).toBe(Status.NotFound);
    expect(queues.enqueue(other, utf8("x"))).toBe(Status.Ok);
    expect(queues.register("v", "q", target("x"))).toBe(3);
  });
});
