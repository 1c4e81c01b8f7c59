import { randomBelow } from "../election/chance";
import { Elector } from "../election/elector";
import { FeaturedElector, NEVER } from "../election/feature";
import { ElectionListener } from "../election/listener";
import { LeaderElectionTiming } from "../election/timing";
import { ElectionExtension, setElectionExtension } from "./election-extension";
import { FeatureKind, FeatureOption, firstOption, Fitting, nextOption } from "./feature-options";
import { takeUpForAll } from "./feature-options";
import { Handover, HandoverTick, watchAnswers } from "./handover";
import { PluginRoot } from "./plugin-root";
import { Tick, TickingRoot } from "./ticks";

/** Elections whose electors have what the options of their plugin ask for. */
class FeaturedElections extends ElectionExtension {
  brokenRule(root: PluginRoot, timing: LeaderElectionTiming): string | null {
    let option = firstOption(root.registration);
    while (option !== null) {
      const broken = option.brokenRule(timing);
      if (broken !== null) return broken;
      option = nextOption(option, root.registration);
    }
    return null;
  }

  makeElector(
    root: PluginRoot,
    key: string,
    timing: LeaderElectionTiming,
    isWasmGo: bool,
    listener: ElectionListener,
  ): Elector {
    return new FeaturedElector(key, timing, isWasmGo, listener);
  }

  makeTick(ordinary: Tick, elector: Elector): Tick {
    return new FeaturedTick(ordinary, changetype<FeaturedElector>(elector));
  }

  complete(root: TickingRoot, elector: Elector, name: string, rank: i32): Object | null {
    const fitting = new Fitting(root, changetype<FeaturedElector>(elector), name, rank);
    let option = firstOption(root.registration);
    while (option !== null) {
      option.fit(fitting);
      option = nextOption(option, root.registration);
    }
    return fitting.handover;
  }

  end(elector: Elector): bool {
    return changetype<FeaturedElector>(elector).end();
  }
}

/** The elector's tick: somewhat late where that is asked for, early for a claim that waits. */
class FeaturedTick extends Tick {
  constructor(
    private ordinary: Tick,
    private elector: FeaturedElector,
  ) {
    super();
  }

  run(): void {
    const elector = this.elector;
    elector.claimDueNs = NEVER;
    this.ordinary.run();
    // A leader's renewals stay punctual.
    const jitterNs = <i64>(elector.jitter * <f64>this.periodNs);
    if (jitterNs > 0 && !elector.leading) this.dueNs += randomBelow(jitterNs);
    this.dueNs = min(this.dueNs, elector.claimDueNs);
  }
}

/** To be called in top-level code where a feature of elections is named. */
export function linkFeatures(): void {
  setElectionExtension(new FeaturedElections());
}

/** Makes releases wait for work in flight; `timeoutMs` 0: as long as the promise runs. */
export class HandoverOption extends FeatureOption {
  constructor(private timeoutMs: i64) {
    super(FeatureKind.Handover);
    watchAnswers();
  }

  brokenRule(timing: LeaderElectionTiming): string | null {
    return this.timeoutMs < 0 ? "Timeout must be 0 or more" : null;
  }

  fit(fitting: Fitting): void {
    const alarm = new HandoverTick();
    fitting.root.addTick(1, alarm);
    alarm.dueNs = NEVER;
    const handover = new Handover(fitting.root, fitting.elector, this.timeoutMs, alarm);
    fitting.elector.add(handover);
    fitting.handover = handover;
  }
}

/** Compiled only where work is begun; an option of a plugin wins. */
export function linkHandover(): bool {
  linkFeatures();
  takeUpForAll(new HandoverOption(0));
  return true;
}
