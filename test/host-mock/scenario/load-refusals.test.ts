import { describe, expect } from "vitest";
import { refusal, test } from "./loading.ts";
import { scenarioText } from "./scenario-text.ts";

const wrong: readonly [behaviour: string, parts: Record<string, string>, message: string][] = [
  ["a YAML error", { name: "name: [a run" }, "s.yaml:2:1: the YAML is malformed:"],
  [
    "of several YAML errors the first",
    { clusters: "a: 1\na: 2\nb: 1\nb: 2" },
    "s.yaml:7:1: the YAML is malformed: Map keys must be unique; keep one of the two keys",
  ],
  [
    "an alias of nothing",
    { name: "name: *x" },
    "s.yaml:1:7: the alias *x names no anchor above it; put &x before the value it stands for",
  ],
  [
    "a misspelt key, with the nearest",
    { duration: "duratoin: 30s" },
    's.yaml:3:1: unknown key "duratoin" in a scenario; did you mean duration?',
  ],
  [
    "a key of nothing, with all keys",
    { extra: "colour: red" },
    's.yaml:8:1: unknown key "colour" in a scenario; its keys are name, concurrency,',
  ],
  [
    "an unknown key of explore",
    { extra: "explore: {tick: 2}" },
    's.yaml:8:11: unknown key "tick" in an explore block; did you mean ticks?',
  ],
  [
    "a missing key",
    { duration: "" },
    "s.yaml:1:1: duration is missing; give a duration such as 250ms or 71s",
  ],
  [
    "a bare number for a duration",
    { duration: "duration: 30" },
    "s.yaml:3:11: a duration needs a unit, and 30 has none; write 30ms or 30s",
  ],
  [
    "a bad unit",
    { duration: "duration: 30 sec" },
    's.yaml:3:11: "30 sec" is no duration; write a number and a unit',
  ],
  [
    "a number as a name",
    { name: "name: 3" },
    "s.yaml:1:7: name must be a text, not 3; put it in quotes",
  ],
  [
    "a text as a number",
    { concurrency: 'concurrency: "2"' },
    's.yaml:2:14: concurrency must be a whole number, not "2"; give one from 1 to 100000',
  ],
  [
    "no workers",
    { concurrency: "concurrency: 0" },
    "s.yaml:2:14: concurrency must be a whole number, not 0; give one from 1 to 100000",
  ],
  [
    "an unknown profile",
    { extra: "profile: envoi" },
    's.yaml:8:10: profile cannot be "envoi"; did you mean envoy?',
  ],
  [
    "a profile that does not exist",
    { extra: "profile: apache" },
    's.yaml:8:10: profile cannot be "apache"; there are envoy, higress, nginx,',
  ],
  [
    "a start that is no instant",
    { extra: "start: yesterday" },
    's.yaml:8:8: "yesterday" is no instant in UTC; write it as 2026-01-01T00:00:00Z',
  ],
  [
    "a start on a day that is none",
    { extra: "start: 2026-02-30T00:00:00Z" },
    "is no instant in UTC",
  ],
  [
    "a cost of a call that no call has",
    { extra: "call_cost: 2000h" },
    "s.yaml:8:12: call_cost must not be longer than 1200h",
  ],
  [
    "a cost above a second",
    { extra: "call_cost: 1001ms" },
    "s.yaml:8:12: call_cost must be at most 1s",
  ],
  [
    "a duration of joined parts, with their sum",
    { duration: "duration: 1m30s" },
    's.yaml:3:11: "1m30s" is no duration; parts cannot be joined: write 90s',
  ],
  [
    "a second document",
    { extra: "---\nname: another" },
    "s.yaml:8:1: a file holds one scenario, and a second document begins here; put each",
  ],
  [
    "a value nested too deep",
    { extra: `events: ${"[".repeat(200)}${"]".repeat(200)}` },
    "the scenario is nested too deep; nest it less deeply, at most 100 levels",
  ],
  [
    "a value nested so deep that no parser follows",
    { extra: `events: ${"[".repeat(20_000)}${"]".repeat(20_000)}` },
    "the scenario is nested too deep; nest it less deeply",
  ],
  [
    "a merge key",
    { extra: "events:\n  - &e {at: 1s, do: wipe}\n  - {<<: *e, at: 2s}" },
    "s.yaml:10:6: merge keys (<<) are not read; write the keys out",
  ],
  [
    "an environment's empty key",
    { plugins: 'plugins:\n  - {name: a, wasm: plugin.wasm, environment: {"": x}}' },
    "a key of environment must not be empty; give it a name",
  ],
  [
    "a cluster called __proto__ that is wrong",
    { clusters: "clusters:\n  __proto__: {fail: nonsense}" },
    's.yaml:7:21: fail cannot be "nonsense"',
  ],
  [
    "a pseudo-header of a cluster",
    { clusters: 'clusters:\n  c: {headers: {":status": "500"}}' },
    "s.yaml:7:16: :status is a pseudo-header, which headers cannot set; write status: beside headers:",
  ],
  ["no plugin", { plugins: "plugins: []" }, "s.yaml:4:10: no plugin is listed; list at least one"],
  [
    "plugins that are no list",
    { plugins: "plugins: x" },
    "s.yaml:4:10: plugins must be a list of plugins",
  ],
  [
    "a plugin that is no object",
    { plugins: "plugins: [x]" },
    "s.yaml:4:11: entry 1 of plugins must be an object with keys",
  ],
  [
    "two plugins of one name",
    { plugins: "plugins:\n  - {name: a, wasm: plugin.wasm}\n  - {name: a, wasm: plugin.wasm}" },
    's.yaml:6:12: plugin 2 has the name "a" of plugin 1; give each plugin a name of its own',
  ],
  [
    "a kind that does not exist",
    { plugins: "plugins:\n  - {name: a, wasm: plugin.wasm, kind: listener}" },
    's.yaml:5:40: kind cannot be "listener"; there are http, network, service, singleton, access_log, stats_sink',
  ],
  [
    "a module that is not there",
    { plugins: "plugins:\n  - {name: a, wasm: b/c.wasm}" },
    "s.yaml:5:21: the module b/c.wasm cannot be read (no such file); build it first",
  ],
  [
    "a configuration that is a number",
    { plugins: "plugins:\n  - {name: a, wasm: plugin.wasm, configuration: 7}" },
    "s.yaml:5:49: a configuration is an object or a text, not 7",
  ],
  [
    "a cluster that answers and fails",
    { clusters: "clusters:\n  c: {fail: timeout, status: 200}" },
    "s.yaml:7:22: status cannot stand beside fail: timeout",
  ],
  [
    "a cluster of two bodies",
    { clusters: "clusters:\n  c: {body: a, frames: [b]}" },
    "s.yaml:7:16: frames cannot stand beside body",
  ],
  [
    "a gRPC cluster that answers HTTP",
    { clusters: "clusters:\n  c: {grpc: {status: 0}, delay: 5ms}" },
    "s.yaml:7:26: delay cannot stand beside grpc, which answers no HTTP; write delay under grpc",
  ],
  [
    "a gRPC cluster that answers and fails",
    { clusters: "clusters:\n  c: {grpc: {fail: timeout, status: 0}}" },
    "s.yaml:7:29: status cannot stand beside fail: timeout",
  ],
  [
    "a gRPC status that there is not",
    { clusters: "clusters:\n  c: {grpc: {status: 17}}" },
    "s.yaml:7:22: status must be a whole number, not 17; give one from 0 to 16",
  ],
  [
    "an unknown way to fail",
    { clusters: "clusters:\n  c: {fail: explode}" },
    's.yaml:7:13: fail cannot be "explode"; there are timeout, reset, disconnect, refuse_connection, no_healthy_host',
  ],
  [
    "a header that is no text",
    { clusters: "clusters:\n  c: {headers: {x: 1}}" },
    "s.yaml:7:16: header x must be a text, not 1; put it in quotes",
  ],
  [
    "a header of three parts",
    { clusters: "clusters:\n  c: {headers: [[a, b, c]]}" },
    "s.yaml:7:16: a header is a name and a text, not a list; write {name: value}",
  ],
  [
    "a fence without its header",
    { clusters: "clusters:\n  c: {fence: {refuse: 409}}" },
    "s.yaml:7:14: header is missing",
  ],
];

