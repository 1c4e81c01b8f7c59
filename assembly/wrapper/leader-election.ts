import { Elector } from "../election/elector";
import { touchFences } from "../election/fencing";
import { ElectionListener } from "../election/listener";
import { ensureKeys } from "../election/wasm-go";
import { ElectionSettings } from "./election-settings";
import { Handlers, PluginContext } from "./contexts";
import { linkElections } from "./electing-root";
import { PluginRoot } from "./plugin-root";

/**
 * How a plugin takes part in elections. Every field has a default; write the ones that matter:
 * `{ LeaseDuration: 15000, OnStartedLeading: (ctx, config, term) => { … } }`. Durations are in ms.
 */
export class LeaderElectionOptions<C> extends ElectionSettings {
  /** Leadership has begun, with this term. */
  OnStartedLeading: ((ctx: PluginContext<C>, config: C, term: i64) => void) | null = null;
  /**
   * Leadership is over; exactly once for each `OnStartedLeading`. A promise that ran out is
   * reported at the next pass, while `IsLeader` is false from that instant on.
   */
  OnStoppedLeading: ((ctx: PluginContext<C>, config: C, reason: string) => void) | null = null;
  /** The id of the leader changed; "" when there is none any more. */
  OnNewLeader: ((ctx: PluginContext<C>, config: C, id: string) => void) | null = null;
}

class ContextListener<C> extends ElectionListener {
  constructor(
    private ctx: PluginContext<C>,
    private options: LeaderElectionOptions<C>,
  ) {
    super();
  }

  started(term: i64): void {
    const f = this.options.OnStartedLeading;
    if (f !== null) f(this.ctx, this.ctx.config, term);
  }

  stopped(reason: string): void {
    const f = this.options.OnStoppedLeading;
    if (f !== null) f(this.ctx, this.ctx.config, reason);
  }

  newLeader(id: string): void {
    const f = this.options.OnNewLeader;
    if (f !== null) f(this.ctx, this.ctx.config, id);
  }
}

/**
 * Makes the plugin a candidate in the election of its VMs. Unless `RetryPeriod` is −1 the election
 * ticks by itself; the plugin only asks `ctx.IsLeader()`. Options that break a rule
 * (docs/reference/leader-election.md) refuse every configuration.
 * @example wrapper.WithLeaderElection<Config>({ LeaseDuration: 15000 })
 */
export function WithLeaderElection<C>(options: LeaderElectionOptions<C>): Handlers<C> {
  options.listener = (root: PluginRoot): ElectionListener => {
    const ctx = changetype<PluginContext<C>>(root);
    return new ContextListener<C>(ctx, changetype<LeaderElectionOptions<C>>(ctx.settings));
  };
  options.prepare = prepareElector;
  linkElections();
  const option = new Handlers<C>();
  option.election = options;
  option.apply = (own, all, registration) => {
    all.election = own.election;
  };
  return option;
}

/** What only these options can ask of an elector: a plugin without them does not carry it. */
function prepareElector(elector: Elector, settings: ElectionSettings): void {
  elector.releases = settings.ReleaseOnCancel;
  elector.fenceKeys = settings.FenceKeys;
  if (settings.FenceKeys.length > 0) elector.touch = touchFences;
  if (settings.WasmGoKey) ensureKeys(elector);
}
