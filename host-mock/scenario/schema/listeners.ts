import * as z from "zod";
import type { ListenerDirection } from "../../http/listener-options.ts";
import {
  bytes,
  choice,
  duration,
  flag,
  name,
  object,
  record,
  shown,
  text,
  whole,
} from "./values.ts";

const uint32Max = 0xffffffff;
const headersKbMax = 8192;
const directions = [
  "unspecified",
  "inbound",
  "outbound",
] as const satisfies readonly ListenerDirection[];

/** What a property is in the place of the host's own value; null: it is not there. */
const propertyValue = z.unknown().transform((value: unknown, context) => {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return value;
  const read = bytes.safeParse(value);
  if (read.success) return read.data;
  context.addIssue({
    code: "custom",
    message: `this must be a property's value, not ${shown(value)}; write a text, a number, true, false, null, or {base64: …}`,
  });
  return z.NEVER;
});

const directResponse = object("a direct response", {
  status: whole(200, 599),
  body: text.default(""),
});

/** `listeners.NAME`. Which plugins can stand in it is one of the rules. */
const listener = object("a listener", {
  plugins: z
    .array(text, { error: "this must be a list of plugins' names; write [NAME]" })
    .optional(),
  buffer_limit_bytes: whole(0, uint32Max).optional(),
  max_request_header_count: whole(1, uint32Max).optional(),
  max_request_headers_kb: whole(1, headersKbMax).optional(),
  allow_upgrade: flag.optional(),
  route_timeout: duration.optional(),
  idle_timeout: duration.optional(),
  direct_response: directResponse.optional(),
  direction: choice(directions).optional(),
  route_name: text.optional(),
  virtual_host_name: text.optional(),
  filter_chain_name: text.optional(),
  cluster_name: text.optional(),
  properties: record(
    name,
    propertyValue,
    "this must be an object of properties; write {connection.tls_version: TLSv1.3}",
  ).optional(),
});

export const listeners = record(
  name,
  listener,
  "this must be an object of listeners; write NAME: {plugins: [PLUGIN]}",
).refine((found) => Object.keys(found).length > 0, {
  error: "this must have an entry; declare a listener, or leave listeners out",
});

export type ListenerEntry = z.output<typeof listener>;
