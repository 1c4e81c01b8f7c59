import { describe, expect, test } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { answerBytesMax, answerTimes, remoteAnswer } from "../../../host-mock/http/call-answer.ts";
import { Cluster, type Reply } from "../../../host-mock/http/cluster.ts";
import type { AnswerOptions } from "../../../host-mock/http/cluster-options.ts";
import { Clusters } from "../../../host-mock/http/clusters.ts";
import { ReceivedCall } from "../../../host-mock/http/received-call.ts";
import { callHeaders, lacksBody, receivedHeaders } from "../../../host-mock/http/sent-headers.ts";
import { lossyUtf8 } from "../../../host-mock/state/bytes.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";
import { Clock } from "../../../host-mock/time/clock.ts";
import { Recorder } from "../../../host-mock/trace/recorder.ts";

const call = new ReceivedCall("c", HeaderMap.from([]), new Uint8Array(0));

function reply(options: AnswerOptions): Reply {
  const receipt = new Cluster("c", options).receive(call);
  if (receipt.kind !== "answer") throw new Error("it answers");
  return receipt.reply;
}

function lines(map: HeaderMap): string[] {
  return map.entries().map(([name, value]) => `${lossyUtf8(name)}: ${lossyUtf8(value)}`);
}

describe("an answer", () => {
  test("comes frame by frame, the first one with the headers", () => {
    const body = ["a", "", "bb", "c"];

    const times = answerTimes(reply({ body, delay: "5ms", frameGap: "2ms" }), 1e6);

    expect(times).toEqual({ headersNs: 6e6, endNs: 10e6, isBroken: false });
  });

  test.each([
    [0, 0],
    [1, 0],
    [2, 2e6],
    [9, 4e6],
  ])("that breaks after %i frames ends with the last of them", (breakAfter, endNs) => {
    const broken = reply({ body: ["a", "b", "c"], frameGap: "2ms", breakAfter });

    expect(answerTimes(broken, 0)).toEqual({ headersNs: 0, endNs, isBroken: true });
  });

  test("has its length when it is one frame, and is chunked with several or with trailers", () => {
    const headersOf = (options: AnswerOptions) => lines(remoteAnswer(reply(options), 7e6)!.headers);

    expect(headersOf({ body: "ab" })).toEqual([
      ":status: 200",
      "content-length: 2",
      "x-envoy-upstream-service-time: 7",
    ]);
    expect(headersOf({ body: ["a", "b"] })[1]).toBe("transfer-encoding: chunked");
    expect(headersOf({ trailers: { t: "1" } })[1]).toBe("transfer-encoding: chunked");
    expect(headersOf({ status: 204 })).toEqual([
      ":status: 204",
      "x-envoy-upstream-service-time: 7",
    ]);
    expect(headersOf({ body: "ab", headers: { "content-length": "9" } })[1]).toBe(
      "content-length: 9",
    );
  });

  test("of more than 32 MiB is a reset", () => {
    const largest = new Uint8Array(answerBytesMax);

    expect(remoteAnswer(reply({ body: largest }), 0)?.body).toHaveLength(answerBytesMax);
    expect(remoteAnswer(reply({ body: [largest, "x"] }), 0)).toBeNull();
  });
});

