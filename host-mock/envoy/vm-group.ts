import { restrictsExport, type Capabilities } from "../abi/capabilities.ts";
import type { LoadedModule } from "../module/load.ts";
import type { Vm } from "./vm.ts";

/**
 * What plugins with equal (vm_id, VM configuration, code, environment, capabilities) share: one base VM in the
 * process, and one VM on each thread.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (makeVmKey, createWasm), Envoy `config.cc`.
 */
export class VmGroup {
  readonly vmId: string;
  readonly vmConfiguration: Uint8Array;
  readonly environment: readonly (readonly [string, string])[];
  readonly loaded: LoadedModule;
  /** Names its VMs may use. */
  readonly allowed: Capabilities;
  /** Names the group in the identities of its VMs: the first plugin that needed it. */
  readonly label: string;
  /** Imports before which its VMs can be left in a callback, as `MODULE.NAME`: the module is made for it. */
  readonly pausePoints: ReadonlySet<string>;
  /** Headers answered with StopIteration stay 1 (Higress with its own ABI) instead of 4. */
  readonly keepsStopIteration: boolean;
  base: Vm | undefined;
  /** A VM of a thread refused to start: later configurations of this group are rejected. */
  hasFailed = false;
  /**
   * What canaries said of configurations, by plugin and configuration: null for a good one, else the last line of one
   * that refused. None is tried twice while the base VM lives.
   */
  readonly canaries = new Map<string, string | null>();

  constructor(fields: Omit<VmGroup, "base" | "hasFailed" | "canaries" | "has" | "end">) {
    this.vmId = fields.vmId;
    this.vmConfiguration = fields.vmConfiguration;
    this.environment = fields.environment;
    this.loaded = fields.loaded;
    this.allowed = fields.allowed;
    this.label = fields.label;
    this.pausePoints = fields.pausePoints;
    this.keepsStopIteration = fields.keepsStopIteration;
  }

  /** The last configuration with such a VM is gone; a later one begins anew. */
  end(): void {
    this.base?.destroy("released");
    this.base = undefined;
    this.hasFailed = false;
    this.canaries.clear();
  }

  /** Whether its VMs export a function of that name that they may be called by. */
  has(name: string): boolean {
    if (restrictsExport(this.allowed, name)) return false;
    return this.loaded.exports.some((entry) => entry.kind === "function" && entry.name === name);
  }
}
