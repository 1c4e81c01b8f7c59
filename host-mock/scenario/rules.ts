/** Rules between the parts of a scenario: references, keys that go together, what cannot happen. */
import { isCallback } from "./abi-names.ts";
import { profileNames } from "../profiles/index.ts";
import { formatDuration } from "../time/duration.ts";
import { checkRules } from "./check-rules.ts";
import { clusterRules, failAlone, framesAlone } from "./cluster-rules.ts";
import { listenerRules } from "./listener-rules.ts";
import { namesOf, problem, unknownName, type Names } from "./names.ts";
import { atCallRules } from "./at-call-rules.ts";
import { countsCalls, instantCount, repetitionCount } from "./instants.ts";
import { randomFaultRules } from "./random-fault-rules.ts";
import { redisProfileRules, redisRules } from "./redis-rules.ts";
import type { EventOf, ScenarioEvent } from "./schema/events.ts";
import type { Frame } from "./schema/frame.ts";
import type { Path, Problem } from "./source.ts";

/** Everything the rules find wrong, in no particular order. */
export function brokenRules(frame: Frame): Problem[] {
  const names = namesOf(frame);
  return [
    ...uniquePlugins(frame),
    ...policyRules(frame),
    ...Object.entries(frame.clusters).flatMap(([name, cluster]) =>
      clusterRules(cluster, ["clusters", name]),
    ),
    ...frame.events.flatMap((event, index) => [
      ...eventRules(event, ["events", index], names),
      ...trapRules(event, ["events", index]),
      ...durationRules(event, ["events", index], frame.duration),
    ]),
    ...networkRules(frame),
    ...listenerRules(frame),
    ...redisRules(frame),
    ...frame.properties.flatMap((check, index) => checkRules(check, ["properties", index], frame)),
  ];
}

function uniquePlugins({ plugins }: Frame): Problem[] {
  return plugins.flatMap(({ name }, index) => {
    const first = plugins.findIndex((other) => other.name === name);
    if (first === index) return [];
    const what = `plugin ${index + 1} has the name ${JSON.stringify(name)} of plugin ${first + 1}`;
    return [problem(["plugins", index, "name"], what, "give each plugin a name of its own")];
  });
}

/** The older switch and the policy say the same thing. */
function policyRules({ plugins }: Frame): Problem[] {
  return plugins.flatMap(({ fail_open: failOpen, failure_policy: policy }, index) => {
    if (failOpen !== true || policy === undefined) return [];
    const what = "fail_open and failure_policy both say what a failed VM means";
    const path = ["plugins", index, "fail_open"];
    return [{ path, part: "key", what, remedy: "keep one of the two" }];
  });
}

function eventRules(event: ScenarioEvent, path: Path, names: Names): Problem[] {
  const found = [...timingRules(event, path), ...placeRules(event, path, names)];
  if ("plugin" in event && event.plugin !== undefined) {
    found.push(...unknownName("plugin", event.plugin, [...path, "plugin"], names));
  }
  if ("cluster" in event) {
    found.push(...unknownName("cluster", event.cluster, [...path, "cluster"], names));
  }
  if (event.do === "request") found.push(...requestRules(event, path));
  if (event.do === "connect") found.push(...connectRules(event, path));
  if (event.do === "chaos") found.push(...chaosRules(event, path, names));
  if (event.do === "faults") found.push(...randomFaultRules(event, path, names));
  found.push(...atCallRules(event, path));
  return found;
}

function timingRules(event: ScenarioEvent, path: Path): Problem[] {
  const found: Problem[] = [];
  const every = "every" in event ? event.every : undefined;
  const count = repetitionCount(event);
  if (every !== undefined && event.until === undefined && count === undefined) {
    const until = countsCalls(event) ? "until" : "until or count";
    found.push(problem([...path, "every"], "every has no end", `add ${until} to the event`));
  }
  if (every === undefined && event.do !== "chaos" && event.do !== "faults") {
    for (const key of ["until", "count"] as const) {
      if ((key === "until" ? event.until : count) === undefined) continue;
      const what = `${key} ends a repetition, and there is none`;
      found.push({ path: [...path, key], part: "key", what, remedy: "add every, or leave it out" });
    }
  }
  if (event.until !== undefined && event.until < event.at) {
    const what = "until comes before at";
    found.push(
      problem([...path, "until"], what, "give an instant after at; both count from the start"),
    );
  }
  if ((event.do === "crash" || event.do === "trap") && event.at === 0) {
    const what = `no VM has started at 0s, a ${event.do} there can hit nothing`;
    found.push(problem([...path, "at"], what, "give a later instant, such as 1ms"));
  }
  return found;
}

