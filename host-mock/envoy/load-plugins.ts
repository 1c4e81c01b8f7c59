import { asyncify } from "../module/asyncify.ts";
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
  { profile, pausePoints }: ResolvedOptions,
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
      loaded = pausable(loaded, pausePoints);
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
        pausePoints: pausePointsOf(loaded, pausePoints),
        keepsStopIteration,
      });
      groups.set(key, group);
    }
    return new Plugin(spec, group);
  });
}

function pausePointsOf(loaded: LoadedModule, wanted: ReadonlySet<string>): ReadonlySet<string> {
  if (wanted.size === 0) return wanted;
  const imported = loaded.imports.map(({ module, name }) => `${module}.${name}`);
  return new Set(imported.filter((name) => wanted.has(name)));
}

/** The module as it is, unless a callback of it is to be left before one of its host calls. */
function pausable(loaded: LoadedModule, wanted: ReadonlySet<string>): LoadedModule {
  const imports = [...pausePointsOf(loaded, wanted)];
  return imports.length === 0 ? loaded : asyncify(loaded, { imports });
}
