import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { Thread } from "../envoy/thread.ts";
import { MockHostError } from "../errors.ts";
import { Random } from "../random.ts";
import { parseDuration } from "../time/duration.ts";
import type { TraceArgs } from "../trace/event.ts";
import type { ChaosSpec } from "./spec.ts";
import { duration, leaderThread } from "./target.ts";

/**
 * From now to `until`, at gaps drawn from 0.5 … 1.5 × `crash_every`, one living thread crashes and restarts
 * `restart_after` later. A draw that finds nobody (no leader, no living thread) is skipped and counted.
 */
export function chaos(envoy: MockEnvoy, fault: ChaosSpec): boolean {
  const run = new Chaos(envoy, fault);
  envoy.note("chaos", run.args, { status: "applied" });
  run.bookNext();
  return true;
}

/** How many chaos events of a name a run has had: equal ones of one instant draw apart by their number. */
const seen = new WeakMap<MockEnvoy, Map<string, number>>();

function streamName(envoy: MockEnvoy, args: TraceArgs): string[] {
  const name = [String(envoy.nowNs), JSON.stringify(args)];
  const counts = seen.get(envoy) ?? new Map<string, number>();
  seen.set(envoy, counts);
  const key = JSON.stringify(name);
  const earlier = counts.get(key) ?? 0;
  counts.set(key, earlier + 1);
  return earlier === 0 ? name : [...name, String(earlier)];
}

class Chaos {
  readonly args: TraceArgs;
  readonly #envoy: MockEnvoy;
  readonly #random: Random;
  readonly #untilNs: number;
  readonly #everyNs: number;
  readonly #restartNs: number;
  readonly #threads: readonly Thread[];
  readonly #leaderOf: string | undefined;
  #skippedCount = 0;

  constructor(envoy: MockEnvoy, fault: ChaosSpec) {
    const { threads = "all" } = fault;
    this.#envoy = envoy;
    this.#untilNs = parseDuration(fault.until, "chaos: until");
    this.#everyNs = parseDuration(fault.crash_every, "chaos: crash_every");
    this.#restartNs = parseDuration(fault.restart_after, "chaos: restart_after");
    if (this.#everyNs === 0) {
      throw new MockHostError("E_OPTION", "chaos: crash_every is 0", {
        remedy: "give a duration above 0",
      });
    }
    const shown: TraceArgs =
      typeof threads === "object" && "leader_of" in threads
        ? { leader_of: threads.leader_of }
        : { threads };
    this.args = {
      until: duration(fault.until),
      crash_every: duration(fault.crash_every),
      restart_after: duration(fault.restart_after),
      ...shown,
    };
    this.#random = new Random(envoy.seed, "chaos", ...streamName(envoy, this.args));
    if (typeof threads === "object" && "leader_of" in threads) {
      this.#leaderOf = threads.leader_of;
      this.#threads = [];
      envoy.election(threads.leader_of);
    } else {
      this.#threads = threads === "all" ? envoy.threads : threads.map((name) => envoy.thread(name));
    }
  }

  bookNext(): void {
    const gapNs = Math.round((0.5 + this.#random.unit()) * this.#everyNs);
    const atNs = this.#envoy.nowNs + Math.max(gapNs, 1);
    if (atNs > this.#untilNs) return;
    this.#envoy.at(`${atNs}ns`, () => {
      this.#strike();
      this.bookNext();
    });
  }

  #strike(): void {
    const struck = this.#draw();
    if (struck === null) {
      this.#skippedCount++;
      const result =
        this.#leaderOf === undefined ? "no thread lives" : `nobody leads ${this.#leaderOf}`;
      this.#envoy.note(
        "chaos",
        { ...this.args, skipped: this.#skippedCount },
        { status: "skipped", result },
      );
      return;
    }
    const args = { thread: struck.name, by: "chaos" };
    struck.crash(args);
    this.#envoy.at(`${this.#envoy.nowNs + this.#restartNs}ns`, () => {
      if (!struck.alive) struck.restart(args);
    });
  }

  #draw(): Thread | null {
    if (this.#leaderOf !== undefined) {
      const thread = leaderThread(this.#envoy, this.#leaderOf);
      return thread?.alive === true ? thread : null;
    }
    const living = this.#threads.filter((thread) => thread.alive && thread.isUp);
    return living[this.#random.below(living.length)] ?? null;
  }
}
