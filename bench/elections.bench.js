// Elections of many VMs in virtual time, and what judging them costs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { factsOf, judge, MockEnvoy } from "../dist/index.js";
import { alternate, median, root, speedOf } from "./measure.js";

const plugin = "metrics-reporter";
const wasm = new Uint8Array(
  readFileSync(join(root, "examples/metrics-reporter/build/metrics-reporter.wasm")),
);
const answer = { status: 204, delay: "5ms" };
const fence = { header: "x-leader-term", idHeader: "x-leader-id", refuse: 409 };

function make(concurrency, logLevel = "debug") {
  const plugins = [{ name: plugin, wasm, configuration: { collector: "collector" } }];
  const clusters = { collector: { ...answer, fence } };
  return new MockEnvoy({ concurrency, plugins, clusters, logLevel });
}

/** The checks of a scenario file. */
function judged(envoy, durationNs) {
  const facts = factsOf(envoy.trace, { durationNs, witnesses: envoy.witnesses });
  const checks = [
    { check: "single_winner", plugin },
    { check: "terms_grow", plugin },
    { check: "leader_within", plugin, boundNs: 18e9 },
    { check: "no_stale_effect", cluster: "collector", header: fence.header },
    { check: "no_trap", plugin },
    { check: "starts", plugin },
    { check: "events_applied" },
  ];
  for (const check of checks) {
    const { holds, detail } = judge(check, facts);
    if (!holds) throw new Error(`${check.check}: ${detail}`);
  }
}

/** A leader dies each minute; its thread is back ten seconds later. */
function run(vmCount, seconds) {
  globalThis.gc();
  const began = performance.now();
  const envoy = make(vmCount - 1);
  for (let at = 60; at < seconds; at += 60) {
    envoy.at(`${at}s`, () => {
      const leader = envoy.leader(plugin);
      if (leader === null) return;
      const thread = envoy.thread(leader.thread);
      thread.crash();
      envoy.at(`${at + 10}s`, () => thread.restart());
    });
  }
  envoy.advance(`${seconds}s`);
  const ran = performance.now();
  envoy.end();
  judged(envoy, seconds * 1e9);
  const done = performance.now();
  const [took, judging] = [(done - began) / 1000, (done - ran) / 1000];
  const span = seconds >= 3600 ? `${seconds / 3600} h` : `${seconds / 60} min`;
  return { span, took, judging, count: envoy.election(plugin).history.length };
}

for (const [vmCount, seconds, aim] of [
  [1000, 3600, " (aim 60 s)"],
  [10_000, 60, ""],
]) {
  const { span, took, judging, count } = run(vmCount, seconds);
  console.log(
    `${vmCount} VMs × ${span} of election: ${took.toFixed(1)} s${aim}, of them ${judging.toFixed(1)} s of judging; ${count} leaderships`,
  );
}

const hours = 1;

/** Nanoseconds a tick of an hour. Of two VMs every other tick is a renewal. */
function ticking(vmCount, logLevel, isJudged) {
  const envoy = make(vmCount - 1, logLevel).start();
  const began = performance.now();
  envoy.advance(`${hours}h`);
  if (isJudged) {
    envoy.end();
    judged(envoy, hours * 3600e9);
  }
  return ((performance.now() - began) / (vmCount * hours * (3600 / 3))) * 1e6;
}

// The witness lines are debug lines: without them nobody can judge, and the elector does not write them.
for (const vmCount of [9, 2]) {
  const kinds = {
    "oracle off": () => ticking(vmCount, "info", false),
    "oracle on": () => ticking(vmCount, "debug", true),
  };
  const times = alternate(kinds, 9);
  for (const kind of Object.keys(kinds)) {
    const ns = median(times[kind]).toFixed(0).padStart(6);
    const ratio = speedOf(times, kind, "oracle off").toFixed(2);
    const aim = kind === "oracle on" ? " (aim 0.5)" : "";
    console.log(
      `${kind.padEnd(10)} ${ns} ns a tick of ${vmCount} VMs, ${ratio} of the speed${aim}`,
    );
  }
}
