/** Which keys of a cluster go together. */
import type { ClusterEntry, GrpcEntry, UpstreamEntry } from "./schema/clusters.ts";
import type { Path, Problem } from "./source.ts";

const answerKeys = [
  ...(["status", "headers", "body", "frames", "trailers"] as const),
  ...(["delay", "frame_gap", "break_after", "fence"] as const),
];

/** What a receiver of another kind has words of its own for. */
const ofEveryKind: ReadonlySet<string> = new Set(["delay", "fail"]);
const ofGrpc: ReadonlySet<string> = new Set([
  ...["status", "trailers", "frame_gap", "break_after"],
  ...ofEveryKind,
]);

export function clusterRules(entry: ClusterEntry, path: Path): Problem[] {
  return [
    ...kindAlone(entry, path, "redis", ofEveryKind),
    ...kindAlone(entry, path, "grpc", ofGrpc),
    ...failAlone(entry, path),
    ...(entry.grpc === undefined ? [] : grpcRules(entry.grpc, [...path, "grpc"])),
    ...framesAlone(entry, path),
  ];
}

/** A cluster of another kind answers no HTTP. */
function kindAlone(
  entry: ClusterEntry,
  path: Path,
  kind: "redis" | "grpc",
  own: ReadonlySet<string>,
): Problem[] {
  if (entry[kind] === undefined) return [];
  const other = kind === "grpc" ? "redis" : "grpc";
  const others = ([...answerKeys, "fail", other] as const).filter(
    (key) => entry[key] !== undefined,
  );
  return others.map((key) => ({
    path: [...path, key],
    part: "key",
    what: `${key} cannot stand beside ${kind}, which answers no HTTP`,
    remedy: own.has(key) ? `write ${key} under ${kind}` : "keep one of the two",
  }));
}

/** What fails answers nothing. */
export function failAlone(entry: ClusterEntry | UpstreamEntry | GrpcEntry, path: Path): Problem[] {
  if (entry.fail === undefined) return [];
  const others = Object.entries(entry).filter(
    ([key, value]) => value !== undefined && key !== "fail" && key !== "grpc" && key !== "redis",
  );
  return others.map(([key]) => ({
    path: [...path, key],
    part: "key",
    what: `${key} cannot stand beside fail: ${entry.fail}, which answers nothing`,
    remedy: "keep one of the two",
  }));
}

function grpcRules(entry: GrpcEntry, path: Path): Problem[] {
  const found = failAlone(entry, path);
  if (entry.trailers_only !== true || entry.fail !== undefined) return found;
  for (const key of ["messages", "frame_gap", "break_after"] as const) {
    if (entry[key] === undefined) continue;
    const what = `${key} cannot stand beside trailers_only, an answer that is all headers`;
    found.push({ path: [...path, key], part: "key", what, remedy: "keep one of the two" });
  }
  return found;
}

/** A body is given in one way: as one frame, or as several. */
export function framesAlone(
  { body, frames }: { readonly body?: unknown; readonly frames?: unknown },
  path: Path,
  whose = "an answer",
): Problem[] {
  if (body === undefined || frames === undefined) return [];
  return [
    {
      path: [...path, "frames"],
      part: "key",
      what: `frames cannot stand beside body, which is ${whose}'s one frame`,
      remedy: "keep one of the two",
    },
  ];
}