describe("options", () => {
  test.each([
    [{ breakAfter: -1 }, /breakAfter is -1/],
    [{ breakAfter: 1.5 }, /breakAfter is 1.5/],
    [{ frameGap: "5" }, /5ms/],
    [{ trailers: { ":status": "1" } }, /pseudo-header/],
    [{ trailer: {} } as AnswerOptions, /did you mean trailers/],
    [{ body: 5 as never }, /cluster c: body is a number; give a text or bytes/],
    [{ body: ["a", {} as never] }, /cluster c: body has an object in it; give a text or bytes/],
    [{ delay: 5 as never }, /cluster c: delay: 5 is no duration/],
    [{ fail: "timout" as "timeout" }, /"timout" \(did you mean timeout\?\); write timeout, reset/],
    [{ fail: "timeout", status: 204 } as never, /no option "status"; its options are fail/],
    [{ fence: null } as never, /cluster c: fence is given nothing/],
    [{ fence: { header: "t" } } as never, /cluster c: fence answers status undefined/],
    [{ fence: { head: "term" } } as never, /did you mean header/],
    [{ fence: { header: 5, refuse: 409 } } as never, /cluster c: fence: header is a number/],
  ])("wrong ones %j are named", (options, message) => {
    const make = () => new Cluster("c", options);

    expect(make).toThrow(MockHostError);
    expect(make).toThrow(message);
  });

  test("a function's answer has no fence, which would be a new one for each call", () => {
    const fence = { header: "term", refuse: 409 };
    const wrong = new Cluster("c", () => ({ status: 200, fence }) as AnswerOptions);

    expect(() => wrong.receive(call)).toThrow(/no option "fence"/);
  });

  test("a cluster without hosts is declared as a whole; a function that answers so is wrong", () => {
    expect(new Cluster("c", { fail: "no_healthy_host" }).isWithoutHosts).toBe(true);
    const wrong = new Cluster("c", () => ({ fail: "no_healthy_host" }));

    expect(wrong.isWithoutHosts).toBe(false);
    expect(() => wrong.receive(call)).toThrow(/declare c as/);
  });

  test("what clusters may answer depends on what they speak", () => {
    const recorder = new Recorder(new Clock({ startWallNs: 0n }));
    const declared = { web: { status: 204 }, rpc: { grpc: { messages: ["m"] } } };
    const subject = { thread: "main", vm: "main#1", plugin: "p", context: 1 };

    const strict = new Clusters(recorder, declared, false);
    const loose = new Clusters(recorder, declared, true);

    expect(strict.names).toEqual(["web", "rpc"]);
    expect(strict.find(subject, "nobody", "http")).toBeUndefined();
    expect(recorder.events.map(({ name }) => name)).toEqual(["undeclared_cluster"]);
    expect(loose.find(subject, "nobody", "grpc")?.name).toBe("nobody");
    expect(() => new Clusters(recorder, { a: { grpc: { status: 17 } } }, false)).toThrow(
      /ends with status 17/,
    );
    const both = { redis: {}, status: 204 };
    expect(() => new Clusters(recorder, { a: both }, false)).toThrow(/a has no option "status"/);
  });
});

describe("what the receiver sees", () => {
  const basics = [
    [":method", "POST"],
    [":path", "/"],
    [":authority", "a"],
  ] as const;

  test("a wrong length is corrected where it stands, a missing one added", () => {
    const wrong = callHeaders([...basics, ["Content-Length", "9"], ["x", "1"]], 5);
    const missing = callHeaders([...basics, ["x", "1"]], 5);

    expect(lines(wrong).slice(3)).toEqual(["content-length: 5", "x: 1"]);
    expect(lines(missing).slice(3)).toEqual(["x: 1", "content-length: 5"]);
  });

  test("Envoy adds that it is internal, the timeout, and the length of nothing", () => {
    const received = receivedHeaders(callHeaders(basics, 0), 500);

    expect(lines(received).slice(3)).toEqual([
      "x-envoy-internal: true",
      "x-envoy-expected-rq-timeout-ms: 500",
      "content-length: 0",
    ]);
    expect(lines(receivedHeaders(callHeaders([[":method", "GET"]], 0), 0))).toEqual([
      ":method: GET",
      "x-envoy-internal: true",
    ]);
  });

  test("a length without a body keeps the receiver waiting", () => {
    expect(lacksBody(callHeaders([...basics, ["content-length", "5"]], 0), 0)).toBe(true);
    expect(lacksBody(callHeaders([...basics, ["content-length", "0"]], 0), 0)).toBe(false);
    expect(lacksBody(callHeaders(basics, 5), 5)).toBe(false);
  });
});
