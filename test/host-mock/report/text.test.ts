import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { timeline } from "../../../host-mock/report/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";
import { broken, day17, hundredVms, judged, staleLeader, wipe } from "./runs.ts";

const runs = { day17, staleLeader, wipe, broken };
const text = (run: ReturnType<typeof day17>, width = 100): string =>
  timeline(run, { color: false, width });

describe("a timeline", () => {
  test.each(Object.entries(runs))("of %s reads so", (_, run) => {
    expect(text(run())).toMatchSnapshot();
  });

  test("fits a narrow terminal too", () => {
    expect(text(day17(), 60)).toMatchSnapshot();
  });

  test.each(Object.entries({ ...runs, hundredVms }))("of %s keeps to its width", (_, run) => {
    for (const width of [40, 60, 77, 78, 100, 160]) {
      const tooLong = text(run(), width)
        .split("\n")
        .filter((line) => [...line].length > width && line.trim().includes(" "));

      expect(tooLong, `at ${width}`).toEqual([]);
    }
  });

  test("leaves no blank at the end of a line", () => {
    for (const run of Object.values(runs)) expect(text(run())).not.toMatch(/[ \t]\n/);
  });

  test("says the same with colours as without", () => {
    for (const run of Object.values(runs)) {
      const colored = timeline(run(), { color: true, width: 100 });

      expect(colored).toContain("\u001b[");
      expect(stripVTControlCharacters(colored)).toBe(text(run()));
    }
  });

  test("obeys no control character of a guest, a file or a verdict", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .log("main", "error", "a\u001b[2Jb\r\nc\u202ed");
    const run = judged("evil \u001b]0;title\u0007", trace.end("2s"), [
      [{ check: "log", plugin: "metrics-reporter", matches: "\u0007" }],
    ]);

    expect(text(run)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text(run)).toContain("a\\u001b[2Jb\\u000d\\nc\\u202ed");
  });
});

describe("lanes", () => {
  const lane = (picture: string, name: string): string =>
    picture.split("\n").find((line) => line.startsWith(`  ${name} `)) ?? "";

  test("of more than twelve VMs show those that led, the leader's own lane, and count the others", () => {
    const picture = text(hundredVms());
    const lanes = picture.split("\n").filter((line) => /^ {2}(main|worker_\d+) /.test(line));

    expect(lanes).toHaveLength(12);
    expect(lanes.every((line) => line.includes("━"))).toBe(true);
    expect(lane(picture, "leader")).toMatch(/━✖|✖━/);
    expect(picture).toMatch(/\+ 89 lanes not drawn: \d+ crashes, \d+ leaderships, \d+ calls/);
  });

  test("a long story loses what touched no leader, then its middle, and says so", () => {
    const picture = text(hundredVms());

    expect(picture).toMatch(/⋮ +\d+ more/);
    expect(picture).toMatch(/\d+ events of VMs that did not lead, not listed/);
  });

  test("a paused leader, a held call and its refusal are seen in the leader's lane", () => {
    expect(lane(text(staleLeader()), "worker_1")).toMatch(/━○▒+░+⊘░+·+/);
  });

  test("two leaders at once are marked under the lanes, and nowhere else", () => {
    expect(lane(text(wipe()), "two lead")).toMatch(/ !+$/);
    expect(lane(text(day17()), "two lead")).toBe("");
  });

  test("a run without an election shows who is alive", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("5s")
      .crash("worker_0")
      .end("10s");

    const picture = text(judged("quiet", trace, []));

    expect(picture).toContain("· alive");
    expect(lane(picture, "worker_0")).toMatch(/^ {2}worker_0 +·+✖$/);
  });

  test("a run without any VM has no lanes", () => {
    expect(text(judged("nothing", new TraceBuilder().end("10s"), []))).not.toContain("├");
  });

  test("a VM that comes back by itself is marked, and told", () => {
    const trace = new TraceBuilder()
      .start("worker_0")
      .at("3s")
      .trap("worker_0")
      .at("5s")
      .fresh("worker_0")
      .end("10s");

    const picture = text(judged("reload", trace, []));

    expect(lane(picture, "worker_0")).toMatch(/·+▼ +▲·+/);
    expect(picture).toContain("worker_0 comes back with a fresh VM");
  });
});

test("a run of an instant has an axis too", () => {
  const trace = new TraceBuilder().start("main").at("1us").claim("main", 7).end("2us");

  expect(text(judged("short", trace, []))).toContain("0 µs");
});

test("unexpected and expected violations are told apart", () => {
  expect(text(wipe())).toContain(
    "✔ single_winner    metrics-reporter  violated, as expected: main#1",
  );
  expect(text(broken())).toContain("✘ 7 of 9 verdicts not as expected");
});

test("a timeline of 101 VMs and an hour costs no quadratic time", () => {
  const trace = new TraceBuilder().start(
    "main",
    ...Array.from({ length: 100 }, (_, index) => `worker_${index}`),
  );
  for (let second = 1; second < 2000; second++) {
    trace.atNs(second * 1e9).log("worker_7", "info", "tick");
    for (let worker = 0; worker < 100; worker++) trace.log(`worker_${worker}`, "debug", "follows");
  }
  const run = judged("long", trace.end("1h"), []);

  expect(run.events.length).toBeGreaterThan(200_000);
  expect(text(run)).toContain("101 VMs");
});
