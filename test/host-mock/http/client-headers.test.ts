import { describe, expect, test } from "vitest";
import { sentHeaders, takeIn, whyRefused } from "../../../host-mock/http/client-headers.ts";
import type { RequestOptions } from "../../../host-mock/http/exchange.ts";
import { resolveListeners } from "../../../host-mock/http/listener-options.ts";
import { shownHeaders } from "../../../host-mock/http/pairs.ts";

const listener = resolveListeners({ main: {} }, []).get("main")!;

function taken(request: RequestOptions) {
  const headers = sentHeaders(request);
  takeIn(headers, "an-id");
  return shownHeaders(headers, { pseudo: false });
}

describe("what a client sends", () => {
  test("a body has its length, a chunked one has not, and HTTP/2 adds nothing", () => {
    const lengthOf = (request: RequestOptions) => sentHeaders(request).text("content-length");

    expect(lengthOf({ body: ["abc", "de"] })).toBe("5");
    expect(lengthOf({ body: "abc", headers: { "transfer-encoding": "chunked" } })).toBeUndefined();
    expect(lengthOf({ body: "abc", trailers: { "x-t": "1" } })).toBeUndefined();
    expect(lengthOf({ body: "abc", protocol: "HTTP/2" })).toBeUndefined();
  });

  test("without a scheme of its own it has that of x-forwarded-proto, if that is one", () => {
    const schemeOf = (proto: string) =>
      sentHeaders({ headers: { "X-Forwarded-Proto": proto } }).text(":scheme");

    expect([schemeOf("https"), schemeOf("HTTPS"), schemeOf("gopher")]).toEqual([
      "https",
      "https",
      "http",
    ]);
  });
});

describe("what the connection manager makes of it", () => {
  test("headers of the connection go, and those that it names", () => {
    const headers = taken({
      headers: {
        connection: "keep-alive, X-Hop, close",
        "x-hop": "1",
        "keep-alive": "5",
        "proxy-connection": "x",
        "transfer-encoding": "chunked",
        te: "gzip",
        upgrade: "h2c",
        "x-kept": "1",
      },
    });

    expect(headers).toEqual([
      ["x-kept", "1"],
      ["x-forwarded-proto", "http"],
      ["x-request-id", "an-id"],
    ]);
  });

  test("te: trailers, an expectation that is not 100-continue, and an upgrade stay", () => {
    const headers = taken({
      headers: { te: "trailers", expect: "foo", connection: "Upgrade", upgrade: "websocket" },
    });

    expect(headers.map(([name]) => name)).toEqual([
      ...["te", "expect", "connection", "upgrade", "x-forwarded-proto", "x-request-id"],
    ]);
    expect(taken({ headers: { expect: "100-continue" } }).map(([name]) => name)).not.toContain(
      "expect",
    );
  });

  test("Envoy's own names go but for those that anybody may send", () => {
    const headers = taken({
      headers: {
        "x-envoy-internal": "true",
        "x-envoy-upstream-rq-timeout-ms": "5",
        "x-envoy-original-path": "/kept",
        "x-request-id": "mine",
        "x-forwarded-proto": "https",
      },
    });

    expect(headers).toEqual([
      ["x-envoy-original-path", "/kept"],
      ["x-request-id", "mine"],
      ["x-forwarded-proto", "https"],
    ]);
  });
});

describe("limits", () => {
  const numbered = (count: number): RequestOptions => ({
    headers: Array.from({ length: count }, (_, index) => [`x-${String(index)}`, "v"] as const),
  });
  const refusal = (request: RequestOptions) =>
    whyRefused(sentHeaders(request), request.protocol ?? "HTTP/1.1", listener);

  test("HTTP/1.1 counts the host, HTTP/2 the pseudo-headers", () => {
    const two = (count: number): RequestOptions => ({ ...numbered(count), protocol: "HTTP/2" });

    expect([refusal(numbered(99)), refusal(two(96))]).toEqual([null, null]);
    expect(refusal(numbered(100))).toMatchObject({ status: 431 });
    expect(refusal(two(97))).toMatchObject({ status: 431 });
  });

  test("HTTP/1.1 measures the whole head, HTTP/2 names and values", () => {
    const rest = "GET / HTTP/1.1##host: localhost##x-big: ####".length;
    const of = (size: number, protocol?: "HTTP/2"): RequestOptions => ({
      headers: { "x-big": "b".repeat(size) },
      ...(protocol === undefined ? {} : { protocol }),
    });
    const pseudo = ":authoritylocalhost:path/:methodGET:schemehttpx-big".length;

    expect(refusal(of(61440 - rest))).toBeNull();
    expect(refusal(of(61440 - rest + 1))).toMatchObject({ status: 431 });
    expect(refusal(of(61440 - pseudo, "HTTP/2"))).toBeNull();
    expect(refusal(of(61440 - pseudo + 1, "HTTP/2"))).toMatchObject({ status: 431 });
  });

  test("a method that nobody knows is a 400 in HTTP/1.1", () => {
    expect(refusal({ method: "OTHER" })).toMatchObject({ status: 400 });
    expect(refusal({ method: "OTHER", protocol: "HTTP/2" })).toBeNull();
  });
});
