import { describe, expect, test } from "vitest";
import type { SearchResult } from "../../../../host-mock/schedule/result.ts";
import { explorationToHtml, type Exploration } from "../../../../host-mock/report/index.ts";
import { counterexample, proof } from "./explorations.ts";

describe("the report of a search", () => {
  test("takes what every strategy answers", () => {
    const result = { ...proof, shrinkCount: 0 } as unknown as SearchResult;
    const fits: Pick<
      Exploration,
      | "strategy"
      | "seed"
      | "schedules"
      | "states"
      | "steps"
      | "depth"
      | "complete"
      | "cutBy"
      | "violations"
      | "missed"
    > = result;
    const violation: Exploration["violation"] = counterexample.violation;

    expect(fits.steps).toBe(proof.steps);
    expect(violation?.steps).toHaveLength(7);
  });

  test("that saw everything says so, with its counts and a bar for each depth", () => {
    const page = explorationToHtml(proof);

    expect(page).toContain("✔ no violation in 2,535,551 states: all there are within the bounds");
    expect(page).toContain("<td>ticks 2, time_steps 1</td>");
    expect(page).toContain("<td>461.0 s (11,486 steps/s)</td>");
    expect(page.match(/<title>depth \d+: /g)).toHaveLength(4);
    expect(page).not.toContain("The shortest violation");
  });

  test.each([
    [{ complete: false, cutBy: "states" }, "no proof: cut off by states"],
    [{ missed: ["somebody_led"] }, "no proof: never seen: somebody_led"],
  ])("that proves nothing (%j) says why", (change, words) => {
    const page = explorationToHtml({ ...proof, ...change });

    expect(page).toContain(words);
    expect(page).toContain("<title>✘");
  });

  test("that found a violation shows it as a chart, as a table and as a line to paste", () => {
    const page = explorationToHtml(counterexample);

    expect(page).toContain("✘ single_winner is violated, after 7 steps");
    expect(page).toMatch(/<svg class="chart"[^>]*aria-label="Sequence chart of 7 steps"/);
    expect(page).toContain(">shared data</text>");
    expect(page.match(/class="arrow(?: read| wrong)?" d="M\d+ [\d.]+H/g)).toHaveLength(5);
    expect(page.match(/class="arrow read"/g)).toHaveLength(2);
    expect(page).toContain("set p0 cas 1: CasMismatch</text>");
    expect(page).toMatch(/class="violationText"[^>]*>2 lead<\/text>/);
    expect(page.match(/<tr class="bad"><td>5<\/td>/g)).toHaveLength(1);
    expect(page).toContain(`<pre>npx proxy-wasm-as replay p0.yaml</pre>`);
  });

  test("colours the lifeline of who leads, and worker_1 is not worker_10", () => {
    const steps = counterexample.violation!.steps.map((step) => ({
      ...step,
      vm: step.vm === "worker_0" ? "worker_1" : step.vm === "main" ? "worker_10" : "",
      leaders: step.leaders.map((name) =>
        name === "main" ? "worker_10 (term 3)" : "worker_1 (term 4)",
      ),
    }));
    const page = explorationToHtml({
      ...counterexample,
      violation: { ...counterexample.violation!, steps },
    });

    expect(page.match(/<title>worker_10 \(term 3\) leads<\/title>/g)).toHaveLength(1);
    expect(page.match(/<title>worker_1 \(term 4\) leads<\/title>/g)).toHaveLength(1);
  });

  test("joins bars where there are too many depths", () => {
    const statesByDepth = Array.from({ length: 1000 }, () => 2);
    const page = explorationToHtml({ ...proof, statesByDepth });

    expect(page.match(/<title>depths \d+ to \d+: 18 states/g)).toHaveLength(111);
  });

  test("needs no script, asks for nothing, and is equal for equal results", () => {
    const page = explorationToHtml(counterexample);

    expect(page).not.toMatch(/<script|https?:|\bsrc=|\sstyle=|url\((?!#)/);
    expect(page).toContain("default-src 'none'");
    expect(explorationToHtml(counterexample)).toBe(page);
  });

  test("shows hostile words as words", () => {
    const hostile = "</style><script>alert(1)</script>";
    const page = explorationToHtml({
      ...counterexample,
      title: hostile,
      file: hostile,
      bounds: { [hostile]: hostile },
      replay: hostile,
      violation: {
        property: hostile,
        text: hostile,
        steps: [
          {
            vm: hostile,
            call: "proxy_x",
            args: { key: hostile },
            status: hostile,
            result: hostile,
            leaders: [hostile],
          },
        ],
      },
    });

    expect(page).not.toContain("<script");
    expect(page.match(/<\/style>/g)).toHaveLength(1);
  });
});
