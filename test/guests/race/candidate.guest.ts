import { wrapper } from "proxy-wasm-as/assembly";
import { Outcome } from "./outcome.guest";

/**
 * What one plugin of the many competes for: a slot, in which it tries once, or, where the configuration names none, the
 * lease that is handed over from slot to slot. The host's name differs from slot to slot, so each has a lease key that
 * nobody has used.
 */
export class Candidacy {}

type Candidate = wrapper.PluginContext<Candidacy>;

const HOUR_MS: i64 = 3_600_000;

const candidates = new Map<i64, Candidate>();
let handed: Candidate | null = null;
let hasStarted: bool = false;
let followed: string = "";

export function parseCandidacy(
  ctx: Candidate,
  json: wrapper.Json,
  candidacy: Candidacy,
): string | null {
  const slot = json.Get("slot");
  if (slot.Exists()) candidates.set(slot.Int(), ctx);
  else handed = ctx;
  return null;
}

/** A lease that outlasts the run: who wins a slot stays its leader. */
export function electorOptions(): wrapper.LeaderElectionOptions<Candidacy> {
  return {
    LeaseDuration: HOUR_MS,
    RetryPeriod: -1,
    OnStartedLeading: (ctx, candidacy, term) => {
      hasStarted = true;
    },
    OnNewLeader: (ctx, candidacy, id) => {
      followed = id;
    },
  };
}

/** One pass of the elector. Neither leading nor following: another came between its read and its write. */
export function tryElector(slot: i64): Outcome {
  hasStarted = false;
  followed = "";
  candidates.get(slot).DoLeaderElection();
  if (hasStarted) return Outcome.Won;
  return followed.length > 0 ? Outcome.Late : Outcome.Lost;
}

/** Tries to take the lease that is handed over. */
export function takeOver(): void {
  const candidate = handed;
  if (candidate !== null) candidate.DoLeaderElection();
}

/** Lets go of it, for the next slot. */
export function handOver(): void {
  const candidate = handed;
  if (candidate !== null) candidate.ReleaseLeadership();
}
