/** Realistic traces for reports: what the scenarios of the same names record. */
import {
  factsOf,
  judge,
  type CheckSpec,
  type Verdict,
} from "../../../host-mock/properties/index.ts";
import type { JudgedRun } from "../../../host-mock/report/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";

const plugin = "metrics-reporter";

type Expected = Verdict["expected"];

export function judged(
  name: string,
  trace: TraceBuilder,
  checks: readonly (readonly [CheckSpec, Expected?])[],
): JudgedRun {
  const witnesses = { [plugin]: "log" } as const;
  const facts = factsOf(trace.events, { durationNs: trace.nowNs, witnesses });
  const verdict = (check: CheckSpec, expected: Expected, implied: boolean): Verdict => {
    const judgement = judge(check, facts);
    const subject =
      "plugin" in check ? (check.plugin ?? "") : "cluster" in check ? check.cluster : "";
    const ok = judgement.holds === (expected === "holds");
    return { property: check.check, subject, expected, implied, ok, ...judgement };
  };
  const verdicts = [
    ...checks.map(([check, expected]) => verdict(check, expected ?? "holds", false)),
    ...(["no_trap", "starts", "events_applied", "declared_clusters"] as const).map((check) =>
      verdict(
        check === "no_trap" || check === "starts" ? { check, plugin } : { check },
        "holds",
        true,
      ),
    ),
  ];
  return {
    name,
    seed: 1,
    profile: "envoy",
    durationNs: trace.nowNs,
    events: trace.events,
    verdicts,
    witnesses,
    facts,
  };
}

const election = (boundNs: number): readonly (readonly [CheckSpec, Expected?])[] => [
  [{ check: "single_winner", plugin }],
  [{ check: "terms_grow", plugin }],
  [{ check: "leader_within", plugin, boundNs }],
  [{ check: "no_stale_effect", cluster: "collector", header: "x-leader-term" }],
  [{ check: "calls", cluster: "collector", at_least: 5 }],
];

export function day17(): JudgedRun {
  const trace = new TraceBuilder().start("main", "worker_0");
  for (let second = 2; second < 10; second += 3) {
    trace.at(`${second}s`);
    if (second === 2) trace.claim("main", 1_767_225_602_000n, "57s");
    else trace.renew("main", 1_767_225_602_000n, "57s");
    trace.call("main", { term: "1767225602000" });
  }
  trace.at("10s").crash("main");
  for (let second = 68.5; second < 90; second += 3) {
    trace.at(`${second}s`);
    if (second === 68.5) trace.claim("worker_0", 1_767_225_668_500n, "57s");
    else trace.renew("worker_0", 1_767_225_668_500n, "57s");
    trace.call("worker_0", { term: "1767225668500" });
  }
  return judged("day17", trace.end("90s", { host_calls: 142 }), election(63e9));
}

export function staleLeader(): JudgedRun {
  const trace = new TraceBuilder().start("main", "worker_0", "worker_1");
  const first = 1_767_225_600_400n;
  const second = 1_767_225_615_700n;
  for (let tick = 0.4; tick < 10; tick += 1) {
    trace.at(`${tick.toFixed(1)}s`);
    if (tick < 1) trace.claim("worker_1", first, "4750ms");
    else trace.renew("worker_1", first, "4750ms");
    trace.call("worker_1", { term: String(first) });
  }
  trace
    .at("10s")
    .fault(
      "delay_calls",
      { cluster: "collector", thread: "worker_1", by: "8s", for: "1s" },
      "applied",
      "worker_1",
    );
  trace
    .at("10400ms")
    .renew("worker_1", first, "4750ms")
    .call("worker_1", { term: String(first), held: "8s", refused: true });
  trace.at("11s").pause("worker_1", "10s");
  for (let tick = 15.7; tick < 30; tick += 1) {
    trace.at(`${tick.toFixed(1)}s`);
    if (tick < 16) trace.claim("main", second, "4750ms");
    else trace.renew("main", second, "4750ms");
    trace.call("main", { term: String(second) });
    if (tick > 20.5 && tick < 21) trace.at("21s").stop("worker_1", first, "expired");
  }
  return judged("stale-leader", trace.end("30s", { host_calls: 312 }), election(7e9));
}

