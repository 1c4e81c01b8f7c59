import { expect, test } from "vitest";
import {
  grpcStatusOf,
  isGrpcRequest,
  makeLocalReply,
} from "../../../host-mock/http/local-reply.ts";
import { shownHeaders } from "../../../host-mock/http/pairs.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";

const plain = { isGrpc: false, isHead: false };

function made(reply: Partial<Parameters<typeof makeLocalReply>[0]>, situation = plain) {
  const { headers, body } = makeLocalReply(
    { status: 200, body: new Uint8Array(0), headers: [], grpcStatus: -1, ...reply },
    situation,
  );
  return { headers: shownHeaders(headers), body: new TextDecoder().decode(body) };
}

test("a body brings its length, and text/plain unless a type was given", () => {
  expect(made({ status: 418, body: utf8("tea") })).toEqual({
    headers: [
      [":status", "418"],
      ["content-length", "3"],
      ["content-type", "text/plain"],
    ],
    body: "tea",
  });
  expect(
    made({ body: utf8("{}"), headers: [["Content-Type", "application/json"]] }).headers,
  ).toContainEqual(["content-type", "application/json"]);
});

test("an empty body removes length and type even if they were given", () => {
  const reply = made({
    headers: [
      ["content-type", "text/html"],
      ["content-length", "9"],
      ["x-kept", "1"],
    ],
  });

  expect(reply.headers).toEqual([
    [":status", "200"],
    ["x-kept", "1"],
  ]);
});

test("a HEAD request gets the headers of the body, not the body", () => {
  const reply = made({ body: utf8("tea") }, { isGrpc: false, isHead: true });

  expect(reply.headers).toContainEqual(["content-length", "3"]);
  expect(reply.body).toBe("");
});

test("a gRPC client gets 200, the status in a header and the text percent-encoded", () => {
  const reply = made({ status: 503, body: utf8("50% dürr") }, { isGrpc: true, isHead: false });

  expect(reply).toEqual({
    headers: [
      [":status", "200"],
      ["content-type", "application/grpc"],
      ["grpc-status", "14"],
      ["grpc-message", "50%25 d%C3%BCrr"],
    ],
    body: "",
  });
});

test.each([
  [16, "16"],
  [0, "0"],
  [17, "2"],
  [-1, "2"],
])("grpc_status %i becomes %s for HTTP 500", (grpcStatus, shown) => {
  const reply = made({ status: 500, grpcStatus }, { isGrpc: true, isHead: false });

  expect(reply.headers).toContainEqual(["grpc-status", shown]);
});

test("HTTP statuses map to gRPC's as Envoy maps them", () => {
  const mapped = [200, 400, 401, 403, 404, 429, 500, 502, 503, 504].map(grpcStatusOf);

  expect(mapped).toEqual([2, 13, 16, 7, 12, 14, 2, 14, 14, 14]);
});

test.each([
  ["application/grpc", true],
  ["application/grpc+proto", true],
  ["application/grpc;x", true],
  ["application/grpc-web", false],
  ["text/plain", false],
])("content type %s speaks gRPC: %s", (type, isGrpc) => {
  expect(isGrpcRequest(HeaderMap.from([["content-type", type]], "request"))).toBe(isGrpc);
});
