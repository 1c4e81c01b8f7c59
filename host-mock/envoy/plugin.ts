import type { ResolvedPlugin } from "./resolved.ts";
import type { RootParts } from "./root-context.ts";
import type { VmGroup } from "./vm-group.ts";

/** One of a plugin's configurations; each makes contexts of its own. */
export interface Generation {
  /** From 1. */
  readonly number: number;
  readonly configuration: Uint8Array;
}

/** A plugin as the process knows it: what it is, and the configuration that new contexts get. */
export class Plugin {
  readonly spec: ResolvedPlugin;
  readonly group: VmGroup;
  current: Generation;

  constructor(spec: ResolvedPlugin, group: VmGroup) {
    this.spec = spec;
    this.group = group;
    this.current = { number: 1, configuration: spec.configuration };
  }

  get name(): string {
    return this.spec.name;
  }

  rootParts(generation: Generation): RootParts {
    return {
      plugin: this.spec.name,
      rootIdText: this.spec.rootId,
      configuration: generation.configuration,
      generation: generation.number,
    };
  }
}
