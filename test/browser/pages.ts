/** The pages that are looked at, written into `.cache/browser`; so are their screenshots. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { explorationToHtml, toHtml, type JudgedRun } from "../../host-mock/index.ts";
import { counterexample, proof } from "../host-mock/report/html/explorations.ts";
import { anHourOfNine, example, failing, seen } from "../host-mock/report/html/hour.ts";
import { TraceBuilder } from "../support/trace-builder.ts";
import { hundredVms, judged } from "../host-mock/report/runs.ts";
import { root } from "../support/build-guest.ts";

export const folder = join(root, ".cache/browser");

export const names = [
  "failing",
  "hour",
  "passing",
  "hundred",
  "hostile",
  "search",
  "proof",
] as const;
export type PageName = (typeof names)[number];

export function pathOf(name: PageName): string {
  return join(folder, `${name}.html`);
}

export function writePages(): void {
  mkdirSync(folder, { recursive: true });
  const ofRun = ({ run, detail }: ReturnType<typeof seen>): string =>
    toHtml(run, { detail, again: `npx proxy-wasm-as simulate ${"a-long-name-".repeat(20)}.yaml` });
  const pages: Readonly<Record<PageName, () => string>> = {
    failing: () => ofRun(seen(failing())),
    hour: () => ofRun(seen(anHourOfNine())),
    passing: () => ofRun(seen(example("stale-leader"))),
    hundred: () => toHtml(hundredVms()),
    hostile: () => toHtml(hostile()),
    search: () => explorationToHtml(counterexample),
    proof: () => explorationToHtml(proof),
  };
  for (const name of names) writeFileSync(pathOf(name), pages[name]());
}

/** Words that would run, load or break something if a page took them for more than words. */
function hostile(): JudgedRun {
  const words = `</script><script>console.error("ran")</script><img src=x onerror=console.error(1)>`;
  const trace = new TraceBuilder().start("main", "worker_0");
  trace.at("1s").claim("main", 7, "3s").call("main", { term: words, cluster: words });
  trace.at("2s").log("main", "warn", words).trap("main", "proxy_on_tick", words);
  return judged(words, trace.end("5s"), []);
}
