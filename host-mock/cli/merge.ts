import { readFileSync } from "node:fs";
import type { ExploreRun, SearchResult } from "../index.ts";
import { mergeShards } from "../index.ts";
import { MockHostError } from "../errors.ts";
import { ExitCode, type ExitCodeValue } from "./exit-code.ts";
import type { ExploreJson } from "./explore.ts";
import { exploreText } from "./explore-text.ts";
import { writeAll, type Streams } from "./output.ts";

export interface MergeFlags {
  readonly json?: boolean;
  readonly color: boolean;
}

/** `merge FILE…`: the results of `explore --shard i/n --json`, joined. */
export async function merge(
  files: readonly string[],
  flags: MergeFlags,
  streams: Streams,
): Promise<ExitCodeValue> {
  const results = files.map(read);
  const first = results[0]!;
  const search = mergeShards(results.map(toSearch));
  const isWrong = Object.values(search.violations).some((count) => count > 0);
  const isExpected = first.expected.length === 0 ? !isWrong && search.missed.length === 0 : isWrong;
  const ok = isExpected && (search.complete || search.violation !== null);
  const seconds = Math.max(...results.map((result) => result.seconds));
  const run: ExploreRun = {
    file: first.file,
    name: first.scenario,
    profile: first.profile,
    bounds: first.bounds,
    vms: Array.from({ length: first.vms }, (_, at) => String(at)),
    judged: first.judged,
    expected: first.expected,
    search,
    ok,
  };
  const again = `npx proxy-wasm-as replay ${first.file} --schedule "${search.violation?.text ?? ""}"`;
  const { violation } = search;
  const document = {
    ...{ ok, strategy: search.strategy, vms: first.vms, schedules: null, states: search.states },
    ...{ steps: search.steps, complete: search.complete, cut_by: search.cutBy, seconds },
    violation:
      violation === null
        ? null
        : { property: violation.property, schedule: violation.text, steps: violation.steps },
    ...{ shards: results.length, is_upper_bound: true, violations: search.violations },
    missed: search.missed,
  };
  const text =
    flags.json === true ? `${JSON.stringify(document)}\n` : exploreText(run, seconds, again);
  await writeAll(streams.stdout, text);
  if (ok) return ExitCode.fine;
  return search.complete || violation !== null ? ExitCode.unexpected : ExitCode.cutOff;
}

function read(file: string): ExploreJson {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw notShard(file, cause);
  }
  const result = found as Partial<ExploreJson> | null;
  if (typeof result?.steps !== "number" || typeof result.shard !== "object")
    throw notShard(file, undefined);
  return result as ExploreJson;
}

function notShard(file: string, cause: unknown): MockHostError {
  return new MockHostError("E_FILE", "this is no result of a shard", {
    place: `${file}:1:1`,
    remedy: "name files that explore --shard I/N --json printed",
    cause,
  });
}

function toSearch(result: ExploreJson): SearchResult {
  const { violation } = result;
  return {
    strategy: result.strategy,
    seed: result.seed,
    schedules: result.schedules,
    states: result.states,
    steps: result.steps,
    depth: result.depth,
    complete: result.complete,
    cutBy: result.cut_by,
    violations: result.violations,
    missed: result.missed,
    violation:
      violation === null
        ? null
        : {
            property: violation.property,
            // Counted by its steps: words are not told apart here.
            schedule: violation.steps.map((_, at) => at),
            text: violation.schedule,
            steps: violation.steps,
            shrinkCount: 0,
          },
    ...(result.shard === undefined ? {} : { shard: result.shard }),
  };
}
