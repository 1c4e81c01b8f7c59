import { describe, expect } from "vitest";
import { refusal, test } from "./loading.ts";
import { scenarioText } from "./scenario-text.ts";

const wrongChecks: readonly [behaviour: string, check: string, message: string][] = [
  [
    "an unknown check",
    "{check: singlewinner, plugin: reporter}",
    "s.yaml:9:13: there is no check: singlewinner; check: is one of single_winner,",
  ],
  [
    "an unknown plugin",
    "{check: single_winner, plugin: reporte}",
    's.yaml:9:36: there is no plugin "reporte"; did you mean reporter?',
  ],
  [
    "an unknown cluster",
    "{check: calls, cluster: x}",
    's.yaml:9:29: there is no cluster "x"; there is collector',
  ],
  [
    "a bound that is a number",
    "{check: leader_within, plugin: reporter, bound: 18}",
    "s.yaml:9:53: a duration needs a unit, and 18 has none",
  ],
  [
    "a wrong expectation",
    "{check: single_winner, plugin: reporter, expect: fails}",
    's.yaml:9:54: expect cannot be "fails"; there are holds, violated',
  ],
  [
    "a pattern that is none",
    '{check: log, plugin: reporter, matches: "("}',
    "s.yaml:9:45: Invalid regular expression",
  ],
  [
    "bounds that exclude each other",
    "{check: calls, cluster: collector, at_least: 3, at_most: 2}",
    "s.yaml:9:50: at_least 3 and at_most 2 exclude each other",
  ],
];

describe("a wrong check is refused in one line with place and remedy:", () => {
  for (const [behaviour, check, message] of wrongChecks) {
    test(behaviour, ({ folder }) => {
      const text = scenarioText({ properties: `properties:\n  - ${check}` });

      expect(refusal(folder, text)).toContain(message);
    });
  }

  for (const check of [
    "{check: terms_grow, plugin: reporter}",
    "{check: callbacks_paired, plugin: reporter}",
    "{check: no_stale_effect, cluster: collector, header: x}",
  ]) {
    test(`${check} where the witness is a lease, which has no term and no stop`, ({ folder }) => {
      const plugins = "plugins: [{name: reporter, wasm: plugin.wasm, witness: lease}]";
      const text = scenarioText({ plugins, properties: `properties: [${check}]` });

      expect(refusal(folder, text)).toMatch(
        /s\.yaml:7:22: \w+ needs (terms|stops), and .* none; set witness: log/,
      );
    });
  }
});
