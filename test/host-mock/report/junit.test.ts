import { expect, test } from "vitest";
import { toJunit } from "../../../host-mock/report/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";
import { broken, day17, judged, wipe } from "./runs.ts";

/** Every tag is closed in order, every attribute quoted, and no character stands there that XML 1.0 forbids. */
function isWellFormed(xml: string): boolean {
  if (/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(xml)) return false;
  const open: string[] = [];
  let at = xml.indexOf("?>") + 2;
  while (at < xml.length) {
    const text = /^[^<]*/.exec(xml.slice(at))?.[0] ?? "";
    if (/&(?!(amp|lt|gt|quot|#\d+);)/.test(text) || text.includes(">")) return false;
    at += text.length;
    if (at === xml.length) break;
    const tag = /^<(\/?)([a-z]+)((?: [a-z]+="(?:[^"<&]|&(?:amp|lt|gt|quot|#\d+);)*")*)(\/?)>/.exec(
      xml.slice(at),
    );
    if (tag === null) return false;
    at += tag[0].length;
    if (tag[1] === "/" && open.pop() !== tag[2]) return false;
    if (tag[1] === "" && tag[4] === "") open.push(tag[2] ?? "");
  }
  return open.length === 0;
}

test("a suite per file, a case per verdict, failures counted", () => {
  const xml = toJunit([
    { ...day17(), file: "scenarios/day17.yaml" },
    { ...broken(), file: "scenarios/broken.yaml" },
  ]);

  expect(xml).toContain('<testsuites name="proxy-wasm-as" tests="18" failures="7" errors="0">');
  expect(xml).toContain(
    '<testsuite name="scenarios/day17.yaml" tests="9" failures="0" errors="0">',
  );
  expect(xml).toContain(
    '<testcase name="single_winner metrics-reporter" classname="scenarios/day17.yaml"/>',
  );
  expect(xml).toContain(
    '<failure message="leader_within metrics-reporter is violated at 22000 ms">nobody leads from 4 s',
  );
  expect(isWellFormed(xml)).toBe(true);
});

test("an expected violation is a passed case that says so", () => {
  const xml = toJunit([{ ...wipe(), file: "wipe.yaml" }]);

  expect(xml).toContain(
    '<testcase name="single_winner metrics-reporter (expected: violated)" classname="wipe.yaml"/>',
  );
});

test("names and details with markup, control characters and lone surrogates stay XML", () => {
  const trace = new TraceBuilder().start("main").at("1s");
  trace.fault("crash", {}, "not_applied", "main", 'a<b>&"\u0000\u001b\ud800\ufffe\n').end("2s");
  const run = { ...judged('<"&\u0007>', trace, []), file: 'a<b>&".yaml' };

  const xml = toJunit([run]);

  expect(isWellFormed(xml)).toBe(true);
  expect(xml).toContain("a&lt;b&gt;&amp;&quot;\\u0000\\u001b\\ud800\\ufffe&#10;");
});
