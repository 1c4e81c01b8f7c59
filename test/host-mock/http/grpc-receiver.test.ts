import { describe, expect, test } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { GrpcCluster } from "../../../host-mock/http/grpc-cluster.ts";
import { grpcHeaders } from "../../../host-mock/http/grpc-headers.ts";
import { httpParts } from "../../../host-mock/http/grpc-local.ts";
import type {
  GrpcAnswerOptions,
  GrpcClusterOptions,
} from "../../../host-mock/http/grpc-options.ts";
import {
  GrpcAnswering,
  ReceivedGrpc,
  type GrpcPart,
} from "../../../host-mock/http/grpc-receiver.ts";
import { lossyUtf8, utf8 } from "../../../host-mock/state/bytes.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";

function shown(part: GrpcPart, afterNs: number): string {
  const at = afterNs === 0 ? "" : ` +${afterNs / 1e6}ms`;
  const lines = (map: HeaderMap) =>
    map
      .entries()
      .map(([name, value]) => `${lossyUtf8(name)}=${lossyUtf8(value)}`)
      .join(" ");
  switch (part.kind) {
    case "headers":
      return `headers ${lines(part.headers)}${part.isEnd ? " end" : ""}${at}`;
    case "message":
      return `message ${lossyUtf8(part.message)}${at}`;
    case "trailers":
      return `trailers ${lines(part.trailers)}${at}`;
    default:
      return `${part.kind}${at}`;
  }
}

function receiver(): { sent: string[]; answering: GrpcAnswering } {
  const sent: string[] = [];
  const headers = HeaderMap.from([
    [":path", "/pkg.Svc/Do"],
    [":authority", "up"],
    ["X-A", "1"],
  ]);
  const received = new ReceivedGrpc("up", headers);
  const answering = new GrpcAnswering(received, (part, afterNs) => sent.push(shown(part, afterNs)));
  return { sent, answering };
}

function answered(options: GrpcAnswerOptions): string[] {
  const { sent, answering } = receiver();
  const receipt = new GrpcCluster("up", { grpc: options }).receive(answering.call);
  if (receipt.kind !== "answer") throw new Error("it answers");
  answering.answer(receipt.reply);
  return sent;
}

describe("one answer", () => {
  test("is metadata, messages and trailers in their time", () => {
    const sent = answered({
      metadata: { x: "1" },
      messages: ["a", "b"],
      trailers: { t: "2" },
      delay: "5ms",
      frameGap: "2ms",
    });

    expect(sent).toEqual([
      "headers :status=200 content-type=application/grpc x=1 +5ms",
      "message a +5ms",
      "message b +7ms",
      "trailers grpc-status=0 t=2 +7ms",
    ]);
  });

  test("may be all in the headers, or break", () => {
    expect(answered({ status: 5, message: "no", trailersOnly: true })).toEqual([
      "headers :status=200 content-type=application/grpc grpc-status=5 grpc-message=no end",
    ]);
    expect(answered({ messages: ["a", "b"], breakAfter: 1 }).slice(1)).toEqual([
      "message a",
      "reset",
    ]);
  });
});

describe("a script's side", () => {
  test("sends metadata by itself when the first message needs it", () => {
    const { sent, answering } = receiver();

    answering.send("a");
    answering.send("b", "3ms");
    answering.close({ status: 9, message: "why", trailers: { t: "1" } });

    expect(sent).toEqual([
      "headers :status=200 content-type=application/grpc",
      "message a",
      "message b +3ms",
      "trailers grpc-status=9 grpc-message=why t=1",
    ]);
  });

  test.each<[string, (side: GrpcAnswering) => void, RegExp]>([
    ["metadata twice", (side) => (side.sendMetadata({}), side.sendMetadata({})), /twice/],
    ["a message after the end", (side) => (side.close(), side.send("x")), /after its end/],
    ["two ends", (side) => (side.reset(), side.close()), /after its end/],
    ["a wrong status", (side) => side.close({ status: 99 }), /status 99/],
    ["a bare number", (side) => side.send("x", "5"), /5ms/],
    ["what is no message", (side) => side.send(5 as never), /a message is a number; give a text/],
  ])("is refused %s", (_, act, message) => {
    expect(() => act(receiver().answering)).toThrow(message);
  });

  test("sees the call", () => {
    const { call } = receiver().answering;

    expect([call.service, call.method, call.authority, call.metadata, call.header("x-a")]).toEqual([
      "pkg.Svc",
      "Do",
      "up",
      [["x-a", "1"]],
      "1",
    ]);
  });
});

