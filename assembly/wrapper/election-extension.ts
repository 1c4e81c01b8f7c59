import { Elector } from "../election/elector";
import { ElectionListener } from "../election/listener";
import { LeaderElectionTiming } from "../election/timing";
import { PluginRoot } from "./plugin-root";
import { Tick, TickingRoot } from "./ticks";

/**
 * What elections with features do otherwise. `ElectingRoot` asks it where there is one, and there is
 * one only in a module that names a feature: elsewhere the compiler takes the questions out. Its
 * methods do not name `Handover`: a class that is named brings the methods along by which it
 * overrides others.
 */
export abstract class ElectionExtension {
  /** The rule that an option breaks, in words, or null. `timing` is derived and sound. */
  abstract brokenRule(root: PluginRoot, timing: LeaderElectionTiming): string | null;
  abstract makeElector(
    root: PluginRoot,
    key: string,
    timing: LeaderElectionTiming,
    isWasmGo: bool,
    listener: ElectionListener,
  ): Elector;
  /** Drives the elector by its ordinary tick. */
  abstract makeTick(ordinary: Tick, elector: Elector): Tick;
  /** The elector is made and its tick registered; answers the `Handover`, if there is one. `rank`: as given, and one more; 0: not given. */
  abstract complete(root: TickingRoot, elector: Elector, name: string, rank: i32): Object | null;
  /** The context is done; false: the host shall wait. */
  abstract end(elector: Elector): bool;
}

let extension: ElectionExtension | null = null;

/** The extension, where any plugin of the module uses a feature. */
export function electionExtension(): ElectionExtension | null {
  return extension;
}

/** To be called in top-level code. */
export function setElectionExtension(given: ElectionExtension): void {
  extension = given;
}
