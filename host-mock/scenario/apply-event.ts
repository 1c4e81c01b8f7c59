import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { Thread } from "../envoy/thread.ts";
import { applyFault, leaderThread, type FaultSpec } from "../faults/index.ts";
import { formatDuration } from "../time/duration.ts";
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

/** One fault, or one for each living thread where the event may name a thread and names none. */
function faultSpecs(envoy: MockEnvoy, event: FaultEvent): FaultSpec[] {
  const spec = faultSpec(event);
  const isEverywhere = (spec.do === "refuse" || spec.do === "delay_calls") && isWithoutTarget(spec);
  if (!isEverywhere) return [spec];
  return envoy.threads.filter(({ alive }) => alive).map(({ name }) => ({ ...spec, thread: name }));
}

/** An event for every living thread, where none lives, did not happen. */
function noteNobody(envoy: MockEnvoy, event: FaultEvent): void {
  if (event.do !== "refuse" && event.do !== "delay_calls") return;
  const args =
    event.do === "refuse"
      ? { call: event.call, status: event.status }
      : { cluster: event.cluster, by: formatDuration(event.by), for: formatDuration(event.for) };
  envoy.note(event.do, args, { status: "not_applied", result: "no thread lives" });
}

function isWithoutTarget(target: {
  readonly thread?: string | undefined;
  readonly leader_of?: string | undefined;
}): boolean {
  return target.thread === undefined && target.leader_of === undefined;
}

/** The same event with its durations as text again, in nanoseconds. */
function faultSpec(event: FaultEvent): FaultSpec {
  switch (event.do) {
    case "pause":
      return { ...event, for: `${event.for}ns` };
    case "wall_clock":
      return { ...event, by: `${event.by}ns` };
    case "refuse":
      return { ...event, for: event.for === undefined ? undefined : `${event.for}ns` };
    case "delay_calls":
      return { ...event, by: `${event.by}ns`, for: `${event.for}ns` };
    case "chaos":
      return {
        ...event,
        until: `${event.until}ns`,
        crash_every: `${event.crash_every}ns`,
        restart_after: `${event.restart_after}ns`,
      };
    default:
      return event;
  }
}

type ClientEvent = EventOf<"request"> | EventOf<"connect">;

function sendRequest(envoy: MockEnvoy, event: ClientEvent): number | undefined {
  const thread = servingThread(envoy, event);
  if (typeof thread === "string") {
    envoy.note(
      event.do,
      { leader_of: event.leader_of ?? "" },
      { status: "not_applied", result: thread },
    );
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
