import { lastCalls } from "../properties/last-calls.ts";
import type { Verdict } from "../properties/property.ts";
import { factsOfRun, isOk, type JudgedRun } from "./run.ts";

/** A run and the scenario file it came from. */
export interface JunitRun extends JudgedRun {
  readonly file: string;
}

/** A JUnit document: a suite per file, a test case per verdict. Valid XML 1.0 whatever the details hold. */
export function toJunit(runs: readonly JunitRun[]): string {
  const all = runs.flatMap((run) => run.verdicts);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="proxy-wasm-as"${counts(all)}>`,
    ...runs.flatMap(suiteLines),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteLines(run: JunitRun): string[] {
  return [
    `  <testsuite name="${escape(run.file)}"${counts(run.verdicts)}>`,
    "    <properties>",
    `      <property name="scenario" value="${escape(run.name)}"/>`,
    `      <property name="seed" value="${run.seed}"/>`,
    `      <property name="profile" value="${escape(run.profile)}"/>`,
    `      <property name="ok" value="${isOk(run)}"/>`,
    "    </properties>",
    ...run.verdicts.flatMap((verdict) => caseLines(run, verdict)),
    "  </testsuite>",
  ];
}

function caseLines(run: JunitRun, verdict: Verdict): string[] {
  const { file } = run;
  const subject = verdict.subject === "" ? "" : ` ${verdict.subject}`;
  const expected = verdict.expected === "violated" ? " (expected: violated)" : "";
  const head = `    <testcase name="${escape(verdict.property + subject + expected)}" classname="${escape(file)}"`;
  if (verdict.ok) return [`${head}/>`];
  const at = verdict.atMs === null ? "" : ` at ${verdict.atMs} ms`;
  const message = `${verdict.property}${subject} ${verdict.holds ? "holds, expected: violated" : `is violated${at}`}`;
  const told = [verdict.detail, ...lastCalls(factsOfRun(run), verdict)].join("\n");
  return [
    `${head}>`,
    `      <failure message="${escape(message)}">${escape(told)}</failure>`,
    "    </testcase>",
  ];
}

function counts(verdicts: readonly Verdict[]): string {
  const failures = verdicts.filter((verdict) => !verdict.ok).length;
  return ` tests="${verdicts.length}" failures="${failures}" errors="0"`;
}

// What XML 1.0 cannot hold even as a reference: control characters, lone surrogates, U+FFFE and U+FFFF.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function escape(text: string): string {
  return text
    .replace(
      forbidden,
      (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
    )
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\t", "&#9;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\r", "&#13;");
}
