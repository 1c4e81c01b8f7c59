import type { ResolvedPlugin } from "./resolved.ts";
import type { RootParts } from "./root-context.ts";
import type { VmGroup } from "./vm-group.ts";

/** One of a plugin's configurations. Its contexts live as long as a place uses it, draining places included. */
export interface Generation {
  /** From 1. */
  readonly number: number;
  readonly configuration: Uint8Array;
  /** Its places in the threads' tables. */
  readonly slots: Set<number>;
}

/** A plugin as the process knows it: what it is, and the configuration that new contexts get. */
export class Plugin {
  readonly spec: ResolvedPlugin;
  readonly group: VmGroup;
  current: Generation;
  /** How often `current` has changed. */
  changeCount = 0;
  /** The current one, and those whose drain is not over. */
  readonly #living: Set<Generation>;
  #generationCount = 1;

  constructor(spec: ResolvedPlugin, group: VmGroup) {
    this.spec = spec;
    this.group = group;
    this.current = { number: 1, configuration: spec.configuration, slots: new Set() };
    this.#living = new Set([this.current]);
  }

  get name(): string {
    return this.spec.name;
  }

  /** The living generation with this configuration, or a new one. */
  generation(configuration: Uint8Array): Generation {
    for (const one of this.#living) if (isEqual(one.configuration, configuration)) return one;
    return { number: this.#generationCount + 1, configuration, slots: new Set() };
  }

  /** New contexts get this one from now on. */
  change(generation: Generation): void {
    this.#generationCount = Math.max(this.#generationCount, generation.number);
    this.#living.add(generation);
    this.current = generation;
    this.changeCount++;
  }

  /** Nothing uses it any more. */
  forget(generation: Generation): void {
    if (generation !== this.current) this.#living.delete(generation);
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

export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
