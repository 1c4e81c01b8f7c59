import { expect, test } from "vitest";
import { Cluster } from "../../../host-mock/http/cluster.ts";
import { ReceivedCall } from "../../../host-mock/http/received-call.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";

function call(headers: Readonly<Record<string, string>>): ReceivedCall {
  return new ReceivedCall(
    "c",
    HeaderMap.from(Object.entries(headers), "request"),
    new Uint8Array(0),
  );
}

function answers(cluster: Cluster, calls: readonly Readonly<Record<string, string>>[]): number[] {
  return calls.map((headers) => {
    const receipt = cluster.receive(call(headers));
    if (receipt.kind !== "answer") throw new Error("a fence answers");
    expect(receipt.isRefused).toBe(receipt.reply.status === 409);
    return receipt.reply.status;
  });
}

const withId = { status: 204, fence: { header: "x-term", idHeader: "x-id", refuse: 409 } };

test("a higher term passes, a lower one is refused and changes nothing", () => {
  const cluster = new Cluster("c", withId);

  const statuses = answers(cluster, [
    { "x-term": "5", "x-id": "a" },
    { "x-term": "9", "x-id": "b" },
    { "x-term": "7", "x-id": "c" },
    { "x-term": "9", "x-id": "b" },
    { "x-term": "10", "x-id": "c" },
  ]);

  expect(statuses).toEqual([204, 204, 409, 204, 204]);
});

test("an equal term passes for its own id alone; without an id header for everybody", () => {
  const both = [
    { "x-term": "5", "x-id": "a" },
    { "x-term": "5", "x-id": "b" },
    { "x-term": "5" },
    { "x-term": "5", "x-id": "a" },
  ];

  const strict = answers(new Cluster("c", withId), both);
  const loose = answers(
    new Cluster("c", { status: 204, fence: { header: "x-term", refuse: 409 } }),
    both,
  );

  expect(strict).toEqual([204, 409, 409, 204]);
  expect(loose).toEqual([204, 204, 204, 204]);
});

test.each([[""], ["abc"], ["1.5"], ["0x10"], ["1e3"], [" 7"]])("the term %j is refused", (term) => {
  expect(answers(new Cluster("c", withId), [{ "x-term": term, "x-id": "a" }])).toEqual([409]);
});

test("a missing term is refused", () => {
  expect(answers(new Cluster("c", withId), [{}])).toEqual([409]);
});

test("terms beyond 2^53 and below zero are compared exactly", () => {
  const cluster = new Cluster("c", withId);

  const statuses = answers(cluster, [
    { "x-term": "-1", "x-id": "a" },
    { "x-term": "9007199254740993", "x-id": "a" },
    { "x-term": "9007199254740992", "x-id": "a" },
    { "x-term": "+9007199254740994", "x-id": "a" },
  ]);

  expect(statuses).toEqual([204, 204, 409, 204]);
});

test.each([
  [{ status: 99 }, /status 99/],
  [{ delay: "5" }, /5ms/],
  [{ fail: "nap" as "reset" }, /timeout, reset, disconnect, refuse_connection or no_healthy_host/],
  [{ fence: { header: "t", refuse: 0 } }, /status 0/],
])("wrong options %j are named", (options, message) => {
  expect(() => new Cluster("c", options)).toThrow(message);
});

test("a function's wrong answer is named at the call", () => {
  const cluster = new Cluster("c", () => undefined as never);

  expect(() => cluster.receive(call({}))).toThrow(expect.objectContaining({ code: "E_OPTION" }));
});

test("a header that is there twice is no integer, as the check no_stale_effect reads it", () => {
  const repeated = new ReceivedCall(
    "c",
    HeaderMap.from(
      [
        ["x-term", "9"],
        ["X-Term", "8"],
        ["x-id", "a"],
      ],
      "request",
    ),
    new Uint8Array(0),
  );
  const cluster = new Cluster("c", withId);

  const receipt = cluster.receive(repeated);

  expect(receipt).toMatchObject({ kind: "answer", isRefused: true });
  expect(answers(cluster, [{ "x-term": "1", "x-id": "b" }])).toEqual([204]);
});
