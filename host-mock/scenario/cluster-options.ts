import type { AnswerOptions, ClusterOptions, FenceOptions } from "../http/cluster-options.ts";
import type { UpstreamOptions } from "../http/exchange.ts";
import type { ClusterEntry, UpstreamEntry } from "./schema/clusters.ts";

/** A cluster of the file as the host takes it. */
export function clusterOptions(entry: ClusterEntry): ClusterOptions {
  if (entry.fail !== undefined) return { fail: entry.fail };
  const answer = answerOptions(entry);
  return entry.fence === undefined ? answer : { ...answer, fence: fenceOptions(entry.fence) };
}

/** What the upstream of a request answers. */
export function upstreamOptions(entry: UpstreamEntry): UpstreamOptions {
  return entry.fail !== undefined ? { fail: entry.fail } : answerOptions(entry);
}

type Answer = Omit<UpstreamEntry, "fail">;

function answerOptions({ status, headers, body, delay }: Answer): AnswerOptions {
  return {
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    ...(delay === undefined ? {} : { delay: `${delay}ns` }),
  };
}

function fenceOptions({
  header,
  id_header,
  refuse,
}: NonNullable<ClusterEntry["fence"]>): FenceOptions {
  return { header, refuse, ...(id_header === undefined ? {} : { idHeader: id_header }) };
}
