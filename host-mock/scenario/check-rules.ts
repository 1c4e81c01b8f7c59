import { namesOf, problem, unknownName } from "./names.ts";
import type { Check } from "./schema/checks.ts";
import type { Frame, LogLevelName } from "./schema/frame.ts";
import type { Path, Problem } from "./source.ts";

/** Checks that ask who led, and so need the witness. */
const electionChecks = [
  ...(["single_winner", "terms_grow", "leader_within", "somebody_led"] as const),
  "callbacks_paired",
] as const;
export type ElectionCheck = Extract<Check, { check: (typeof electionChecks)[number] }>;

export function isElectionCheck(check: Check): check is ElectionCheck {
  return (electionChecks as readonly string[]).includes(check.check);
}

/** What is wrong with one check, whatever the options of the run. */
export function checkRules(check: Check, path: Path, frame: Frame): Problem[] {
  const found: Problem[] = [];
  const names = namesOf(frame);
  if ("plugin" in check && check.plugin !== undefined) {
    found.push(...unknownName("plugin", check.plugin, [...path, "plugin"], names));
  }
  if ("cluster" in check)
    found.push(...unknownName("cluster", check.cluster, [...path, "cluster"], names));
  if ("at_least" in check && check.at_least !== undefined && check.at_most !== undefined) {
    if (check.at_least > check.at_most) {
      const what = `at_least ${check.at_least} and at_most ${check.at_most} exclude each other`;
      found.push(problem([...path, "at_least"], what, "give an at_most of at least at_least"));
    }
  }
  found.push(...termRules(check, path, frame));
  return found;
}

/** A lease of wasm-go has no term, and no stop. */
function termRules(check: Check, path: Path, frame: Frame): Problem[] {
  const remedy = "set witness: log, or leave the check out";
  if (check.check === "callbacks_paired") {
    const plugin = frame.plugins.find(({ name }) => name === check.plugin);
    if (plugin?.witness !== "lease") return [];
    const what = `callbacks_paired needs stops, and the lease of ${check.plugin} has none`;
    return [problem([...path, "check"], what, remedy)];
  }
  if (check.check === "terms_grow") {
    const plugin = frame.plugins.find(({ name }) => name === check.plugin);
    if (plugin?.witness !== "lease") return [];
    return [
      problem(
        [...path, "check"],
        `terms_grow needs terms, and the lease of ${check.plugin} has none`,
        remedy,
      ),
    ];
  }
  if (
    check.check === "no_stale_effect" &&
    frame.plugins.every(({ witness }) => witness === "lease")
  ) {
    return [
      problem([...path, "check"], "no_stale_effect needs terms, and a lease has none", remedy),
    ];
  }
  return [];
}

/** The witness of `log` writes at debug level; above it nobody would ever be seen to lead. */
export function witnessRules(frame: Frame, logLevel: LogLevelName): Problem[] {
  if (logLevel === "trace" || logLevel === "debug") return [];
  const byLog = new Set(
    frame.plugins.filter(({ witness }) => witness === "log").map(({ name }) => name),
  );
  const remedy = "set log_level: debug, or witness: lease where the plugin writes wasm-go's lease";
  const found: Problem[] = [];
  for (const [index, check] of frame.properties.entries()) {
    if (!isElectionCheck(check) || !byLog.has(check.plugin)) continue;
    const what = `${check.check} reads debug lines, and log_level ${logLevel} keeps them back`;
    found.push(problem(["properties", index, "check"], what, remedy));
  }
  for (const [index, event] of frame.events.entries()) {
    const plugin = leaderNamed(event);
    if (plugin === undefined || !byLog.has(plugin)) continue;
    const what = `leader_of reads debug lines, and log_level ${logLevel} keeps them back`;
    found.push({ path: ["events", index], part: "value", what, remedy });
  }
  return found;
}

/** The plugin whose leader an event looks for. */
function leaderNamed(event: Frame["events"][number]): string | undefined {
  if (event.do === "chaos") {
    return typeof event.threads === "object" && "leader_of" in event.threads
      ? event.threads.leader_of
      : undefined;
  }
  return "leader_of" in event ? event.leader_of : undefined;
}