describe("wrong clusters are named", () => {
  test.each<[unknown, RegExp]>([
    [{ status: 17 }, /status 17/],
    [{ fail: "nap" }, /timeout, reset, refuse_connection or no_healthy_host/],
    [{ fail: "reset", messages: [] }, /no option "messages"/],
    [{ script: {}, status: 0 }, /no option "status"/],
    [{ script: { onMesage: () => undefined } }, /did you mean onMessage/],
    [{ breakAfter: -1 }, /breakAfter is -1/],
    [{ messages: "ok" }, /gRPC cluster up: messages is a string; give a list of texts or bytes/],
    [{ messages: ["a", 5] }, /messages has a number in it; give a text or bytes/],
    [{ trailers: { "Grpc-Status": "5" } }, /trailers cannot set Grpc-Status; give status instead/],
    [{ message: 5 }, /message is 5; give a text/],
    [{ trailersOnly: "yes" }, /trailersOnly is "yes"; write true or false/],
    [{ trailersOnly: true, messages: ["a"] }, /messages cannot stand beside trailersOnly/],
    [{ trailersOnly: true, breakAfter: 0 }, /breakAfter cannot stand beside trailersOnly/],
    [{ delay: 5 }, /gRPC cluster up: delay: 5 is no duration/],
    [{ script: { onEnd: 5 } }, /script's onEnd is a number; give a function/],
  ])("%j", (grpc, message) => {
    const make = () => new GrpcCluster("up", { grpc } as GrpcClusterOptions);

    expect(make).toThrow(MockHostError);
    expect(make).toThrow(message);
  });

  test("a function's answer is looked at when it comes", () => {
    const cluster = new GrpcCluster("up", { grpc: () => ({ fail: "no_healthy_host" }) });

    expect(() => cluster.receive(receiver().answering.call)).toThrow(/declare up as/);
  });
});

describe("headers of a call", () => {
  const parts = { authority: "up", serviceName: "s", method: "m", serviceMetadata: [] };
  const timeoutOf = (timeoutMs: number) =>
    grpcHeaders({ ...parts, metadata: [], timeoutMs }).text("grpc-timeout");

  test("the timeout has at most eight digits", () => {
    expect([0, 99_999_999, 100_000_000, 4_294_967_295].map(timeoutOf)).toEqual([
      "0m",
      "99999999m",
      "100000S",
      "4294967S",
    ]);
  });

  test("binary metadata is sent in base64", () => {
    const metadata = [[utf8("X-A-Bin"), Uint8Array.of(0, 255)]] as const;

    expect(grpcHeaders({ ...parts, metadata, timeoutMs: undefined }).text("x-a-bin")).toBe("AP8=");
  });
});

describe("a receiver that speaks HTTP", () => {
  const reply = {
    status: 200,
    headers: [],
    trailers: [["grpc-status", "0"]] as const,
    delayNs: 0,
    gapNs: 0,
    breakAfter: null,
  };
  const partsOf = (...bytes: readonly number[]) =>
    httpParts({ ...reply, frames: [Uint8Array.from(bytes)] }).map(({ part, afterNs }) =>
      shown(part, afterNs),
    );

  test("its body is messages where it has their form, else garbage", () => {
    expect(partsOf(0, 0, 0, 0, 1, 0x61, 0, 0, 0, 0, 0).slice(1)).toEqual([
      "message a",
      "message ",
      "trailers grpc-status=0",
    ]);
    expect(partsOf(0x68, 0x65)).toEqual(["headers :status=200", "garbage"]);
    expect(partsOf(0, 0, 0, 0, 1, 0x61, 7).slice(1)).toEqual(["garbage"]);
    expect(partsOf(0, 0, 0, 0, 1, 0x61, 1, 0, 0, 0, 1, 0x62).slice(1)).toEqual([
      "message a",
      "garbage",
    ]);
  });

  test("that breaks off has not sent what comes after", () => {
    const frames = ["a", "b"].map((text) => Uint8Array.of(0, 0, 0, 0, 1, ...utf8(text)));

    const parts = httpParts({ ...reply, frames, gapNs: 2e6, breakAfter: 1 });

    expect(parts.map(({ part, afterNs }) => shown(part, afterNs)).slice(1)).toEqual([
      "message a",
      "reset",
    ]);
  });

  test("each message comes when its last byte does", () => {
    const frames = [
      [0, 0, 0, 0, 1, 0x61, 0, 0],
      [0, 0, 1, 0x62],
    ].map((bytes) => Uint8Array.from(bytes));

    const parts = httpParts({ ...reply, frames, delayNs: 1e6, gapNs: 2e6 });

    expect(parts.map(({ part, afterNs }) => shown(part, afterNs)).slice(1)).toEqual([
      "message a +1ms",
      "message b +3ms",
      "trailers grpc-status=0 +3ms",
    ]);
  });
});
