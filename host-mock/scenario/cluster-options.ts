import type { AnswerOptions, ClusterOptions, FenceOptions } from "../http/cluster-options.ts";
import type { UpstreamOptions } from "../http/exchange.ts";
import type { GrpcReplyOptions } from "../http/grpc-options.ts";
import type { RedisOptions } from "../http/redis-options.ts";
import type { ClusterEntry, GrpcEntry, UpstreamEntry } from "./schema/clusters.ts";

/** A cluster of the file as the host takes it. */
export function clusterOptions(entry: ClusterEntry): ClusterOptions {
  if (entry.redis !== undefined) return { redis: redisOptions(entry.redis) };
  if (entry.grpc !== undefined) return { grpc: grpcOptions(entry.grpc) };
  if (entry.fail !== undefined) return { fail: entry.fail };
  const { frames, trailers } = entry;
  const answer = {
    ...answerOptions(entry),
    ...(frames === undefined ? {} : { body: frames }),
    ...(trailers === undefined ? {} : { trailers }),
    ...framingOptions(entry),
  };
  return entry.fence === undefined ? answer : { ...answer, fence: fenceOptions(entry.fence) };
}

function grpcOptions(entry: GrpcEntry): GrpcReplyOptions {
  if (entry.fail !== undefined) return { fail: entry.fail };
  const { metadata, messages, status, message, trailers, trailers_only, delay } = entry;
  return {
    ...(metadata === undefined ? {} : { metadata }),
    ...(messages === undefined ? {} : { messages }),
    ...(status === undefined ? {} : { status }),
    ...(message === undefined ? {} : { message }),
    ...(trailers === undefined ? {} : { trailers }),
    ...(trailers_only === undefined ? {} : { trailersOnly: trailers_only }),
    ...(delay === undefined ? {} : { delay: `${delay}ns` }),
    ...framingOptions(entry),
  };
}

function framingOptions({
  frame_gap,
  break_after,
}: Pick<ClusterEntry, "frame_gap" | "break_after">): Pick<
  AnswerOptions,
  "frameGap" | "breakAfter"
> {
  return {
    ...(frame_gap === undefined ? {} : { frameGap: `${frame_gap}ns` }),
    ...(break_after === undefined ? {} : { breakAfter: break_after }),
  };
}

function redisOptions({
  password,
  user,
  delay,
  fail,
  commands,
}: NonNullable<ClusterEntry["redis"]>): RedisOptions {
  return {
    ...(password === undefined ? {} : { password }),
    ...(user === undefined ? {} : { user }),
    ...(delay === undefined ? {} : { delay: `${delay}ns` }),
    ...(fail === undefined ? {} : { fail }),
    ...(commands === undefined ? {} : { commands }),
  };
}

/** What the upstream of a request answers. */
export function upstreamOptions(entry: UpstreamEntry): UpstreamOptions {
  if (entry.fail !== undefined) return { fail: entry.fail };
  const { frames, trailers, answers_after } = entry;
  return {
    ...answerOptions(entry),
    ...(frames === undefined ? {} : { body: frames }),
    ...(trailers === undefined ? {} : { trailers }),
    ...(answers_after === undefined ? {} : { answersAfter: answers_after }),
    ...framingOptions(entry),
  };
}

type Answer = Pick<UpstreamEntry, "status" | "headers" | "body" | "delay">;

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
