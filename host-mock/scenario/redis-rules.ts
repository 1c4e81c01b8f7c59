/** Commands that prepare a Redis server must be carried out, and a profile must call Redis. */
import { unixSeconds } from "../envoy/instant.ts";
import { MockHostError } from "../errors.ts";
import { RedisCluster } from "../http/redis-cluster.ts";
import { profileByName, profileNames } from "../profiles/index.ts";
import { problem } from "./names.ts";
import type { Frame } from "./schema/frame.ts";
import type { Path, Problem } from "./source.ts";

export function redisRules(frame: Frame): Problem[] {
  const startMs = unixSeconds(frame.start.slice(0, "2026-01-01T00:00:00".length)) * 1000;
  return Object.entries(frame.clusters).flatMap(([name, { redis }]) => {
    if (redis?.commands === undefined) return [];
    const server = new RedisCluster(name, {}, () => startMs);
    return redis.commands.flatMap((words, index) =>
      commandProblem(server, words, ["clusters", name, "redis", "commands", index]),
    );
  });
}

const shownLength = 80;

function commandProblem(server: RedisCluster, words: readonly string[], path: Path): Problem[] {
  const all = words.join(" ");
  const shown = all.length > shownLength ? `${all.slice(0, shownLength)}…` : all;
  try {
    const answer = server.command(...words);
    if (answer === null || typeof answer !== "object" || !("error" in answer)) return [];
    const what = `${shown} is answered ${answer.error}`;
    return [problem(path, what, "give a command that Redis carries out")];
  } catch (error) {
    if (!(error instanceof MockHostError)) throw error;
    return [problem(path, `${shown}: ${error.what}`, error.remedy ?? "leave the command out")];
  }
}

/** A Redis server whom no plugin of this profile could call. */
export function redisProfileRules({ clusters }: Frame, profile: string): Problem[] {
  const calls = (one: string): boolean => profileByName(one).groups.has("higress");
  if (calls(profile)) return [];
  const having = profileNames.filter(calls).join(" or ");
  return Object.entries(clusters).flatMap(([name, { redis }]) => {
    if (redis === undefined) return [];
    const what = `profile ${profile} has no calls to Redis`;
    const path = ["clusters", name, "redis"];
    return [{ path, part: "key", what, remedy: `use profile ${having}` }];
  });
}
