import type { LoadedModule } from "../module/load.ts";
import type { Vm } from "./vm.ts";

/**
 * What plugins with equal (vm_id, VM configuration, code) share: one base VM in the process, and one VM on each thread.
 * The environment is the first such plugin's; it is no part of the key.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (makeVmKey, createWasm), Envoy `config.cc`.
 */
export class VmGroup {
  readonly vmId: string;
  readonly vmConfiguration: Uint8Array;
  readonly environment: readonly (readonly [string, string])[];
  readonly loaded: LoadedModule;
  /** Names the group in the identities of its VMs: the first plugin that needed it. */
  readonly label: string;
  /** Headers answered with StopIteration stay 1 (Higress with its own ABI) instead of 4. */
  readonly keepsStopIteration: boolean;
  base: Vm | undefined;
  /** A VM of a thread refused to start: later configurations of this group are rejected. */
  hasFailed = false;

  constructor(fields: Omit<VmGroup, "base" | "hasFailed">) {
    this.vmId = fields.vmId;
    this.vmConfiguration = fields.vmConfiguration;
    this.environment = fields.environment;
    this.loaded = fields.loaded;
    this.label = fields.label;
    this.keepsStopIteration = fields.keepsStopIteration;
  }
}
