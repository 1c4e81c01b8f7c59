import * as z from "zod";
import { failures } from "../../http/cluster-options.ts";
import { grpcFailures } from "../../http/grpc-options.ts";
import { redisFailures } from "../../http/redis-options.ts";
import {
  bytes,
  choice,
  duration,
  flag,
  headers,
  name,
  object,
  record,
  text,
  whole,
} from "./values.ts";

const fence = object("a fence", {
  header: name,
  id_header: name.optional(),
  refuse: whole(200, 599).default(409),
});

/** What a receiver answers. */
const answer = {
  status: whole(200, 599).optional(),
  headers: headers.optional(),
  body: bytes.optional(),
  delay: duration.optional(),
};

const words = z
  .array(text, {
    error: 'this must be a command as a list of words; write ["SET", "key", "value"]',
  })
  .min(1, { error: "a command has a name; write the words of one" });

/** A Redis server in memory. */
const redis = object("a Redis server", {
  password: text.optional(),
  user: name.optional(),
  delay: duration.optional(),
  fail: choice(redisFailures).optional(),
  commands: z
    .array(words, { error: 'this must be a list of commands; write [["SET", "key", "value"]]' })
    .optional(),
});

/** A body in several data frames. */
export const frames = z.array(bytes, {
  error: "this must be a list of texts or bytes; write [hello]",
});

/** How the frames of an answer come. */
const framing = {
  frame_gap: duration.optional(),
  break_after: whole(0, Number.MAX_SAFE_INTEGER).optional(),
};

const grpcStatusMax = 16;

/** A receiver of gRPC calls. */
const grpc = object("a gRPC receiver", {
  metadata: headers.optional(),
  messages: frames.optional(),
  status: whole(0, grpcStatusMax).optional(),
  message: text.optional(),
  trailers: headers.optional(),
  trailers_only: flag.optional(),
  delay: duration.optional(),
  ...framing,
  fail: choice(grpcFailures).optional(),
});

/** `clusters.NAME`: answers, or fails in one way. Which keys go together is one of the rules. */
export const cluster = object("a cluster", {
  ...answer,
  frames: frames.optional(),
  trailers: headers.optional(),
  ...framing,
  fence: fence.optional(),
  grpc: grpc.optional(),
  redis: redis.optional(),
  fail: choice(failures).optional(),
});

/** `upstream` of a request. */
export const upstream = object("an upstream", {
  ...answer,
  frames: frames.optional(),
  trailers: headers.optional(),
  ...framing,
  answers_after: choice(["request", "headers"]).optional(),
  fail: choice(["reset", "timeout", "refuse_connection"]).optional(),
});

export const clusters = record(
  text,
  cluster,
  "this must be an object of clusters; write NAME: {status: 204}",
);

export type ClusterEntry = z.output<typeof cluster>;
export type GrpcEntry = z.output<typeof grpc>;
export type UpstreamEntry = z.output<typeof upstream>;