/** Above this a file asks for more than a run can do. */
const repetitionsMax = 1_000_000;

/** An event has to happen, and not too often. */
function durationRules(event: ScenarioEvent, path: Path, durationNs: number): Problem[] {
  if (event.at > durationNs) {
    const end = formatDuration(durationNs);
    const what = `at ${formatDuration(event.at)} lies after the end of the run (${end})`;
    return [problem([...path, "at"], what, "give an earlier instant, or a longer duration")];
  }
  if (instantCount(event, durationNs) <= repetitionsMax) return [];
  const what = `the event would happen more than ${repetitionsMax} times`;
  return [problem([...path, "every"], what, "make every longer, or let it end earlier")];
}

/** Events that are for one thread, and never for all. */
const ofOneThread: readonly ScenarioEvent["do"][] = ["crash", "restart", "pause", "trap"];

/** Where it happens: crash, restart, pause and trap need a thread; the others may do without. */
function placeRules(event: ScenarioEvent, path: Path, names: Names): Problem[] {
  if (!("leader_of" in event || "thread" in event)) {
    if (!ofOneThread.includes(event.do)) return [];
    const what = `${event.do} does not say where`;
    return [problem(path, what, "add thread: NAME or leader_of: PLUGIN")];
  }
  if (event.thread !== undefined && event.leader_of !== undefined) {
    const what = "thread and leader_of both say where";
    return [{ path: [...path, "leader_of"], part: "key", what, remedy: "keep one of the two" }];
  }
  if (event.thread !== undefined)
    return unknownName("thread", event.thread, [...path, "thread"], names);
  if (event.leader_of === undefined) return [];
  return unknownName("plugin", event.leader_of, [...path, "leader_of"], names);
}

function trapRules(event: ScenarioEvent, path: Path): Problem[] {
  if (event.do !== "trap" || event.callback === undefined) return [];
  if (isCallback(event.callback)) return [];
  const what = `${event.callback} is no callback of the ABI`;
  return [problem([...path, "callback"], what, "name one, such as proxy_on_tick")];
}

/** What the host of one profile cannot do; the profile may be another than the file's. */
export function profileRules(frame: Frame, profile: string): Problem[] {
  const traps = frame.events.flatMap((event, index) => {
    const callback = event.do === "trap" ? event.callback : undefined;
    if (callback === undefined || isCallback(callback, profile)) return [];
    const what = `profile ${profile} never calls ${callback}`;
    const taking = profileNames.filter((one) => isCallback(callback, one));
    return [problem(["events", index, "callback"], what, `use profile ${taking.join(" or ")}`)];
  });
  return [...traps, ...redisProfileRules(frame, profile)];
}

function requestRules(event: EventOf<"request">, path: Path): Problem[] {
  const found: Problem[] = [];
  if (event.thread === "main") {
    const what = "main serves no requests";
    found.push(problem([...path, "thread"], what, "name a worker, such as worker_0"));
  }
  found.push(...framesAlone(event, path, "a request"));
  if (event.upstream !== undefined) {
    const at = [...path, "upstream"];
    found.push(...failAlone(event.upstream, at), ...framesAlone(event.upstream, at));
  }
  return found;
}

function connectRules(event: EventOf<"connect">, path: Path): Problem[] {
  const found: Problem[] = [];
  if (event.thread === "main") {
    const what = "main takes no connections";
    found.push(problem([...path, "thread"], what, "name a worker, such as worker_0"));
  }
  if (event.finish && event.abandon) {
    const what = "finish and abandon both say how the client ends";
    found.push({ path: [...path, "abandon"], part: "key", what, remedy: "keep one of the two" });
  }
  return found;
}

/** A connection needs a plugin that it goes through. */
function networkRules({ plugins, events }: Frame): Problem[] {
  if (plugins.some(({ kind }) => kind === "network")) return [];
  return events.flatMap((event, index) => {
    if (event.do !== "connect") return [];
    const what = "no plugin of the file is for connections";
    return [problem(["events", index, "do"], what, "give a plugin kind: network")];
  });
}

function chaosRules(event: EventOf<"chaos">, path: Path, names: Names): Problem[] {
  const { threads } = event;
  if (threads === "all") return [];
  if ("leader_of" in threads) {
    return unknownName("plugin", threads.leader_of, [...path, "threads", "leader_of"], names);
  }
  return threads.flatMap((name, index) =>
    unknownName("thread", name, [...path, "threads", index], names),
  );
}
