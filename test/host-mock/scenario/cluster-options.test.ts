import { expect } from "vitest";
import { clusterOptions } from "../../../host-mock/scenario/cluster-options.ts";
import { load, refusal, test } from "./loading.ts";
import { scenarioText } from "./scenario-text.ts";

test("a cluster of the file has every option of the host", ({ folder }) => {
  const clusters = `clusters:
  http: {status: 201, headers: {a: b}, frames: [x, {base64: AAE=}], trailers: {t: u}, delay: 5ms, frame_gap: 2ms, break_after: 1}
  grpc: {grpc: {metadata: {a: b}, messages: [m], status: 5, message: no, trailers: {t: u}, trailers_only: false, delay: 5ms, frame_gap: 2ms, break_after: 1}}
  down: {fail: no_healthy_host}
  gone: {grpc: {fail: refuse_connection}}`;

  const { frame } = load(folder, scenarioText({ clusters }));

  const made = Object.entries(frame.clusters).map(([name, entry]) => [name, clusterOptions(entry)]);
  const timing = { delay: "5000000ns", frameGap: "2000000ns", breakAfter: 1 };
  expect(Object.fromEntries(made)).toEqual({
    http: {
      status: 201,
      headers: [["a", "b"]],
      body: [Uint8Array.of(0x78), Uint8Array.of(0, 1)],
      trailers: [["t", "u"]],
      ...timing,
    },
    grpc: {
      grpc: {
        metadata: [["a", "b"]],
        messages: [Uint8Array.of(0x6d)],
        status: 5,
        message: "no",
        trailers: [["t", "u"]],
        trailersOnly: false,
        ...timing,
      },
    },
    down: { fail: "no_healthy_host" },
    gone: { grpc: { fail: "refuse_connection" } },
  });
});

test("what an answer in the headers alone cannot have is refused where it stands", ({ folder }) => {
  const clusters = `clusters:
  up: {grpc: {trailers_only: true, messages: [m]}}`;

  expect(refusal(folder, scenarioText({ clusters }))).toMatch(
    /^s\.yaml:\d+:36: messages cannot stand beside trailers_only, .*; keep one of the two$/,
  );
});
