import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { Thread } from "../envoy/thread.ts";
import { applyFault, leaderThread, type FaultSpec, type Target } from "../faults/index.ts";
import { formatDuration, parseDuration } from "../time/duration.ts";
import type { TraceArgs } from "../trace/event.ts";
import type { RequestOptions } from "../http/exchange.ts";
import { openConnection } from "./connect.ts";
import { upstreamOptions } from "./cluster-options.ts";
import type { EventOf, ScenarioEvent } from "./schema/events.ts";

/** Makes an event happen now. The id of the request or connection that was made, else undefined. */
export function applyEvent(envoy: MockEnvoy, event: ScenarioEvent): number | undefined {
  if (event.do === "request" || event.do === "connect") return sendRequest(envoy, event);
  const specs = faultSpecs(envoy, event);
  for (const spec of specs) applyFault(envoy, spec);
  if (specs.length === 0) noteNobody(envoy, event);
  return undefined;
}

type FaultEvent = Exclude<ScenarioEvent, { do: "request" | "connect" }>;

/** Events that are for every living thread where they name none. */
const everywhere: ReadonlySet<ScenarioEvent["do"]> = new Set([
  ...(["refuse", "delay_calls", "lost_answers", "late_answers", "duplicated_calls"] as const),
  ...(["late_ticks", "bunched_ticks", "fail_allocation", "cas_storm"] as const),
]);

/** One fault, or one for each living thread where the event may name a thread and names none. */
function faultSpecs(envoy: MockEnvoy, event: FaultEvent): FaultSpec[] {
  const spec = faultSpec(event);
  if (!everywhere.has(spec.do) || !isWithoutTarget(event)) return [spec];
  return envoy.threads
    .filter(({ alive }) => alive)
    .map(({ name }) => ({ ...spec, thread: name }) as FaultSpec);
}

/** An event for every living thread, where none lives, did not happen. */
function noteNobody(envoy: MockEnvoy, event: FaultEvent): void {
  const shown = Object.entries(faultSpec(event)).filter(
    ([key, value]) => !["do", "at", "every", "until"].includes(key) && value !== undefined,
  );
  const args = Object.fromEntries(
    shown.map(([key, value]) => [key, readableValue(key, value)]),
  ) as TraceArgs;
  envoy.note(event.do, args, { status: "not_applied", result: "no thread lives" });
}

/** Durations as they are best read. */
function readableValue(key: string, value: unknown): unknown {
  const isDuration = (key === "by" || key === "for") && typeof value === "string";
  return isDuration ? formatDuration(parseDuration(value)) : value;
}

function isWithoutTarget(event: FaultEvent): boolean {
  const { thread, leader_of: leaderOf } = event as Target;
  return thread === undefined && leaderOf === undefined;
}

/** Keys of events whose values are durations. */
const durations: ReadonlySet<string> = new Set([
  ...["for", "by", "within", "until", "restart_after", "crash_every"],
]);

/** The same event with its durations as text again, in nanoseconds. */
function faultSpec(event: FaultEvent): FaultSpec {
  const spec: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(event))
    spec[key] = durations.has(key) && typeof value === "number" ? `${value}ns` : value;
  if (event.do === "faults") {
    const rates = Object.entries(event.rates).filter(([, ns]) => ns !== undefined);
    spec["rates"] = Object.fromEntries(rates.map(([kind, ns]) => [kind, `${ns}ns`]));
  }
  return spec as unknown as FaultSpec;
}

type ClientEvent = EventOf<"request"> | EventOf<"connect">;

function sendRequest(envoy: MockEnvoy, event: ClientEvent): number | undefined {
  const thread = servingThread(envoy, event);
  if (typeof thread === "string") {
    const args = { leader_of: event.leader_of ?? "", may_miss: event.may_miss ?? false };
    envoy.note(event.do, args, { status: "not_applied", result: thread });
    return undefined;
  }
  if (event.do === "connect") return openConnection(envoy, thread, event);
  return thread.request(requestOptions(event)).id;
}

/** The thread that takes the request, or why there is none. */
function servingThread(envoy: MockEnvoy, event: ClientEvent): Thread | string {
  if (event.leader_of === undefined) return envoy.thread(event.thread ?? "worker_0");
  const leading = leaderThread(envoy, event.leader_of);
  if (leading === null) return `nobody leads ${event.leader_of}`;
  return leading.name === "main"
    ? `main leads ${event.leader_of}, and ${event.do === "request" ? "serves no requests" : "takes no connections"}`
    : leading;
}

function requestOptions(event: EventOf<"request">): RequestOptions {
  const { method, path, headers, frames, frame_gap, trailers, protocol } = event;
  const { listener, upstream, expect } = event;
  const body = frames ?? event.body;
  return {
    method,
    path,
    headers,
    trailers,
    ...(body === undefined ? {} : { body }),
    ...(frame_gap === undefined ? {} : { frameGap: `${frame_gap}ns` }),
    ...(listener === undefined ? {} : { listener }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(upstream === undefined ? {} : { upstream: upstreamOptions(upstream) }),
    ...(expect === undefined ? {} : { expect }),
  };
}
