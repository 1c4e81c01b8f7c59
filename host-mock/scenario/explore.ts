import { createHash } from "node:crypto";
import { MockHostError } from "../errors.ts";
import { resolvePlugins } from "../envoy/resolved.ts";
import { unixSeconds } from "../envoy/instant.ts";
import { asyncify } from "../module/asyncify.ts";
import { loadModule } from "../module/load.ts";
import { profileByName, type Profile } from "../profiles/index.ts";
import type { SearchResult } from "../schedule/result.ts";
import { searchShard, type Shard } from "../schedule/shards.ts";
import { runStrategy, strategies, type StrategyOptions } from "../schedule/strategies.ts";
import { TooManyKeys } from "../stepping/key-table.ts";
import { propertyNames, type StateProperty } from "../stepping/judge.ts";
import type { ReceiverOptions } from "../stepping/receivers.ts";
import { suspensionPoints } from "../stepping/stepped-plugin.ts";
import { SteppedWorld, type SteppedFleet } from "../stepping/stepped-world.ts";
import type { Scenario } from "./load.ts";
import { pluginOptions } from "./plugin-options.ts";
import { explore as exploreSchema, type ExploreBlock } from "./schema/explore.ts";

/** What stands in place of the file's own words, and how to search. */
export interface ExploreOptions {
  readonly profile?: string;
  /** Bounds and strategy, field by field over the file's `explore:`. */
  readonly bounds?: Partial<ExploreBlock>;
  readonly shard?: Shard;
  /** Options of the strategy beside those of the file. */
  readonly search?: StrategyOptions;
  /** Whether VMs that are alike are taken for one another; default true, for the exhaustive strategy. */
  readonly symmetry?: boolean;
  /** Judged beside what the file names. */
  readonly properties?: readonly StateProperty[];
  /** Told before work of more than some seconds; by default the line goes to stderr. */
  readonly announce?: (line: string) => void;
}

/** A search and what it was. */
export interface ExploreRun {
  readonly file: string;
  readonly name: string;
  readonly profile: string;
  readonly bounds: ExploreBlock;
  /** Names of the VMs. */
  readonly vms: readonly string[];
  /** What was judged, and which of it the file expects to be violated. */
  readonly judged: readonly string[];
  readonly expected: readonly string[];
  readonly search: SearchResult;
  /** Every verdict is as expected; false also when the search was cut off before it could tell. */
  readonly ok: boolean;
}

const stateProperties: ReadonlySet<string> = new Set(propertyNames);

/**
 * Runs a scenario's VMs under every schedule within the bounds of its `explore:` block, or under some by another
 * strategy. Its events and its duration have no part in it; of its checks those that can be told of a state are judged.
 *
 *     const { ok, search } = exploreScenario(loadScenario("scenarios/race.yaml"), { bounds: { ticks: 3 } });
 */
export function exploreScenario(scenario: Scenario, options: ExploreOptions = {}): ExploreRun {
  const prepared = prepareExploration(scenario, options);
  const { bounds, judged, expected } = prepared;
  const search = withRoomForKeys((keyCountMax) => searched(prepared, keyCountMax, options));
  const isSeen = search.complete || search.violation !== null;
  const wrong = Object.keys(search.violations).filter((name) => search.violations[name]! > 0);
  const isExpected =
    expected.length === 0
      ? wrong.length === 0 && search.missed.length === 0
      : expected.every((name) => wrong.includes(name)) &&
        wrong.every((name) => expected.includes(name));
  return {
    file: scenario.file,
    name: scenario.frame.name,
    profile: prepared.profile.name,
    bounds,
    vms: prepared.fleets.flatMap(({ names }) => names),
    judged,
    expected,
    search,
    ok: isExpected && (isSeen || !strategies[bounds.strategy].isWhole),
  };
}

/** A scenario's VMs as a world to be searched, replayed or compared. */
export function exploredWorld(scenario: Scenario, options: ExploreOptions = {}): SteppedWorld {
  const prepared = prepareExploration(scenario, options);
  return withRoomForKeys((keyCountMax) => worldOf(prepared, keyCountMax, options));
}

interface Prepared {
  readonly scenario: Scenario;
  readonly bounds: ExploreBlock;
  readonly profile: Profile;
  readonly fleets: readonly SteppedFleet[];
  readonly receivers: readonly ReceiverOptions[];
  readonly judged: readonly string[];
  readonly expected: readonly string[];
}

function prepareExploration(scenario: Scenario, options: ExploreOptions): Prepared {
  const { frame } = scenario;
  const profile = profileByName(options.profile ?? frame.profile);
  const given = { ...(frame.explore ?? exploreSchema.parse({})), ...options.bounds };
  const checks = frame.properties.filter(({ check }) => stateProperties.has(check));
  const names = [...new Set(checks.map(({ check }) => check as string))];
  const isFenced = Object.keys(frame.clusters).length > 0;
  const usual = propertyNames.filter((name) => name !== "no_stale_effect" || isFenced);
  return {
    scenario,
    bounds: given,
    profile,
    fleets: fleetsOf(scenario, given, profile, options.announce),
    receivers: receiversOf(scenario),
    judged: [
      ...(names.length === 0 ? usual.filter((name) => name !== "no_foreign_write") : names),
      ...(options.properties ?? []).map(({ name }) => name),
    ],
    expected: checks.filter(({ expect }) => expect === "violated").map(({ check }) => check),
  };
}

