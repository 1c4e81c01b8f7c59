/**
 * Every suite on a real Envoy: as recorded, and as the mock of the same run. `RECORD=1` records anew; `ENVOY_VERSION`
 * names another version, which must differ from the recorded one as `versions.ts` says, and in nothing else.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectedPath,
  envoyVersion,
  readExpected,
  writeTranscript,
} from "../conformance/expected.ts";
import { startMock } from "../conformance/mock-host.ts";
import { blocks, linesOf, runSuite } from "../conformance/run-suite.ts";
import type { ProbeSuite } from "../conformance/probe.ts";
import type { Outcome, RunningHost } from "../conformance/run-suite.ts";
import { suites } from "../conformance/suites/index.ts";
import { ofVersion, versionPath } from "../conformance/versions.ts";
import { installEnvoy } from "./install.ts";
import { startReal } from "./real-host.ts";

const version = process.env["ENVOY_VERSION"] ?? envoyVersion;
const isUsual = version === envoyVersion;
const isRecording = process.env["RECORD"] === "1";
const recordings = mkdtempSync(join(tmpdir(), "proxy-wasm-as-transcripts-"));
let equalCount = 0;
let caseCount = 0;

for (const suite of suites) {
  describe(`suite ${suite.name}`, () => {
    let real: Map<string, Outcome>;
    let mock: Map<string, Outcome>;
    let expected: Map<string, readonly string[]>;

    beforeAll(async () => {
      const binary = installEnvoy(version);
      const begin = (one: ProbeSuite): Promise<RunningHost> => startReal(one, binary);
      real = await runSuite(suite, begin);
      if (!isRecording && !isAsRecorded(suite, real)) {
        process.stdout.write(`suite ${suite.name} ran again: its first run was not as recorded\n`);
        real = await runSuite(suite, begin);
      }
      const seen = recordedBlocks(suite, real);
      writeTranscript(join(recordings, `${suite.name}.txt`), version, [...seen.values()]);
      if (isRecording && isUsual)
        writeTranscript(expectedPath(suite.name), version, [...seen.values()]);
      mock = isUsual ? await runSuite(suite, startMock) : new Map();
      expected = readExpected(suite.name);
      if (isRecording && !isUsual) recordDifferences(suite.name, seen, expected);
    });

    for (const { id, what } of blocks(suite)) {
      it(`${id}: ${what}`, () => {
        caseCount++;
        const seen = linesOf(real.get(id));
        const recorded = ofVersion(version, { suite: suite.name, id }, expected.get(id));
        expect(seen, `Envoy ${version}, against what was recorded`).toEqual(recorded);
        if (isUsual) expect(linesOf(mock.get(id)), "the mock, against Envoy").toEqual(seen);
        equalCount++;
      });
    }
  });
}

afterAll(() => {
  process.stdout.write(
    `Envoy ${version}: ${String(equalCount)} of ${String(caseCount)} cases equal\n`,
  );
  if (equalCount < caseCount) process.stdout.write(`this run's transcripts: ${recordings}\n`);
  else rmSync(recordings, { recursive: true, force: true });
});

/**
 * On a busy machine packets meet in an order that they do not meet in otherwise. A suite that is not as recorded runs
 * once more, and says so; what differs then, differs.
 */
function isAsRecorded(suite: ProbeSuite, real: ReadonlyMap<string, Outcome>): boolean {
  const expected = readExpected(suite.name);
  const seen = recordedBlocks(suite, real);
  return blocks(suite).every(({ id }) => {
    const recorded = ofVersion(version, { suite: suite.name, id }, expected.get(id));
    return recorded !== undefined && seen.get(id)?.join("\n") === recorded.join("\n");
  });
}

/** Of the cases that came to their end, by id. */
function recordedBlocks(
  suite: ProbeSuite,
  outcomes: ReadonlyMap<string, Outcome>,
): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { id } of blocks(suite)) {
    const outcome = outcomes.get(id);
    if (outcome !== undefined && "lines" in outcome) found.set(id, outcome.lines);
  }
  return found;
}

/** Another version's blocks that are not as recorded. */
function recordDifferences(
  suite: string,
  seen: ReadonlyMap<string, readonly string[]>,
  expected: ReadonlyMap<string, readonly string[]>,
): void {
  const path = versionPath(version, suite);
  const different = [...seen].filter(
    ([id, lines]) => lines.join("\n") !== expected.get(id)?.join("\n"),
  );
  rmSync(path, { force: true });
  if (different.length > 0)
    writeTranscript(
      path,
      version,
      different.map(([, lines]) => lines),
    );
}
