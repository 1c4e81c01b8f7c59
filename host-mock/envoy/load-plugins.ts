import { loadModule, readModuleFile, type LoadedModule } from "../module/load.ts";
import { originOf } from "../module/origin.ts";
import { latin1 } from "../state/bytes.ts";
import type { PluginOptions } from "./options.ts";
import { Plugin } from "./plugin.ts";
import type { ResolvedOptions, ResolvedPlugin } from "./resolved.ts";
import { VmGroup } from "./vm-group.ts";

/** Modules are loaded once each; plugins whose VMs are alike share a group. */
export function loadPlugins(
  given: readonly PluginOptions[],
  specs: readonly ResolvedPlugin[],
  { profile }: ResolvedOptions,
): Plugin[] {
  const modules = new Map<string | Uint8Array, LoadedModule>();
  const groups = new Map<string, VmGroup>();
  return specs.map((spec, index) => {
    const { wasm } = given[index]!;
    let loaded = modules.get(wasm);
    if (loaded === undefined) {
      const bytes = typeof wasm === "string" ? readModuleFile(wasm) : wasm;
      loaded =
        typeof wasm === "string"
          ? loadModule(bytes, profile, wasm, wasm)
          : loadModule(bytes, profile, spec.name, originOf(wasm));
      modules.set(wasm, loaded);
    }
    const { vmId, vmConfiguration, environment, allowedCapabilities: allowed } = spec;
    const own = [[...(allowed ?? [])].sort(), environment.map(String).sort()];
    const key = JSON.stringify([vmId, latin1(vmConfiguration), loaded.hash, own]);
    let group = groups.get(key);
    if (group === undefined) {
      const keepsStopIteration = profile.keepsStopIteration.has(loaded.abi);
      group = new VmGroup({
        vmId,
        vmConfiguration,
        environment,
        loaded,
        allowed,
        label: spec.name,
        keepsStopIteration,
      });
      groups.set(key, group);
    }
    return new Plugin(spec, group);
  });
}
