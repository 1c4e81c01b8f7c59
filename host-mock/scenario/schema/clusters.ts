import type * as z from "zod";
import { bytes, choice, duration, headers, name, object, record, text, whole } from "./values.ts";

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

/** `clusters.NAME`: answers, or fails in one way. Which keys go together is one of the rules. */
export const cluster = object("a cluster", {
  ...answer,
  fence: fence.optional(),
  fail: choice(["timeout", "reset", "refuse_connection"]).optional(),
});

/** `upstream` of a request. */
export const upstream = object("an upstream", { ...answer, fail: choice(["reset"]).optional() });

export const clusters = record(
  text,
  cluster,
  "this must be an object of clusters; write NAME: {status: 204}",
);

export type ClusterEntry = z.output<typeof cluster>;
export type UpstreamEntry = z.output<typeof upstream>;