function worldOf(
  { scenario, bounds, profile, fleets, receivers, judged }: Prepared,
  keyCountMax: number,
  options: ExploreOptions,
): SteppedWorld {
  const { frame } = scenario;
  const [, seconds = "", fraction = ""] = /^(.*?)(\.\d+)?Z$/.exec(frame.start) ?? [];
  const fractionNs = BigInt(fraction.slice(1).padEnd(9, "0"));
  return new SteppedWorld({
    fleets,
    profile,
    rules: profile.sharedData,
    receivers,
    ticks: bounds.ticks,
    faults: {
      time: bounds.time_steps,
      crash: bounds.crashes,
      wipe: bounds.wipes,
      refuse: bounds.refusals,
      corrupt: bounds.corruptions,
    },
    timeStepMs: bounds.time_step / 1e6,
    startWallNs: BigInt(unixSeconds(seconds)) * 1_000_000_000n + fractionNs,
    keyCountMax,
    hasCanary: bounds.canary,
    properties: judged,
    ...(options.properties === undefined ? {} : { ownProperties: options.properties }),
  });
}

/** A state has as many slots for keys as are needed: few, since millions of states have them. */
function withRoomForKeys<T>(work: (keyCountMax: number) => T): T {
  for (let keyCountMax = 4; ; keyCountMax *= 2) {
    try {
      return work(keyCountMax);
    } catch (error) {
      if (!(error instanceof TooManyKeys) || keyCountMax >= keySlotsMax) throw error;
    }
  }
}

const keySlotsMax = 32;
/** Of a search's states; the VMs' own states come on top. */
const stateBytesMax = 8_000_000_000;

function searched(prepared: Prepared, keyCountMax: number, options: ExploreOptions): SearchResult {
  const { bounds } = prepared;
  const world = worldOf(prepared, keyCountMax, options);
  const isExhaustive = bounds.strategy === "exhaustive";
  const reductions: StrategyOptions =
    isExhaustive && options.search?.merging !== false
      ? {
          symmetry: options.symmetry ?? true,
          maxStates: bounds.max_states,
          maxBytes: stateBytesMax,
          ...(bounds.preemptions === "none" ? {} : withPreemptions(world, bounds.preemptions)),
        }
      : {};
  const search = { ...reductions, ...options.search };
  if (options.shard === undefined) return runStrategy(world, bounds.strategy, search);
  if (!isExhaustive) {
    throw new MockHostError("E_OPTION", `the strategy ${bounds.strategy} cannot be split`, {
      remedy: "give each machine a seed of its own instead",
    });
  }
  return searchShard(world, options.shard, fingerprint(prepared), search);
}

/** Leaving a VM between two ticks is none. */
function withPreemptions(world: SteppedWorld, preemptions: number): StrategyOptions {
  return {
    preemptions,
    isMidway: (state, at, agent) => world.localAt(state, at, agent)?.kind === "calling",
  };
}

/** What is searched, as text: modules, configurations, bounds. */
function fingerprint({ scenario, bounds, profile, fleets, judged }: Prepared): string {
  const hash = createHash("sha256");
  const plugins = fleets.map(({ plugin, names }) => [
    ...[plugin.name, plugin.module.hash, plugin.witness, names],
    Buffer.from(plugin.configuration).toString("hex"),
  ]);
  const { clusters, start } = scenario.frame;
  const searchedFor = [plugins, bounds, profile.name, judged, Object.keys(clusters), start];
  return hash.update(JSON.stringify(searchedFor)).digest("hex").slice(0, 16);
}

function fleetsOf(
  scenario: Scenario,
  bounds: ExploreBlock,
  profile: Profile,
  announce: ExploreOptions["announce"],
): SteppedFleet[] {
  const { frame } = scenario;
  for (const name of Object.keys(bounds.vms)) requirePlugin(scenario, name);
  const plugins = resolvePlugins(
    frame.plugins.map((plugin, index) => pluginOptions(plugin, scenario.modules[index]!)),
  );
  const threads = ["main", ...Array.from({ length: frame.concurrency }, (_, i) => `worker_${i}`)];
  return plugins.map((plugin, index) => {
    const count = bounds.vms[plugin.name] ?? threads.length;
    const names = Array.from({ length: count }, (_, at) => threads[at] ?? `worker_${at - 1}`);
    const path = scenario.modulePaths[index]!;
    const loaded = loadModule(scenario.modules[index]!, profile, plugin.name, path);
    const told = announce === undefined ? {} : { announce };
    return {
      plugin: {
        ...plugin,
        module: asyncify(loaded, { imports: suspensionPoints, ...told }),
      },
      names: plugins.length === 1 ? names : names.map((name) => `${word(plugin.name)}@${name}`),
    };
  });
}

/** Words of a schedule have no spaces, commas or asterisks. */
function word(name: string): string {
  return name.replace(/[\s,*:@]/g, "_");
}

function requirePlugin({ frame, source }: Scenario, name: string): void {
  if (frame.plugins.some((plugin) => plugin.name === name)) return;
  throw new MockHostError("E_SCENARIO", `there is no plugin ${JSON.stringify(name)}`, {
    place: source.place(["explore", "vms"]),
    remedy: `there are ${frame.plugins.map((plugin) => plugin.name).join(", ")}`,
  });
}

/** Every HTTP cluster; the headers of its fence, else those that the SDK's documentation names. */
function receiversOf({ frame }: Scenario): ReceiverOptions[] {
  return Object.entries(frame.clusters).map(([cluster, entry]) => {
    const fence = "fence" in entry ? entry.fence : undefined;
    return {
      cluster,
      header: fence?.header ?? "x-leader-term",
      idHeader: fence === undefined ? "x-leader-id" : fence.id_header,
      hasFence: fence !== undefined,
    };
  });
}
