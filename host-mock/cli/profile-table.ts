import type { ExploreRun } from "../index.ts";

/** One line a host: holds, or the shortest counterexample. */
export function profileTable(runs: readonly ExploreRun[]): string {
  const rows = runs.map(({ profile, search }) => [profile, verdictOf(search)]);
  const width = Math.max(...rows.map(([profile]) => profile!.length));
  const [first] = runs;
  const title = `${first?.name ?? ""}: ${first?.vms.length ?? 0} VMs × ${first?.bounds.ticks ?? 0} ticks`;
  return `${title}\n${rows.map(([profile, verdict]) => `  ${profile!.padEnd(width)}  ${verdict}`).join("\n")}\n`;
}

function verdictOf(search: ExploreRun["search"]): string {
  const { violation, complete, missed, cutBy, states } = search;
  if (violation !== null) return `${violation.property} violated: ${violation.text}`;
  const seen = `${(states ?? search.steps).toLocaleString("en-US")} ${states === null ? "steps" : "states"}`;
  const scope = complete
    ? `holds (${seen})`
    : `not known, cut off by ${cutBy ?? "nothing"} (${seen})`;
  return missed.length === 0 ? scope : `${scope}; never seen: ${missed.join(", ")}`;
}
