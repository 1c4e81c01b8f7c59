import { describe, expect, it } from "vitest";
import { leaderships, overlaps, parseLogLine, tickSlackNs, witnessLines } from "./witness-log.ts";
import type { LogLine } from "./witness-log.ts";

const head = "[12:00:00.000001][7][debug][wasm] wasm log left metrics: proxy-wasm-as.election";
const log = (...lines: string[]): LogLine[] => lines.map((line) => parseLogLine(`${head} ${line}`));
const claim = (id: string, term: number, atNs: number, untilNs: number): string =>
  `claim term=${String(term)} at_ns=${String(atNs)} until_ns=${String(untilNs)} id=${id} key=lease:metrics`;
const renewal = (id: string, term: number, atNs: number, untilNs: number): string =>
  claim(id, term, atNs, untilNs).replace("claim", "renew");
const stop = (id: string, term: number, atNs: number, reason: string): string =>
  `stop term=${String(term)} at_ns=${String(atNs)} reason=${reason} id=${id} key=lease:metrics`;

describe("reading Envoy's log", () => {
  it("tells a line's thread, level, logger and text", () => {
    const line = parseLogLine("[17:17:53.007236][9396][debug][wasm] ~Wasm 1 remaining active");

    expect(line).toEqual({
      thread: 9396,
      level: "debug",
      logger: "wasm",
      text: "~Wasm 1 remaining active",
    });
  });

  it("keeps a line without a head as it is", () => {
    expect(parseLogLine("  0:  0x3b39 - proxy_on_tick")).toMatchObject({
      thread: 0,
      text: "  0:  0x3b39 - proxy_on_tick",
    });
  });

  it.each(["a\rb", "a\r", "a\u2028b"])("takes the rest of a line for its text: %j", (text) => {
    expect(parseLogLine(`[17:17:53.007236][9396][info][wasm] ${text}`)).toEqual({
      thread: 9396,
      level: "info",
      logger: "wasm",
      text,
    });
  });

  it("refuses a line that carries the marker and is no witness line", () => {
    expect(() => witnessLines(log("claim term=x at_ns=1 until_ns=2 id=a key=k"))).toThrow(
      /not a witness line/,
    );
  });

  it("takes the rest of the line for the key", () => {
    const [line] = witnessLines(log("claim term=5 at_ns=1 until_ns=2 id=a key=lease: a key"));

    expect(line).toMatchObject({ verb: "claim", term: 5n, key: "lease: a key", thread: 7 });
    expect(line?.prefix).toBe("wasm log left metrics: ");
  });
});

describe("leaderships in a log", () => {
  it("last from the claim to the last promise", () => {
    const [one] = leaderships(witnessLines(log(claim("a", 1, 10, 30), renewal("a", 1, 20, 40))));

    expect(one).toMatchObject({ id: "a", term: 1n, fromNs: 10n, untilNs: 40n, reason: null });
  });

  it("end at their stop line, but not after their promise", () => {
    const early = leaderships(
      witnessLines(log(claim("a", 1, 10, 30), stop("a", 1, 20, "released"))),
    );
    const late = leaderships(witnessLines(log(claim("a", 1, 10, 30), stop("a", 1, 50, "expired"))));

    expect(early[0]).toMatchObject({ untilNs: 20n, reason: "released" });
    expect(late[0]).toMatchObject({ untilNs: 30n, reason: "expired" });
  });

  it.each([
    ["a renewal without a claim", [renewal("a", 1, 20, 40)], /without a claim/],
    [
      "a renewal after the stop",
      [claim("a", 1, 10, 30), stop("a", 1, 20, "released"), renewal("a", 1, 25, 45)],
      /after the stop/,
    ],
    [
      "a renewal after the promise",
      [claim("a", 1, 10, 30), renewal("a", 1, 31, 50)],
      /after its promise/,
    ],
    [
      "two claims of one term by one context",
      [claim("a", 1, 10, 30), claim("a", 1, 20, 40)],
      /claimed twice/,
    ],
  ])("%s is an error", (_what, lines, message) => {
    expect(() => leaderships(witnessLines(log(...lines)))).toThrow(message);
  });
});

describe("overlaps", () => {
  it("are found where two contexts lead at one instant", () => {
    const all = leaderships(witnessLines(log(claim("a", 1, 10, 30), claim("b", 2, 29, 50))));

    expect(overlaps(all).map(([one, other]) => [one.id, other.id])).toEqual([["a", "b"]]);
  });

  it("are none where one leads after the other, of the same instant too", () => {
    const all = leaderships(
      witnessLines(log(claim("a", 1, 10, 30), stop("a", 1, 20, "released"), claim("b", 2, 20, 50))),
    );

    expect(overlaps(all)).toEqual([]);
  });

  it("are none between elections of different keys", () => {
    const lines = log(
      claim("a", 1, 10, 30),
      claim("b", 2, 15, 50).replace("lease:metrics", "lease:other"),
    );

    expect(overlaps(leaderships(witnessLines(lines)))).toEqual([]);
  });
});

it("a run allows for ticks as late as its own passes were", () => {
  const [punctual] = leaderships(
    witnessLines(log(claim("a", 1, 0, 300), renewal("a", 1, 100, 400))),
  );
  const [busy] = leaderships(witnessLines(log(claim("a", 1, 0, 300), renewal("a", 1, 150, 450))));

  expect(punctual === undefined ? -1n : tickSlackNs(punctual, 100n)).toBe(20n);
  expect(busy === undefined ? -1n : tickSlackNs(busy, 100n)).toBe(120n);
});
