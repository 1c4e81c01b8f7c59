import { describe, expect } from "vitest";
import { refusal, test } from "./loading.ts";
import { scenarioText } from "./scenario-text.ts";

const wrongEvents: readonly [behaviour: string, event: string, message: string][] = [
  [
    "before, at what is no host call",
    "{at: 1s, do: crash, thread: main, before: proxy_set_data}",
    "s.yaml:9:47: proxy_set_data is no host call of the ABI; name one, such as proxy_set_shared_data",
  ],
  [
    "before, in an event that has none",
    "{at: 1s, do: restart, thread: main, before: proxy_log}",
    's.yaml:9:41: unknown key "before" in a restart event; its keys are at,',
  ],
  [
    "before, of nobody's VM",
    "{at: 1s, do: wipe, before: proxy_log}",
    "s.yaml:9:32: before does not say whose host call; add thread: NAME or leader_of: PLUGIN",
  ],
  [
    "nth without before",
    "{at: 1s, do: crash, thread: main, nth: 2}",
    "s.yaml:9:39: nth is of a host call, and none is named; add before: CALL, or leave it out",
  ],
  [
    "a thread for the whole process",
    "{at: 1s, do: wipe, thread: main}",
    "s.yaml:9:24: wipe is of the whole process; add before: CALL, or leave thread out",
  ],
  [
    "a trap without a callback",
    "{at: 1s, do: trap, thread: main}",
    "s.yaml:9:5: trap does not say which callback; add callback: NAME, or before: CALL",
  ],
  [
    "a trap with both",
    "{at: 1s, do: trap, thread: main, callback: proxy_on_tick, before: proxy_log}",
    "s.yaml:9:63: callback and before both say where it traps; keep one of the two",
  ],
  [
    "a refusal of nothing",
    "{at: 1s, do: refuse, status: NotFound}",
    "s.yaml:9:5: refuse does not say which call; add call: NAME, or before: NAME for one call",
  ],
  [
    "a refusal of one call, twice",
    "{at: 1s, do: refuse, thread: main, status: NotFound, before: proxy_log, count: 2}",
    "s.yaml:9:77: count cannot stand beside before, which names one call; keep one of the two",
  ],
  [
    "random faults that have nothing to name",
    "{at: 1s, do: faults, until: 5s, rates: {cas_storm: 1s}}",
    "s.yaml:9:56: faults of the kind cas_storm have nothing to name; add keys: [KEY] to the event",
  ],
  [
    "random faults of no kind",
    "{at: 1s, do: faults, until: 5s, rates: {}}",
    "s.yaml:9:44: the rates name no fault; add one, such as crash: 30s",
  ],
  [
    "random faults of a kind that is none",
    "{at: 1s, do: faults, until: 5s, rates: {crach: 5s}}",
    's.yaml:9:45: unknown key "crach" in the rates of faults; did you mean crash?',
  ],
  [
    "random faults in an unknown thread",
    "{at: 1s, do: faults, until: 5s, rates: {crash: 5s}, threads: [worker_7]}",
    's.yaml:9:67: there is no thread "worker_7"; the threads are main and worker_0 to worker_1',
  ],
];

describe("an event at a host call, or of random faults, is refused with place and remedy:", () => {
  for (const [behaviour, event, message] of wrongEvents) {
    test(behaviour, ({ folder }) => {
      const text = scenarioText({ events: `events:\n  - ${event}` });

      expect(refusal(folder, text)).toContain(message);
    });
  }
});
