import { RandomDelay } from "../election/claim-delay";
import { ElectionMetrics } from "../election/metrics";
import { Preference } from "../election/preference";
import { Probation } from "../election/probation";
import { LeaderElectionTiming } from "../election/timing";
import { Handlers } from "./contexts";
import { FeatureKind, FeatureOption, Fitting, takeUp } from "./feature-options";
import { HandoverOption, linkFeatures } from "./featured-elections";

const RANK_MAX: u32 = 1000;

/** Options of `WithElectionHandover`. */
export class ElectionHandoverOptions {
  /**
   * For how long a release waits for work in flight, in ms, but never longer than the promise runs.
   * 0, the default: as long as it runs.
   */
  Timeout: i64 = 0;
}

/** Options of `WithElectionPreference`. */
export class ElectionPreferenceOptions {
  /** How this plugin's contexts are preferred, 0 most, up to 1000; `ctx.SetLeaderRank` wins. */
  Rank: i32 = 0;
}

/** Options of `WithElectionSpread`. */
export class ElectionSpreadOptions {
  /**
   * A follower's period varies: it is up to this part longer, 0 to 1. A leader's does not. Default
   * 0.
   */
  Jitter: f64 = 0;
  /** A candidate waits up to so many ms, by chance, before it claims. Default 0. */
  ClaimDelay: i64 = 0;
}

/**
 * Lets a release wait for work in flight: what `ctx.BeginLeaderWork` has begun, and calls of
 * `HttpClient` that the plugin context made and that are not answered. Leadership itself is over at
 * once. `ReleaseLeadership`, a context that is superseded, and `on_done` follow the same rule.
 * @example wrapper.WithElectionHandover<Config>({ Timeout: 5000 })
 */
export function WithElectionHandover<C>(options: ElectionHandoverOptions): Handlers<C> {
  return new FeatureHandlers<C>(new HandoverOption(options.Timeout));
}

/**
 * Gives candidates ranks. One of rank n waits 2 × n × RetryPeriod before it claims; a leader gives
 * way to a candidate of a better rank, at most once in ten leases. No other wait becomes shorter.
 * @example wrapper.WithElectionPreference<Config>({ Rank: 1 })
 */
export function WithElectionPreference<C>(options: ElectionPreferenceOptions): Handlers<C> {
  return new FeatureHandlers<C>(new PreferenceOption(options.Rank));
}

/**
 * Spreads candidates further than their random first passes do.
 * @example wrapper.WithElectionSpread<Config>({ Jitter: 0.1, ClaimDelay: 500 })
 */
export function WithElectionSpread<C>(options: ElectionSpreadOptions): Handlers<C> {
  return new FeatureHandlers<C>(new SpreadOption(options));
}

/**
 * Counts what the election does, as metrics `election.PLUGIN_NAME.…`
 * (docs/guides/operate-elections.md). They are shared by all VMs of the process.
 */
export function WithElectionMetrics<C>(): Handlers<C> {
  return new FeatureHandlers<C>(new MetricsOption());
}

/**
 * Puts every new leader on probation: it holds the lease for its whole length before it leads. So
 * two leaders are impossible even if shared data is lost, once in a lease; each change of leader
 * takes a lease longer.
 */
export function WithElectionProbation<C>(): Handlers<C> {
  return new FeatureHandlers<C>(new ProbationOption());
}

class FeatureHandlers<C> extends Handlers<C> {
  constructor(private option: FeatureOption) {
    super();
    linkFeatures();
    this.apply = (own, all, registration) => {
      takeUp(changetype<FeatureHandlers<C>>(own).option, registration);
    };
  }
}

class PreferenceOption extends FeatureOption {
  constructor(private rank: i32) {
    super(FeatureKind.Preference);
  }

  brokenRule(timing: LeaderElectionTiming): string | null {
    return <u32>this.rank > RANK_MAX ? "Rank must be 0 to 1000" : null;
  }

  fit(fitting: Fitting): void {
    const rank = fitting.rank > 0 ? fitting.rank - 1 : this.rank;
    fitting.elector.rank = rank;
    fitting.elector.add(new Preference());
  }
}

class SpreadOption extends FeatureOption {
  constructor(private options: ElectionSpreadOptions) {
    super(FeatureKind.Spread);
  }

  brokenRule(timing: LeaderElectionTiming): string | null {
    // Not a number fails both.
    if (!(this.options.Jitter >= 0 && this.options.Jitter <= 1)) return "Jitter must be 0 to 1";
    if (<u64>this.options.ClaimDelay <= <u64>timing.LeaseDuration) return null;
    return "ClaimDelay must be 0 to LeaseDuration";
  }

  fit(fitting: Fitting): void {
    fitting.elector.jitter = this.options.Jitter;
    if (this.options.ClaimDelay > 0) fitting.elector.add(new RandomDelay(this.options.ClaimDelay));
  }
}

class MetricsOption extends FeatureOption {
  constructor() {
    super(FeatureKind.Metrics);
  }

  fit(fitting: Fitting): void {
    fitting.elector.add(new ElectionMetrics("election." + fitting.name + "."));
  }
}

class ProbationOption extends FeatureOption {
  constructor() {
    super(FeatureKind.Probation);
  }

  fit(fitting: Fitting): void {
    fitting.elector.add(new Probation());
  }
}