export function wipe(): JudgedRun {
  const trace = new TraceBuilder().start("main", "worker_0", "worker_1");
  const term = 1_767_225_601_200n;
  const next = 1_767_225_621_000n;
  trace.at("1ms").pause("worker_0", "4s").pause("worker_1", "4s");
  for (const tick of [1.2, 4.2, 7.2, 10.2, 13.2, 16.2, 19.2]) {
    trace.at(`${tick}s`);
    if (tick < 2) trace.claim("main", term, "14250ms");
    else trace.renew("main", term, "14250ms");
    if (tick < 17) trace.call("main", { term: String(term) });
    else trace.call("main", { term: String(term), held: "9s", refused: true });
  }
  trace
    .at("20s")
    .pause("main", "4s")
    .fault("wipe", { vm_id: "" })
    .crash("worker_0")
    .restart("worker_0");
  for (const tick of [21, 24, 27, 30, 33]) {
    trace.at(`${tick}s`);
    if (tick === 21) trace.claim("worker_0", next, "14250ms");
    else trace.renew("worker_0", next, "14250ms");
    trace.call("worker_0", { term: String(next) });
    if (tick === 24)
      trace.log("main", "info", "the lease is another's").stop("main", term, "replaced");
  }
  const checks = election(18e9).map(
    ([check]) => [check, check.check === "single_winner" ? "violated" : "holds"] as const,
  );
  return judged("wipe", trace.end("35s", { host_calls: 411 }), checks);
}

/** An hour of a hundred and one VMs, a crash every 30 s and the leader's every 90 s. */
export function hundredVms(): JudgedRun {
  const threads = ["main", ...Array.from({ length: 100 }, (_, index) => `worker_${index}`)];
  const trace = new TraceBuilder().start(...threads);
  let draw = 12_345;
  const random = (below: number): number => {
    draw = (draw * 1_103_515_245 + 12_345) % 2_147_483_648;
    return draw % below;
  };
  let leader: string | null = null;
  let term = 1_767_225_600_000n;
  let vacantUntil = 2;
  const dead = new Map<string, number>();
  trace
    .at("10s")
    .fault("chaos", { until: "58m", crash_every: "30s", restart_after: "5s", threads: "all" });
  trace.fault("chaos", {
    until: "58m",
    crash_every: "90s",
    restart_after: "5s",
    leader_of: plugin,
  });
  for (let second = 11; second < 3600; second++) {
    trace.at(`${second}s`);
    for (const [thread, due] of dead) {
      if (due > second) continue;
      dead.delete(thread);
      trace.restart(thread);
    }
    const victim: string | null =
      second % 90 === 0 ? leader : second % 30 === 0 ? (threads[random(101)] ?? "main") : null;
    if (victim !== null && !dead.has(victim) && second < 3480) {
      trace.crash(victim);
      dead.set(victim, second + 5);
      if (victim === leader) {
        leader = null;
        vacantUntil = second + 13 + random(4);
      }
    }
    if (leader === null && second >= vacantUntil) {
      leader = threads[random(101)] ?? "main";
      while (dead.has(leader)) leader = threads[random(101)] ?? "main";
      term = 1_767_225_600_000n + BigInt(second) * 1000n;
      trace.claim(leader, term, "14250ms").call(leader, { term: String(term) });
    } else if (leader !== null && second % 3 === 0) {
      trace.renew(leader, term, "14250ms").call(leader, { term: String(term) });
    }
  }
  return judged("hundred-vms", trace.end("1h", { host_calls: 1_034_512 }), election(18e9));
}

/** No leader where one was due, an event that did not happen, a call to nobody, a trap. */
export function broken(): JudgedRun {
  const trace = new TraceBuilder().start("main", "worker_0");
  trace.at("1s").claim("main", 7, "14s").call("main", { term: 7 });
  trace.at("4s").trap("main", "proxy_on_tick", "unreachable executed");
  trace.at("6s").fault("crash", { leader_of: plugin }, "not_applied", "", `nobody leads ${plugin}`);
  trace.at("7s").log("worker_0", "warn", "lease is corrupt,\u001b[31m waiting");
  trace.at("25s").claim("worker_0", 5, "14s").call("worker_0", { term: 5 }).call("worker_0");
  trace
    .at("26s")
    .record(trace.subject("worker_0"), "timer", "undeclared_cluster", { cluster: "colector" });
  return judged("broken", trace.end("30s", { host_calls: 20 }), election(18e9));
}
