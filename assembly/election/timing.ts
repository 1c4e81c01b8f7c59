/** Durations of an election: what may be asked for, what is derived, and what is refused. */

/** In milliseconds; 0 stands for the derived default. */
export class LeaderElectionTiming {
  /**
   * How long a leadership is promised at a time, and how long the others wait before they replace a
   * leader that fell silent. 1 s to 1 h; default 15 s, with `WasmGoKey` 60 s.
   */
  LeaseDuration: i64 = 0;
  /**
   * A leader whose renewals fail for longer than this gives up. Default two thirds of the lease.
   */
  RenewDeadline: i64 = 0;
  /**
   * How often the elector tries. Default a fifth of the lease, 3 s at most. −1: the elector does
   * not tick by itself, the plugin calls `DoLeaderElection` in a tick of its own.
   */
  RetryPeriod: i64 = 0;
  /**
   * A leader stops acting this long before its promise ends. Default a twentieth of the lease, 250
   * ms at least.
   */
  Guard: i64 = 0;
}

/** RetryPeriod of an elector that is driven by the plugin. */
export const BY_PLUGIN: i64 = -1;

const LEASE_DEFAULT: i64 = 15_000;
const LEASE_WASM_GO: i64 = 60_000;
const LEASE_MIN: i64 = 1_000;
const LEASE_MAX: i64 = 3_600_000;
const GUARD_MIN: i64 = 250;
const RETRY_MAX: i64 = 3_000;

/** Takes over the fields that `over` sets. */
export function overlay(timing: LeaderElectionTiming, over: LeaderElectionTiming): void {
  if (over.LeaseDuration != 0) timing.LeaseDuration = over.LeaseDuration;
  if (over.RenewDeadline != 0) timing.RenewDeadline = over.RenewDeadline;
  if (over.RetryPeriod != 0) timing.RetryPeriod = over.RetryPeriod;
  if (over.Guard != 0) timing.Guard = over.Guard;
}

/** Puts the derived default in every field that is 0. */
export function derive(timing: LeaderElectionTiming, wasmGoKey: bool): void {
  if (timing.LeaseDuration == 0) timing.LeaseDuration = wasmGoKey ? LEASE_WASM_GO : LEASE_DEFAULT;
  const lease = timing.LeaseDuration;
  if (timing.RenewDeadline == 0) timing.RenewDeadline = (lease * 2) / 3;
  if (timing.RetryPeriod == 0) timing.RetryPeriod = retryPeriod(lease);
  if (timing.Guard == 0) timing.Guard = max(GUARD_MIN, lease / 20);
}

function retryPeriod(lease: i64): i64 {
  return min(lease / 5, RETRY_MAX);
}

/** How often passes are to be expected, in ms. */
export function periodOf(timing: LeaderElectionTiming): i64 {
  const period = timing.RetryPeriod;
  return period > 0 ? period : retryPeriod(timing.LeaseDuration);
}

/** The rule that a derived timing breaks, in words; null when it is sound. */
export function brokenRule(timing: LeaderElectionTiming, wasmGoKey: bool): string | null {
  const lease = timing.LeaseDuration;
  const renew = timing.RenewDeadline;
  const retry = timing.RetryPeriod;
  if (lease < LEASE_MIN || lease > LEASE_MAX) return "LeaseDuration must be 1 s to 1 h";
  if (wasmGoKey && lease != LEASE_WASM_GO) return "LeaseDuration must be 60 s with WasmGoKey";
  // As unsigned numbers, those below zero are too large.
  if (<u64>renew >= <u64>lease) return "RenewDeadline must be 0 to LeaseDuration";
  if (<u64>timing.Guard >= <u64>(lease + 1) / 2) return "Guard must be 0 to LeaseDuration / 2";
  if (retry == BY_PLUGIN) return null;
  if (<u64>retry > <u64>lease / 5) return "RetryPeriod must be -1, or 0 to LeaseDuration / 5";
  if (lease - renew <= retry) return "LeaseDuration must be more than RenewDeadline + RetryPeriod";
  if (renew * 5 <= retry * 6) return "RenewDeadline must be more than 1.2 x RetryPeriod";
  return null;
}
