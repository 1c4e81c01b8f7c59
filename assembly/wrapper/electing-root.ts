import { BaseContext, Registration, RootContext } from "../abi/contexts";
import { contextAt, placeCount } from "../abi/context-table";
import { Elector } from "../election/elector";
import { FeaturedElector } from "../election/feature";
import { FencedCell, FencedResult, fencedSet, readCell } from "../election/fencing";
import { ElectionListener } from "../election/listener";
import { brokenRule, BY_PLUGIN, derive, LeaderElectionTiming, overlay } from "../election/timing";
import { GetProperty, LogError } from "../proxywasm/index";
import { electionExtension } from "./election-extension";
import { linkHandover } from "./featured-elections";
import { ElectionSettings } from "./election-settings";
import { Handover } from "./handover";
import { beginWork, LeaderWork } from "./leader-work";
import { PluginRoot, setElectionHook } from "./plugin-root";
import { Tick, TickingRoot } from "./ticks";

const KEY_PREFIX: string = "higress_wasm_vm_lease:";
const NS_PER_MS: i64 = 1_000_000;

/**
 * Compiled only into a module that uses elections, and then run before any context exists. So
 * plugins without them carry none of this.
 */
// @ts-ignore: decorator
@lazy
const LINKED: bool = linkElections();

/** The same for waiting for work in flight. */
// @ts-ignore: decorator
@lazy
const WAITING: bool = linkHandover();

export function linkElections(): bool {
  setElectionHook(onConfigured);
  return true;
}

/** A plugin context that can be elected. */
export class ElectingRoot extends TickingRoot {
  /** What `WithLeaderElection` said; null without it. */
  settings: ElectionSettings | null = null;
  private timing: LeaderElectionTiming | null = null;
  private elector: Elector | null = null;
  /** The `Handover`, where the release waits for work in flight. */
  private handover: Object | null = null;
  /** What `SetLeaderRank` said, and one more; 0: nothing. */
  private givenRank: i32 = 0;
  /** The host's `plugin_name`, and that with `plugin_root_id`: whose generation this context is. */
  private pluginName: string = "";
  private lineage: string = "";

  constructor(id: u32, registration: Registration) {
    super(id, registration);
  }

  /**
   * Sets the timing of the election, field by field, over what `WithLeaderElection` says. For use
   * in the configuration callback, where the timing is known; without effect later. Values that
   * break a rule (docs/reference/leader-election.md) refuse the configuration.
   * @example ctx.SetLeaderElectionTiming({ LeaseDuration: config.leaseMs })
   */
  SetLeaderElectionTiming(timing: LeaderElectionTiming): void {
    if (LINKED) this.timing = timing;
  }

  /**
   * One pass of the election: renews the leadership, tries to take it, or follows. To be called at
   * short intervals, from a tick; never needed, but harmless, when the elector ticks by itself.
   * Does nothing before the configuration is accepted and after `on_done`.
   * @example ctx.DoLeaderElection(); if (ctx.IsLeader()) report(ctx, config);
   */
  DoLeaderElection(): void {
    const elector = LINKED ? this.elector : null;
    if (elector === null || this.isDone) return;
    elector.isSuperseded = this.isSuperseded();
    elector.pass();
  }

  /**
   * Whether this context of this VM may act as leader now. It turns false by itself when the
   * promise ends, so ask right before each effect. In request code it speaks of this VM, not of
   * this Envoy: the leader is often the main thread's VM, which never sees a request. May be called
   * in every callback.
   */
  IsLeader(): bool {
    const elector = this.elector;
    return elector !== null && elector.leftNs() > 0;
  }

  /**
   * The fencing token of the present leadership, to be sent along with its effects; 0 without one,
   * also from the instant on in which the promise ends. Terms of successive leaders grow.
   */
  LeaderTerm(): i64 {
    const elector = this.elector;
    return elector === null ? 0 : elector.leaderTerm();
  }

  /** This candidate's id, as it stands in the lease while it leads; "" before its first pass. */
  LeaderId(): string {
    const elector = this.elector;
    return elector === null ? "" : elector.id;
  }

  /** How long this context may still act as leader, in ms, rounded down; 0 when it may not. */
  LeaderRemaining(): i64 {
    const elector = this.elector;
    return elector === null ? 0 : elector.leftNs() / NS_PER_MS;
  }

  /**
   * Gives leadership up so that another can take it at its next pass. Stop the leader's work first;
   * the callback `OnStoppedLeading` runs before the lease is let go. This context stays a
   * candidate.
   */
  ReleaseLeadership(): void {
    const elector = this.elector;
    if (elector !== null) elector.release();
  }

  /**
   * Begins work of the present leadership that takes longer than this callback; null when this
   * context does not lead. `ReleaseLeadership` then waits until it has ended, at most for the
   * timeout of `WithElectionHandover`, and never for longer than the promise runs.
   * @example const work = ctx.BeginLeaderWork(); if (work === null) return;
   */
  BeginLeaderWork(): LeaderWork | null {
    const handover = WAITING ? this.handover : null;
    return handover === null ? null : beginWork(changetype<Handover>(handover));
  }

