import type { HttpCall, Leadership, MockEnvoy } from "../host-mock/index.ts";

export const workMs: number;

export type WriteFate = "not sent" | "refused" | "taken" | "over newer work";

export interface TrialOptions {
  readonly MockEnvoy: typeof MockEnvoy;
  readonly wasm: Uint8Array;
  readonly ttlMs: number;
  readonly pauseMs: number;
  readonly phaseMs: number;
  readonly seed: number;
  readonly within?: boolean;
}

export interface Trial {
  readonly history: readonly Leadership[];
  readonly calls: readonly HttpCall[];
  readonly leaseLeftMs: number;
  readonly isElected: boolean;
  readonly latencyMs: number | null;
  readonly writes: Readonly<Record<"asked" | "plain" | "lazy" | "eager", WriteFate>> | null;
}

export function leasePauseTrial(options: TrialOptions): Trial;
