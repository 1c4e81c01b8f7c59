import { describe, expect, test } from "vitest";
import { sentHeaders, takeIn, whyRefused } from "../../../host-mock/http/client-headers.ts";
import type { RequestOptions } from "../../../host-mock/http/exchange.ts";
import { resolveListeners } from "../../../host-mock/http/listener-options.ts";
import { shownHeaders } from "../../../host-mock/http/pairs.ts";
import { takeTarget } from "../../../host-mock/http/request-head.ts";
import { planAnswer } from "../../../host-mock/http/upstream-answer.ts";

const listener = resolveListeners({ main: {} }, []).get("main")!;

function detailsOf(request: RequestOptions): string | null {
  return whyRefused(sentHeaders(request), "HTTP/1.1", listener)?.details ?? null;
}

const header = (name: string, value: string): RequestOptions => ({ headers: [[name, value]] });

describe("a head that an HTTP/1.1 codec does not take", () => {
  test.each([
    ["a value with NUL", header("x", "a\0b"), "http1.invalid_characters"],
    ["a value with DEL", header("x", "a\x7fb"), "http1.invalid_characters"],
    ["a value with a line end", header("x", "a\nb"), "http1.codec_error"],
    ["a value with a tabulator", header("x", "a\tb"), null],
    ["a value beyond ASCII", header("x", "ä"), null],
    ["a name with a blank", header("a b", "v"), "http1.codec_error"],
    ["a name beyond ASCII", header("ä", "v"), "http1.codec_error"],
    ["no name", header("", "v"), "http1.codec_error"],
    ["a length that is no number", header("content-length", "1x"), "http1.codec_error"],
    [
      "a coding that is not chunked",
      header("transfer-encoding", "gzip"),
      "http1.invalid_transfer_encoding",
    ],
    ["chunked in other letters", header("transfer-encoding", "Chunked"), null],
    ["a host with a blank", header("host", "a b"), "http.invalid_authority"],
    ["a path with a blank", { path: "/a b" }, "http1.codec_error"],
    ["a path beyond ASCII", { path: "/ä" }, "http1.codec_error"],
    ["an empty path", { path: "" }, "http1.codec_error"],
    ["a path without a slash", { path: "a" }, "http1.codec_error"],
    ["a star", { path: "*" }, "http1.invalid_url"],
    ["a star for OPTIONS", { path: "*", method: "OPTIONS" }, null],
    ["CONNECT with a path", { path: "/", method: "CONNECT" }, "http1.invalid_url"],
    ["CONNECT with a host", { path: "foo:80", method: "CONNECT" }, null],
    ["a URL of another scheme", { path: "ftp://foo/" }, "http1.invalid_scheme"],
    ["a URL without a host", { path: "http:///a" }, "http1.invalid_url"],
  ] as const)("%s", (_, request, details) => {
    expect(detailsOf(request)).toBe(details);
  });

  test("two lengths, and a length beside a coding", () => {
    const twice: RequestOptions = {
      headers: [
        ["content-length", "1"],
        ["content-length", "1"],
      ],
    };
    const both = { headers: { "content-length": "1", "transfer-encoding": "chunked" } };

    expect(detailsOf(twice)).toBe("http1.codec_error");
    expect(detailsOf(both)).toBe("http1.content_length_and_chunked_not_allowed");
  });
});

describe("a request's target", () => {
  function taken(request: RequestOptions) {
    const headers = sentHeaders(request);
    const answer = takeTarget(headers);
    return { details: answer?.details ?? null, headers: shownHeaders(headers) };
  }

  test("an absolute URL gives authority, scheme and path, whatever the host says", () => {
    const { details, headers } = taken({ path: "https://foo:1/bar?x", headers: { host: "other" } });

    expect(details).toBeNull();
    expect(headers).toEqual([
      [":authority", "foo:1"],
      [":scheme", "https"],
      [":path", "/bar?x"],
      [":method", "GET"],
    ]);
  });

  test("CONNECT has an authority and no path", () => {
    expect(taken({ path: "foo:80", method: "CONNECT" }).headers).toEqual([
      [":authority", "foo:80"],
      [":method", "CONNECT"],
      [":scheme", "http"],
    ]);
  });

  test("a fragment, and what is no path, are answered before any filter", () => {
    expect(taken({ path: "/a#b" }).details).toBe("path_normalization_failed");
    expect(taken({ path: "http://foo?x" }).details).toBe("absolute_path_rejected");
  });

  test("returns in values are passed over, several hosts are joined", () => {
    expect(taken(header("x", "a\rb")).headers.at(-1)).toEqual(["x", "ab"]);
    const two: RequestOptions = {
      headers: [
        ["host", "a"],
        ["host", "b"],
      ],
    };
    expect(taken(two).headers[0]).toEqual([":authority", "a,b"]);
  });

  test("an upgrade to h2c is none, and its headers go", () => {
    const headers = sentHeaders({
      headers: { connection: "upgrade", upgrade: "h2c", "http2-settings": "AA" },
    });
    takeIn(headers, "an-id");

    expect(shownHeaders(headers, { pseudo: false }).map(([name]) => name)).toEqual([
      "x-forwarded-proto",
      "x-request-id",
    ]);
  });
});

describe("an upstream's head", () => {
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => [`x-${String(index)}`, "v"] as const);

  test.each([
    ["a hundred headers", { headers: numbered(99) }, true],
    ["one more", { headers: numbered(100) }, false],
    ["NUL in a value", { headers: { x: "a\0" } }, false],
    ["a return in a value", { headers: { x: "a\rb" } }, true],
    ["a name with a blank", { headers: { "a b": "v" } }, false],
    ["a length that is no number", { headers: { "content-length": "abc" } }, false],
    ["another coding", { headers: { "transfer-encoding": "gzip" } }, false],
    ["both", { headers: { "transfer-encoding": "chunked", "content-length": "1" } }, false],
    ["204 with a length", { status: 204, headers: { "content-length": "2" } }, false],
    ["204 with the length 0", { status: 204, headers: { "content-length": "0" } }, true],
    ["204 with a coding", { status: 204, headers: { "transfer-encoding": "chunked" } }, false],
    ["304 with a length", { status: 304, headers: { "content-length": "2" } }, true],
  ] as const)("%s: taken %s", (_, options, isTaken) => {
    const answer = planAnswer(options, { isHead: false, isUpgrade: false });

    expect(answer !== null).toBe(isTaken);
  });

  test("the length 0 of a 204 goes", () => {
    const options = { status: 204, headers: { "content-length": "0" } };
    const answer = planAnswer(options, { isHead: false, isUpgrade: false });

    expect(shownHeaders(answer!.headers)).toEqual([[":status", "204"]]);
  });
});
