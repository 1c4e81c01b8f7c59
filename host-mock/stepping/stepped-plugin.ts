import type { LoadedModule } from "../module/load.ts";
import type { WitnessKind } from "../trace/leadership.ts";

/** A plugin whose VMs are stepped. */
export interface SteppedPlugin {
  /** The property `plugin_name`. */
  readonly name: string;
  readonly rootId: string;
  readonly vmId: string;
  readonly configuration: Uint8Array;
  readonly vmConfiguration: Uint8Array;
  readonly environment: readonly (readonly [string, string])[];
  /** What tells who leads. */
  readonly witness: WitnessKind;
  /** Rewritten by `module/asyncify.ts` for `suspensionPoints`. */
  readonly module: LoadedModule;
}

/** The imports at which a guest stops. */
export const suspensionPoints: readonly string[] = [
  "env.proxy_get_shared_data",
  "env.proxy_set_shared_data",
  "env.proxy_get_current_time_nanoseconds",
  "env.proxy_http_call",
  "wasi_snapshot_preview1.clock_time_get",
  "wasi_unstable.clock_time_get",
];
