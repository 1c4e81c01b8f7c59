import { expect } from "vitest";
import { clusterOptions } from "../../../host-mock/scenario/cluster-options.ts";
import { prepareScenario } from "../../../host-mock/scenario/run.ts";
import { load, refusal, test } from "./loading.ts";
import { scenarioText } from "./scenario-text.ts";

const withClusters = (redis: string): string =>
  scenarioText({ clusters: `clusters:\n  cache: ${redis}` });

test("a Redis cluster of a scenario becomes one of the host", ({ folder }) => {
  const all =
    '{redis: {password: p, user: joe, delay: 2ms, fail: reset, commands: [["SET", "k", "v"]]}}';

  const { frame } = load(folder, withClusters(all));

  expect(clusterOptions(frame.clusters["cache"]!)).toEqual({
    redis: {
      password: "p",
      user: "joe",
      delay: "2000000ns",
      fail: "reset",
      commands: [["SET", "k", "v"]],
    },
  });
});

test("one without anything is an empty server", ({ folder }) => {
  const { frame } = load(folder, withClusters("{redis: {}}"));

  expect(clusterOptions(frame.clusters["cache"]!)).toEqual({ redis: {} });
});

const refusals: readonly (readonly [string, RegExp])[] = [
  ["{redis: {}, status: 200}", /status cannot stand beside redis, which answers no HTTP; keep one/],
  ["{redis: {}, delay: 5ms}", /delay cannot stand beside redis, .*; write delay under redis/],
  ["{redis: {fail: sometimes}}", /no_healthy_host/],
  ["{redis: {pasword: x}}", /password/],
  ["{redis: {commands: [SET]}}", /list of words/],
  [
    '{redis: {commands: [["SET", "k", 5]]}}',
    /^s\.yaml:7:43: entry 3 of entry 1 of commands must be a text, not 5; put it in quotes/,
  ],
  [
    '{redis: {commands: [["SET", "k", "v"], ["STE", "k", "v"]]}}',
    /^s\.yaml:7:49: STE k v is answered ERR unknown command 'STE', .*; give a command that/,
  ],
  [
    '{redis: {commands: [["SET", "k", "v"], ["LPUSH", "k", "v"]]}}',
    /^s\.yaml:7:49: LPUSH k v is answered WRONGTYPE/,
  ],
  [
    '{redis: {commands: [["EVAL", "return cjson.encode({})", "0"]]}}',
    /^s\.yaml:7:30: EVAL return cjson.encode\(\{\}\) 0: cjson in a Lua script \(line 1\)/,
  ],
  ["{redis: {commands: [[]]}}", /a command has a name/],
];

test("what is wrong is refused, and the message says what to do", ({ folder }) => {
  for (const [redis, message] of refusals)
    expect(refusal(folder, withClusters(redis))).toMatch(message);
});

test("a server that no plugin of the profile can call is refused with the profile that can", ({
  folder,
}) => {
  const text = withClusters("{redis: {}}");

  expect(() => prepareScenario(load(folder, text))).toThrow(
    /s\.yaml:7:11: profile envoy has no calls to Redis; use profile higress$/,
  );
  expect(() => prepareScenario(load(folder, text), { profile: "higress" })).not.toThrow(
    /calls to Redis/,
  );
});
