import { describe, expect, test } from "vitest";
import { shownHeaders } from "../../../host-mock/http/pairs.ts";
import { answerOnWire, finishAnswer, requestOnWire } from "../../../host-mock/http/wire-headers.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";

const request = (method: string) => HeaderMap.from([[":method", method]]);
const answer = (status: number, ...more: [string, string][]) =>
  HeaderMap.from([[":status", String(status)], ...more], "response");
const situation = { isHttp1: true, isHead: false, isEnd: true };
const added = (map: HeaderMap) => shownHeaders(map, { pseudo: false });

describe("a request to the upstream", () => {
  test.each([
    ["POST", true, [["content-length", "0"]]],
    ["GET", true, []],
    ["DELETE", true, []],
    ["GET", false, [["transfer-encoding", "chunked"]]],
  ])("%s that ends at its headers (%s) gets %j", (method, isEnd, expected) => {
    expect(added(requestOnWire(request(method), isEnd, false))).toEqual(expected);
  });

  test("an upgrade gets nothing", () => {
    expect(added(requestOnWire(request("GET"), false, true))).toEqual([]);
  });
});

describe("an answer to the client", () => {
  test.each([
    ["without a body", 200, situation, [["content-length", "0"]]],
    ["with one", 200, { ...situation, isEnd: false }, [["transfer-encoding", "chunked"]]],
    ["to HEAD", 200, { ...situation, isHead: true }, [["transfer-encoding", "chunked"]]],
    ["204", 204, situation, []],
    ["304", 304, situation, []],
    ["101", 101, { ...situation, isEnd: false }, []],
    ["over HTTP/2", 200, { ...situation, isHttp1: false }, []],
  ])("%s", (_, status, state, expected) => {
    expect(added(answerOnWire(answer(status), state))).toEqual(expected);
  });

  test("Envoy's server stands where the upstream's stood, a date of its own stays", () => {
    const headers = answer(
      200,
      ["server", "mine"],
      ["date", "never"],
      ["connection", "keep-alive"],
      ["keep-alive", "5"],
      ["upgrade", "h2c"],
      ["transfer-encoding", "chunked"],
    );

    finishAnswer(headers, { date: "now", isUpgrade: false, closes: true });

    expect(added(headers)).toEqual([
      ["server", "envoy"],
      ["date", "never"],
      ["connection", "close"],
    ]);
  });
});
