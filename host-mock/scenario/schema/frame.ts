import * as z from "zod";
import { unixSeconds } from "../../envoy/instant.ts";
import { pluginKinds } from "../../envoy/options.ts";
import { profileNames } from "../../profiles/index.ts";
import { check } from "./checks.ts";
import { clusters } from "./clusters.ts";
import { explore } from "./explore.ts";
import { event } from "./events.ts";
import { listeners } from "./listeners.ts";
import {
  choice,
  configuration,
  duration,
  flag,
  missing,
  name,
  object,
  record,
  shown,
  text,
  whole,
} from "./values.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "critical", "off"] as const;
export type LogLevelName = (typeof logLevels)[number];

/** What MockEnvoy takes. */
const callCostMaxNs = 1_000_000_000;
/** What MockEnvoy takes. */
const concurrencyMax = 100_000;

/** What Envoy takes. */
const flushMinNs = 1_000_000;
/** With less a real Envoy divides by zero. */
const reloadMinNs = 2_000_000;

const reload = object("a reload", {
  base_interval: duration
    .refine((ns) => ns >= reloadMinNs, {
      error: "this must be at least 2ms; give a duration such as 1s",
    })
    .optional(),
});

const capabilities = z.array(name, {
  error: "this must be a list of imports and exports; write [proxy_log, proxy_on_request_headers]",
});

const plugin = object("a plugin", {
  name,
  wasm: name,
  root_id: text.default(""),
  vm_id: text.default(""),
  configuration: configuration.optional(),
  vm_configuration: configuration.optional(),
  environment: record(name, text, "this must be an object of texts; write {KEY: value}").default(
    {},
  ),
  failure_policy: choice(["FAIL_CLOSED", "FAIL_OPEN", "FAIL_RELOAD"]).optional(),
  fail_open: flag.optional(),
  reload: reload.optional(),
  allowed_capabilities: capabilities.optional(),
  allow_on_headers_stop_iteration: flag.optional(),
  kind: choice(pluginKinds).default("http"),
  witness: choice(["log", "lease"]).default("log"),
});

/** An instant in UTC, to the nanosecond. */
const start = text.refine(
  (instant) => {
    const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?Z$/.exec(instant);
    return match !== null && !Number.isNaN(unixSeconds(match[1] ?? ""));
  },
  {
    error: ({ input }) => `${shown(input)} is no instant in UTC; write it as 2026-01-01T00:00:00Z`,
  },
);

function list<Item extends z.core.$ZodType>(item: Item, of: string) {
  return z.array(item, {
    error: ({ input }) =>
      input === undefined
        ? `${missing}; give a list of ${of}`
        : `this must be a list of ${of}; begin each with a dash`,
  });
}

/** The whole file. */
export const frame = object("a scenario", {
  name,
  concurrency: whole(1, concurrencyMax).default(1),
  duration,
  profile: choice(profileNames).default("envoy"),
  seed: whole(0, Number.MAX_SAFE_INTEGER).default(1),
  start: start.default("2026-01-01T00:00:00Z"),
  log_level: choice(logLevels).default("debug"),
  tick_jitter: duration.default(0),
  call_cost: duration
    .refine((ns) => ns <= callCostMaxNs, {
      error: "this must be at most 1s; a host call costs less than a microsecond",
    })
    .default(0),
  drain: duration.default(600_000_000_000),
  stats_flush_interval: duration
    .refine((ns) => ns >= flushMinNs, { error: "this must be at least 1ms; give a longer one" })
    .default(5_000_000_000),
  undeclared_clusters: choice(["fail", "allow"]).default("fail"),
  plugins: list(plugin, "plugins").min(1, { error: "no plugin is listed; list at least one" }),
  listeners: listeners.optional(),
  clusters: clusters.nullish().transform((found) => found ?? {}),
  events: list(event, "events")
    .nullish()
    .transform((found) => found ?? []),
  properties: list(check, "checks")
    .nullish()
    .transform((found) => found ?? []),
  explore: explore.nullish().transform((found) => found ?? undefined),
});

export type Frame = z.output<typeof frame>;