  /**
   * How this context is preferred, with `WithElectionPreference`: 0 most, up to 1000. In the
   * configuration callback or later; it counts for the next claim.
   * @example ctx.SetLeaderRank(config.isCanary ? 1 : 0)
   */
  SetLeaderRank(rank: i32): void {
    const within = max(min(rank, 1000), 0);
    this.givenRank = within + 1;
    const elector = this.elector;
    if (elector instanceof FeaturedElector) changetype<FeaturedElector>(elector).rank = within;
  }

  /**
   * Writes a JSON value into a fence cell with the term of the present leadership. Refused
   * (`Fenced`) when the cell has met a higher term; leadership then ends. All outcomes:
   * `FencedOutcome`.
   * @example ctx.FencedSet("totals", writer.Bytes()).outcome == wrapper.FencedOutcome.Ok
   */
  FencedSet(key: string, data: Uint8Array): FencedResult {
    return fencedSet(this.elector, key, data);
  }

  /** Reads a fence cell. Anybody may, leader or not. */
  FencedGet(key: string): FencedCell {
    return readCell(key);
  }

  /** Forgets the timing that an earlier configuration of this context has set. */
  forgetTiming(): void {
    this.timing = null;
  }

  /**
   * Reads the context's names; makes the elector. Answers why the configuration must be refused.
   */
  beginElection(): string | null {
    const name = GetProperty(["plugin_name"]).Text();
    this.pluginName = name === null ? this.registration.name : name;
    const rootId = GetProperty(["plugin_root_id"]).Text();
    this.lineage = this.pluginName + "\0" + (rootId === null ? "" : rootId);
    return this.makeElector();
  }

  private makeElector(): string | null {
    const settings = this.settings;
    const isWasmGo = settings !== null && settings.WasmGoKey;
    const timing = new LeaderElectionTiming();
    if (settings === null) timing.RetryPeriod = BY_PLUGIN;
    else overlay(timing, settings);
    const own = this.timing;
    if (own !== null) overlay(timing, own);
    derive(timing, isWasmGo);
    let broken = brokenRule(timing, isWasmGo);
    const extension = electionExtension();
    if (broken === null && extension !== null) broken = extension.brokenRule(this, timing);
    if (broken !== null) return broken;
    if (!isWasmGo && !isKeyName(this.pluginName)) {
      return "plugin_name is empty, or reserved by its :term or :probe";
    }
    const before = this.elector;
    if (before !== null) before.close();
    const key = isWasmGo ? KEY_PREFIX : KEY_PREFIX + this.pluginName;
    const elector =
      extension === null
        ? new Elector(key, timing, isWasmGo, this.listener())
        : extension.makeElector(this, key, timing, isWasmGo, this.listener());
    this.elector = elector;
    this.registration.slots.done = endElection;
    if (timing.RetryPeriod != BY_PLUGIN) {
      const ordinary = new ElectionTick(this);
      const tick = extension === null ? ordinary : extension.makeTick(ordinary, elector);
      this.addTick(timing.RetryPeriod, tick);
    }
    if (settings !== null) {
      const prepare = settings.prepare;
      if (prepare !== null) prepare(elector, settings);
    }
    if (extension !== null) {
      this.handover = extension.complete(this, elector, this.pluginName, this.givenRank);
    }
    return null;
  }

  private listener(): ElectionListener {
    const settings = this.settings;
    if (settings === null) return new ElectionListener();
    const make = settings.listener;
    return make === null ? new ElectionListener() : make(this);
  }

  /** Whether a younger generation of this plugin has taken over the work in this VM. */
  private isSuperseded(): bool {
    for (let place = placeCount() - 1; place >= 0; place--) {
      const context = contextAt(place);
      if (context === null || !context.isRoot || context.id <= this.id) continue;
      const younger = changetype<ElectingRoot>(context);
      if (younger.registration !== this.registration) continue;
      if (younger.isConfigured && !younger.isDone && younger.lineage == this.lineage) return true;
    }
    return false;
  }

  /** False: the host shall wait. */
  endElection(): bool {
    this.isDone = true;
    const elector = this.elector;
    if (elector === null) return true;
    const extension = electionExtension();
    if (extension !== null) return extension.end(elector);
    elector.close();
    return true;
  }
}

/** Whether a plugin of this name has keys that no other plugin's election has. */
function isKeyName(name: string): bool {
  return name.length != 0 && !name.endsWith(":term") && !(name + ":").includes(":probe:");
}

class ElectionTick extends Tick {
  constructor(private root: ElectingRoot) {
    super();
  }

  run(): void {
    this.root.DoLeaderElection();
  }
}

function onConfigured(root: PluginRoot): string | null {
  return changetype<ElectingRoot>(root).beginElection();
}

function endElection(context: BaseContext): bool {
  return !context.isRoot || changetype<ElectingRoot>(context).endElection();
}
