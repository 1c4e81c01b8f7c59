import type { StepView } from "../../../host-mock/schedule/world.ts";

/** VMs that run one guest with one configuration. */
export interface FleetRow {
  readonly guest: "protocol" | "writer" | "elector";
  readonly configuration: string;
  readonly rootId?: string;
  readonly vms: readonly string[];
  /** wasm-go's recipe is judged by what it writes: it says nothing of terms. */
  readonly witness?: "log" | "lease";
}

/** What is searched: how many VMs, and what may happen how often. Counts that are left out are 0. */
export interface Row {
  readonly name: string;
  readonly fleets: readonly FleetRow[];
  readonly ticks: number;
  readonly timeSteps?: number;
  readonly timeStepMs?: number;
  readonly crashes?: number;
  readonly wipes?: number;
  readonly corruptions?: number;
  readonly refusals?: number;
  /** A service `collector` that takes calls with a term, and whether it refuses stale ones. */
  readonly collector?: "unfenced" | "fenced";
  /** How often a VM is left for another although it could go on; default: no bound. */
  readonly preemptions?: number;
  /** Searched by large.check.ts alone: it takes minutes. */
  readonly isLarge?: boolean;
}

export type PropertyName = "single_winner" | "terms_grow" | "no_stale_effect" | "one_elector";

/** A protocol that must fail. */
export interface RefutedRow extends Row {
  readonly violated: PropertyName;
  /** The kind of counterexample, in a few words. */
  readonly kind: string;
  /** Whether these steps are one of that kind. */
  isKind(steps: readonly StepView[]): boolean;
}

/** A protocol that must hold within these bounds. */
export interface HoldingRow extends Row {
  readonly properties: readonly PropertyName[];
}

const names = ["worker_0", "worker_1", "worker_2", "worker_3"];

/** So many VMs with this configuration of test/guests/protocols. */
export function fleet(configuration: string, count = 2): FleetRow {
  return { guest: "protocol", configuration, vms: names.slice(0, count) };
}

/** A VM with wasm-go's recipe, its lease 60 s. */
export function wasmGo(): FleetRow {
  const configuration = "P0 lease=60000";
  return { guest: "protocol", configuration, vms: ["go_0"], witness: "lease" };
}

/** One writer of the fence cell. */
export function writer(configuration: string, vm: string): FleetRow {
  return { guest: "writer", configuration, vms: [vm] };
}