describe("a wrong frame is refused in one line with place and remedy:", () => {
  for (const [behaviour, parts, message] of wrong) {
    test(behaviour, ({ folder }) => {
      expect(refusal(folder, scenarioText(parts))).toContain(message);
    });
  }
});

const wrongEvents: readonly [behaviour: string, event: string, message: string][] = [
  [
    "an unknown event",
    "{at: 1s, do: crahs}",
    "s.yaml:9:18: there is no do: crahs; do: is one of crash, restart, pause,",
  ],
  ["an event without do", "{at: 1s}", "s.yaml:9:5: do is missing; do: is one of crash"],
  ["an event that is a text", "crash", "s.yaml:9:5: entry 1 of events must be an object with do:"],
  [
    "an unknown thread",
    "{at: 1s, do: crash, thread: worker_2}",
    's.yaml:9:33: there is no thread "worker_2"; the threads are main and worker_0 to worker_1',
  ],
  [
    "an unknown leader's plugin",
    "{at: 1s, do: crash, leader_of: reprter}",
    's.yaml:9:36: there is no plugin "reprter"; did you mean reporter?',
  ],
  [
    "an unknown plugin",
    "{at: 1s, do: reconfigure, plugin: x, configuration: {}}",
    's.yaml:9:39: there is no plugin "x"; there is reporter',
  ],
  [
    "an unknown cluster",
    "{at: 1s, do: delay_calls, thread: main, cluster: c, by: 1s, for: 1s}",
    's.yaml:9:54: there is no cluster "c"; there is collector',
  ],
  [
    "an unknown thread of chaos",
    "{at: 1s, do: chaos, until: 9s, crash_every: 1s, restart_after: 1s, threads: [main, w]}",
    's.yaml:9:88: there is no thread "w"',
  ],
  [
    "no thread where one is needed",
    "{at: 1s, do: crash}",
    "s.yaml:9:5: crash does not say where; add thread: NAME or leader_of: PLUGIN",
  ],
  [
    "thread and leader_of",
    "{at: 1s, do: crash, thread: main, leader_of: reporter}",
    "s.yaml:9:39: thread and leader_of both say where; keep one of the two",
  ],
  [
    "every without an end",
    "{at: 1s, every: 1s, do: wipe}",
    "s.yaml:9:21: every has no end; add until or count to the event",
  ],
  [
    "every of a refusal, whose count is another thing",
    "{at: 1s, every: 1s, do: refuse, call: proxy_log, status: Ok, count: 1}",
    "s.yaml:9:21: every has no end; add until to the event",
  ],
  [
    "every of nothing",
    "{at: 1s, every: 0s, count: 2, do: wipe}",
    "s.yaml:9:21: every must be longer than nothing",
  ],
  [
    "until without every",
    "{at: 1s, until: 2s, do: wipe}",
    "s.yaml:9:14: until ends a repetition, and there is none",
  ],
  [
    "an instant after the end of the run",
    "{at: 100s, do: wipe}",
    "s.yaml:9:10: at 100s lies after the end of the run (30s); give an earlier instant, or a longer duration",
  ],
  [
    "until before at",
    "{at: 9s, every: 1s, until: 2s, do: wipe}",
    "s.yaml:9:32: until comes before at",
  ],
  [
    "too many repetitions",
    "{at: 0s, every: 1ns, until: 30s, do: wipe}",
    "s.yaml:9:21: the event would happen more than 1000000 times; make every longer",
  ],
  [
    "a crash at 0s",
    "{at: 0s, do: crash, thread: main}",
    "s.yaml:9:10: no VM has started at 0s, a crash there can hit nothing; give a later instant, such as 1ms",
  ],
  [
    "a trap at 0s",
    "{at: 0ms, do: trap, thread: main, callback: proxy_on_tick}",
    "s.yaml:9:10: no VM has started at 0s, a trap",
  ],
  [
    "a trap in no callback",
    "{at: 1s, do: trap, thread: main, callback: on_tick}",
    "s.yaml:9:48: on_tick is no callback of the ABI",
  ],
  [
    "a refusal of no host call",
    "{at: 1s, do: refuse, call: set_data, status: Ok}",
    "s.yaml:9:32: set_data is no host call of the ABI",
  ],
  [
    "a refusal with no status",
    "{at: 1s, do: refuse, call: proxy_log, status: Nope}",
    's.yaml:9:51: status cannot be "Nope"',
  ],
  [
    "a refusal for a while and a number",
    "{at: 1s, do: refuse, call: proxy_log, status: Ok, for: 1s, count: 1}",
    "s.yaml:9:64: for and count both say how long",
  ],
  [
    "a request on main",
    "{at: 1s, do: request, thread: main}",
    "s.yaml:9:35: main serves no requests; name a worker, such as worker_0",
  ],
  [
    "a bad base64",
    "{at: 1s, do: set_shared_data, key: k, value: {base64: '?'}}",
    "s.yaml:9:50: this is not base64",
  ],
  [
    "a value of another form",
    "{at: 1s, do: set_shared_data, key: k, value: 5}",
    "s.yaml:9:50: value must be text or bytes, not 5; write text, {base64: …}",
  ],
  [
    "a pseudo-header of a request",
    '{at: 1s, do: request, headers: [[":Path", /other]]}',
    "s.yaml:9:36: :path is a pseudo-header, which headers cannot set; write path: beside headers:",
  ],
  [
    "a pseudo-header of an upstream",
    '{at: 1s, do: request, upstream: {headers: {":status": "500"}}}',
    "write status: beside headers:",
  ],
  [
    "a restart after longer than a run can be",
    "{at: 1s, do: chaos, until: 9s, crash_every: 1s, restart_after: 9007199254ms}",
    "s.yaml:9:68: restart_after must not be longer than 1200h",
  ],
  ["a signed duration where none is", "{at: -1s, do: wipe}", 's.yaml:9:10: "-1s" is no duration'],
];

describe("a wrong event is refused in one line with place and remedy:", () => {
  for (const [behaviour, event, message] of wrongEvents) {
    test(behaviour, ({ folder }) => {
      const text = scenarioText({ events: `events:\n  - ${event}` });

      expect(refusal(folder, text)).toContain(
        message.replace("this is not base64", "value is not base64"),
      );
    });
  }
});
