import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { ReportData } from "../../../../host-mock/report/html/report-data.ts";
import {
  CallDetail,
  overviewSvg,
  toHtml,
  type JudgedRun,
} from "../../../../host-mock/report/index.ts";
import { TraceBuilder } from "../../../support/trace-builder.ts";
import { broken, hundredVms, judged } from "../runs.ts";
import { anHourOfNine, example, failing, seen } from "./hour.ts";

function dataOf(page: string): ReportData {
  const text = /<script type="application\/json" id="report-data">([^<]*)<\/script>/.exec(
    page,
  )?.[1];
  return JSON.parse(text ?? "null") as ReportData;
}

/** The page without its script and data: what is there when no script runs. */
function stillOf(page: string): string {
  return page.replace(/<script[^]*?<\/script>/g, "");
}

const page = ({ run, detail }: ReturnType<typeof seen>): string => toHtml(run, { detail });
const sizeOf = (text: string): number => new TextEncoder().encode(text).length;

let hour: string;
let bad: string;

beforeAll(() => {
  hour = page(seen(anHourOfNine()));
  bad = page(seen(failing()));
});

describe("a report", () => {
  test("of an hour of nine VMs is at most 1 MB, with every tick in it", () => {
    const { callbacks, rows } = dataOf(hour);
    const ticks = callbacks!.names.indexOf("proxy_on_tick");
    const tickCount = callbacks!.count.reduce(
      (sum, count, index) => sum + (callbacks!.name[index] === ticks ? count : 0),
      0,
    );

    expect(sizeOf(hour)).toBeLessThan(1e6);
    expect(rows.filter(({ kind }) => kind === "vm")).toHaveLength(9);
    expect(tickCount).toBeGreaterThan(9 * 1100);
  });

  test("of equal runs is equal, byte for byte", () => {
    expect(page(seen(failing()))).toBe(bad);
  });

  test("asks for nothing: no address, no source, and a policy that would refuse it", () => {
    for (const text of [hour, bad]) {
      expect(text).not.toMatch(/https?:\/\/|\bsrc=|<link|@import|@font-face|url\((?!#)/);
      expect(text).toContain("default-src 'none'");
    }
  });

  test("lets run the script and the style that are in it, and no other", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(bad)?.[1];
    const hash = (text: string): string => createHash("sha256").update(text).digest("base64");
    const script = /<script>([^]*?)<\/script>/.exec(bad)?.[1] ?? "";
    const style = /<style>([^]*?)<\/style>/.exec(bad)?.[1] ?? "";

    expect(policy).toContain(`script-src 'sha256-${hash(script)}'`);
    expect(policy).toContain(`style-src 'sha256-${hash(style)}'`);
    expect(bad).not.toMatch(/\sstyle=|\son[a-z]+=/);
  });

  test("shows without script: the violation in words, a picture, leaderships, faults, verdicts", () => {
    const still = stillOf(bad);

    expect(still).toContain("✘ 1 of 8 verdicts not as expected");
    expect(still).toMatch(
      /class="failures"><li><b>✘ single_winner<\/b> of metrics-reporter at 20\.467 s: main#1/,
    );
    expect(still).toMatch(/<svg viewBox[^>]*aria-label="Timeline: 2 leaderships/);
    expect(still).toMatch(
      /<td>2\.899 s<\/td><td>main#1<\/td><td>1767225602899 \(T1\)<\/td><td>24 s<\/td>/,
    );
    expect(still).toContain("shared data of vm_id &quot;&quot; is wiped");
    expect(still).toMatch(/<tr class="bad"><td>✘ single_winner<\/td>/);
  });

  test("marks the violation, and one that was expected otherwise", () => {
    const kindsOf = (text: string): string[] => {
      const { items, kinds } = dataOf(text);
      return items.kind.map((kind) => kinds[kind]!);
    };

    expect(kindsOf(bad).filter((kind) => kind === "violation")).toHaveLength(1);
    const expected = kindsOf(page(seen(example("wipe"))));
    expect(expected).not.toContain("violation");
    expect(expected.filter((kind) => kind === "expected")).toHaveLength(1);
  });

  test("tells what a key held until it was wiped, and from then on", () => {
    const { items, kinds, rows } = dataOf(bad);
    const lease = rows.findIndex(({ label }) => label === "higress_wasm_vm_lease:metrics-reporter");
    const changes = items.row.flatMap((row, index) =>
      row === lease ? [kinds[items.kind[index]!]] : [],
    );

    expect(changes.filter((kind) => kind === "unset")).toHaveLength(1);
    expect(changes.indexOf("unset")).toBeGreaterThan(3);
    expect(changes.at(-1)).toBe("set");
  });

  test("of a trace without calls says that ticks and shared data are not drawn", () => {
    const { run } = seen(example("stale-leader"));
    const outcome = toHtml({ ...run, events: run.events.filter(({ event }) => event !== "call") });

    expect(outcome).toContain("ticks and calls are not drawn");
    expect(outcome).toContain("what keys held is not drawn");
    expect(dataOf(outcome).callbacks).toBeNull();
    expect(page(seen(example("stale-leader")))).not.toContain("are not drawn");
  });

  test("of a run with traps, missed events and an undeclared cluster names them all", () => {
    const still = stillOf(toHtml(broken()));

    expect(still).toContain("traps in proxy_on_tick");
    expect(still).toContain("did not happen, nobody leads metrics-reporter");
    expect(still).toContain("calls the undeclared cluster");
  });

  test("has the line that runs it again where it was told", () => {
    const { run, detail } = seen(example("day17"));

    expect(toHtml(run, { detail, again: "npx proxy-wasm-as simulate 'a<b.yaml'" })).toContain(
      "<pre>npx proxy-wasm-as simulate &#39;a&lt;b.yaml&#39;</pre>",
    );
    expect(toHtml(run, { detail })).not.toContain("<h2>Again</h2>");
  });
});

describe("hostile words", () => {
  const hostile = `</script><script>alert(1)</script><!-- & "'\u2028\u0001`;
  let text: string;

  beforeAll(() => {
    const trace = new TraceBuilder().start("main", "worker_0");
    trace.at("1s").claim("main", 7, "14s").call("main", { term: hostile, cluster: hostile });
    trace.at("2s").log("main", "warn", hostile).log("main", "info", hostile);
    trace.at("3s").trap("main", "proxy_on_tick", hostile);
    const subject = { ...trace.subject("worker_0"), plugin: "metrics-reporter" };
    trace.record(
      subject,
      "call",
      "proxy_set_shared_data",
      { key: hostile, value: hostile, cas: 0 },
      "Ok",
    );
    trace.record(subject, "fault", "crash", { thread: hostile }, "not_applied", hostile);
    const run: JudgedRun = { ...judged(hostile, trace.end("5s"), []), profile: hostile };
    const detail = CallDetail.of(trace.events);
    text = toHtml(run, { detail, again: hostile });
  });

  test("end no element and begin none", () => {
    expect(text.match(/<script/g)).toHaveLength(2);
    expect(text.match(/<\/script/g)).toHaveLength(2);
    expect(text).not.toContain("<!--");
    expect(text).not.toContain("\u2028");
  });

  test("are shown as they are, controls spelt out", () => {
    expect(stillOf(text)).toContain(
      "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp; &quot;&#39;\\u2028\\u0001",
    );
    expect(JSON.stringify(dataOf(text).texts.patterns)).toContain("</script><script>alert(");
  });
});

describe("the still picture", () => {
  const marksIn = (svg: string): number => Number(/data-marks="(\d+)"/.exec(svg)?.[1]);

  test("has at most 500 marks, however much happened", () => {
    expect(marksIn(hour)).toBeGreaterThan(100);
    expect(marksIn(hour)).toBeLessThanOrEqual(500);
    expect(marksIn(toHtml(hundredVms()))).toBeLessThanOrEqual(500);
  });

  test("as a file of its own has its colours and patterns in it", () => {
    const svg = overviewSvg(seen(example("stale-leader")).run);

    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 960 \d+" width="960"/,
    );
    for (const [, id] of svg.matchAll(/url\(#(\w+)\)/g)) expect(svg).toContain(`id="${id}"`);
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|<script|href/);
    expect(svg).toContain("refused by the fence");
  });
});
