import { Elector } from "../election/elector";
import { ElectionListener } from "../election/listener";
import { LeaderElectionTiming } from "../election/timing";
import { PluginRoot } from "./plugin-root";

/** Options of `WithLeaderElection` that have nothing to do with the configuration's type. */
export class ElectionSettings extends LeaderElectionTiming {
  /**
   * Release the lease when the context goes away or is superseded, so that another leads at its
   * next pass; otherwise it expires. Default true.
   */
  ReleaseOnCancel: bool = true;
  /**
   * Share a lease with plugins that are built with wasm-go: exactly its key, 60 s, records that it
   * can judge. All plugins of one `vm_id` then compete for it. Default false.
   */
  WasmGoKey: bool = false;
  /** Shared-data keys of fence cells that are shown the new term before leadership is reported. */
  FenceKeys: string[] = [];

  /** Set by `WithLeaderElection`; not an option. */
  listener: ((root: PluginRoot) => ElectionListener) | null = null;
  prepare: ((elector: Elector, settings: ElectionSettings) => void) | null = null;
}
