/** Rules between the parts of a scenario: references, keys that go together, what cannot happen. */
import { isCallback, isHostCall } from "./abi-names.ts";
import { profileNames } from "../profiles/index.ts";
import { formatDuration } from "../time/duration.ts";
import { checkRules } from "./check-rules.ts";
import { clusterRules, failAlone, framesAlone } from "./cluster-rules.ts";
import { listenerRules } from "./listener-rules.ts";
import { namesOf, problem, unknownName, type Names } from "./names.ts";
import { instantCount } from "./instants.ts";
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
  if (event.do === "delay_calls") {
    found.push(...unknownName("cluster", event.cluster, [...path, "cluster"], names));
  }
  if (event.do === "refuse") found.push(...refuseRules(event, path));
  if (event.do === "request") found.push(...requestRules(event, path));
  if (event.do === "connect") found.push(...connectRules(event, path));
  if (event.do === "chaos") found.push(...chaosRules(event, path, names));
  return found;
}

function timingRules(event: ScenarioEvent, path: Path): Problem[] {
  const found: Problem[] = [];
  const every = "every" in event ? event.every : undefined;
  const count = "count" in event && event.do !== "refuse" ? event.count : undefined;
  if (every !== undefined && event.until === undefined && count === undefined) {
    const until = event.do === "refuse" ? "until" : "until or count";
    found.push(problem([...path, "every"], "every has no end", `add ${until} to the event`));
  }
  if (every === undefined && event.do !== "chaos") {
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

/** Where it happens: crash, restart, pause and trap need a thread; the others may do without. */
function placeRules(event: ScenarioEvent, path: Path, names: Names): Problem[] {
  if (!("leader_of" in event || "thread" in event)) {
    const isNeeded =
      event.do === "crash" || event.do === "restart" || event.do === "pause" || event.do === "trap";
    if (!isNeeded) return [];
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
  if (event.do !== "trap" || isCallback(event.callback)) return [];
  const what = `${event.callback} is no callback of the ABI`;
  return [problem([...path, "callback"], what, "name one, such as proxy_on_tick")];
}

/** What the host of one profile cannot do; the profile may be another than the file's. */
export function profileRules(frame: Frame, profile: string): Problem[] {
  const traps = frame.events.flatMap((event, index) => {
    if (event.do !== "trap" || isCallback(event.callback, profile)) return [];
    const what = `profile ${profile} never calls ${event.callback}`;
    const taking = profileNames.filter((one) => isCallback(event.callback, one));
    return [problem(["events", index, "callback"], what, `use profile ${taking.join(" or ")}`)];
  });
  return [...traps, ...redisProfileRules(frame, profile)];
}

function refuseRules(event: EventOf<"refuse">, path: Path): Problem[] {
  const found: Problem[] = [];
  if (!isHostCall(event.call)) {
    const what = `${event.call} is no host call of the ABI`;
    found.push(problem([...path, "call"], what, "name one, such as proxy_set_shared_data"));
  }
  if (event.for !== undefined && event.count !== undefined) {
    const what = "for and count both say how long";
    found.push({ path: [...path, "count"], part: "key", what, remedy: "keep one of the two" });
  }
  return found;
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
