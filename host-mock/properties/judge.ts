import type { Leadership } from "../trace/leadership.ts";
import { callbacksPaired } from "./callbacks-paired.ts";
import { callCount } from "./calls.ts";
import { both } from "./combinators.ts";
import { declaredClusters } from "./declared-clusters.ts";
import { eventsApplied } from "./events-applied.ts";
import { expectedConnection, expectedStatus, type ExpectedConnection } from "./expect.ts";
import type { RunFacts } from "./facts.ts";
import { idleStretches } from "./idle-stretches.ts";
import { leaderWithin } from "./leader-within.ts";
import { logCount } from "./log.ts";
import { noForeignWrite } from "./no-foreign-write.ts";
import { noStaleEffect } from "./no-stale-effect.ts";
import { noTrap } from "./no-trap.ts";
import type { Judgement } from "./property.ts";
import { singleWinner } from "./single-winner.ts";
import { somebodyLed } from "./somebody-led.ts";
import { starts } from "./starts.ts";
import { termsGrow } from "./terms-grow.ts";
import { trapCount } from "./traps.ts";

interface CountBounds {
  readonly at_least?: number | undefined;
  readonly at_most?: number | undefined;
}

/** One check, with the keys of a scenario file; durations in nanoseconds. */
export type CheckSpec =
  | {
      readonly check:
        "single_winner" | "terms_grow" | "somebody_led" | "callbacks_paired" | "no_foreign_write";
      readonly plugin: string;
    }
  | {
      readonly check: "leader_within";
      readonly plugin: string;
      readonly boundNs: number;
      /** What was before does not count; default 0. */
      readonly fromNs?: number;
    }
  | { readonly check: "no_stale_effect"; readonly cluster: string; readonly header: string }
  | ({ readonly check: "calls"; readonly cluster: string } & CountBounds)
  | ({ readonly check: "traps"; readonly plugin: string } & CountBounds)
  | ({
      readonly check: "log";
      readonly plugin: string;
      readonly matches: RegExp | string;
    } & CountBounds)
  /** Without a plugin: of all. */
  | { readonly check: "no_trap" | "starts"; readonly plugin?: string | undefined }
  | { readonly check: "events_applied" | "declared_clusters" }
  /** The client of that request saw that status; `request` is the exchange's id. */
  | { readonly check: "expect"; readonly request: number; readonly status: number }
  /** The client of that connection got these bytes by the end of the run, and Envoy had closed it or not. */
  | ({ readonly check: "expect"; readonly connection: number } & ExpectedConnection);

export type CheckName = CheckSpec["check"];

/** What one check says of one run. */
export function judge(check: CheckSpec, run: RunFacts): Judgement {
  switch (check.check) {
    case "single_winner":
      return singleWinner(leadershipsOf(run, check.plugin));
    case "terms_grow":
      return termsGrow(leadershipsOf(run, check.plugin));
    case "somebody_led":
      return somebodyLed(leadershipsOf(run, check.plugin));
    case "callbacks_paired":
      return callbacksPaired(run.turns.get(check.plugin) ?? []);
    case "no_foreign_write":
      return noForeignWrite(run, check.plugin);
    case "leader_within":
      return leaderWithin(leadershipsOf(run, check.plugin), {
        boundNs: check.boundNs,
        fromNs: check.fromNs ?? 0,
        endNs: run.durationNs,
        idle: idleStretches(run.life, {
          plugin: check.plugin,
          endNs: run.durationNs,
          drainingMayClaim: run.witnesses[check.plugin] === "lease",
        }),
      });
    case "no_stale_effect":
      return noStaleEffect(run.calls, check);
    case "calls":
      return callCount(run.calls, check.cluster, boundsOf(check));
    case "traps":
      return trapCount(run.traps, check.plugin, boundsOf(check));
    case "log":
      return logCount(run.logs, {
        plugin: check.plugin,
        matches: check.matches,
        ...boundsOf(check),
      });
    case "no_trap":
      return noTrap(run.traps, check.plugin);
    case "starts":
      return both(...pluginsOf(run, check.plugin).map((plugin) => starts(run, plugin)));
    case "events_applied":
      return eventsApplied(run.faults);
    case "declared_clusters":
      return declaredClusters(run.undeclared);
    case "expect":
      if ("connection" in check) {
        const found = run.connections.find(({ connection }) => connection === check.connection);
        return expectedConnection(found, check);
      }
      return expectedStatus(
        run.exchanges.find((exchange) => exchange.request === check.request),
        check.status,
      );
  }
}

function leadershipsOf(run: RunFacts, plugin: string): readonly Leadership[] {
  return run.leaderships.get(plugin) ?? [];
}

function pluginsOf(run: RunFacts, plugin: string | undefined): readonly string[] {
  return plugin === undefined ? Object.keys(run.witnesses) : [plugin];
}

function boundsOf(check: CountBounds): { atLeast: number | undefined; atMost: number | undefined } {
  return { atLeast: check.at_least, atMost: check.at_most };
}
