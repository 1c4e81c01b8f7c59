import { didYouMean } from "../did-you-mean.ts";
import type { Frame } from "./schema/frame.ts";
import type { Path, Problem } from "./source.ts";

/** The names that events and checks may use. */
export interface Names {
  readonly threads: readonly string[];
  readonly plugins: readonly string[];
  readonly clusters: readonly string[];
  /** Plugins may call clusters that are not declared, so events and checks may name them too. */
  readonly allowsAnyCluster: boolean;
}

export function namesOf(frame: Frame): Names {
  return {
    threads: threadNames(frame.concurrency),
    plugins: frame.plugins.map(({ name }) => name),
    clusters: Object.keys(frame.clusters),
    allowsAnyCluster: frame.undeclared_clusters === "allow",
  };
}

export function threadNames(concurrency: number): string[] {
  return ["main", ...Array.from({ length: concurrency }, (_, index) => `worker_${index}`)];
}

/** A problem unless the name is known. */
export function unknownName(
  kind: "thread" | "plugin" | "cluster",
  name: string,
  path: Path,
  names: Names,
): Problem[] {
  const known = names[`${kind}s`];
  if (known.includes(name) || (kind === "cluster" && names.allowsAnyCluster)) return [];
  return [
    problem(path, `there is no ${kind} ${JSON.stringify(name)}`, remedyFor(kind, name, known)),
  ];
}

export function problem(path: Path, what: string, remedy: string): Problem {
  return { path, part: "value", what, remedy };
}

function remedyFor(
  kind: "thread" | "plugin" | "cluster",
  name: string,
  known: readonly string[],
): string {
  if (kind === "thread") {
    const last = `worker_${known.length - 2}`;
    return `the threads are main and ${last === "worker_0" ? last : `worker_0 to ${last}`}`;
  }
  if (known.length === 0) return `declare it under ${kind}s:`;
  return didYouMean(name, known);
}
