/**
 * One candidate of one electorate: protocol P7 over shared data.
 *
 *   absent ──create with the sentinel──▶ held by me ──renew by CAS──▶ held by me
 *   held by another, older than its lease ──┐
 *   released by its holder ─────────────────┼──claim by CAS──▶ held by me
 *   anything else, unchanged for a lease ───┘
 *
 * Two rules carry the safety of it. A promise counts from a clock read *before* the record is
 * fetched, an observation from one read *after* it; and every write is conditional on the version
 * read in the same pass. A claim reads the record, raises the term key and sets the record, in this
 * order, so that the terms of successive leaders grow.
 */
import { GetSharedData, SetSharedData, SharedDataResult, Status } from "../proxywasm/index";
import { LogError, Uuid } from "../proxywasm/index";
import { isMonotonic, steadyNs, wallNs, wallSeconds } from "./clock";
import { Count } from "./count";
import { LEASE_KEY, SafeCreation, TERM_KEY } from "./creation";
import { isAhead, isClaimable, isHeldBy, isHeldIn, WASM_GO_LEASE_S } from "./judgement";
import { heldRecord, Lease, LeaseKind, readLease, readTerm } from "./lease";
import { releasedRecord, termRecord } from "./lease";
import { ElectionListener } from "./listener";
import { isTerm } from "./term";
import { LeaderElectionTiming, periodOf } from "./timing";
import { witnessClaim, witnessRenewal, witnessStop } from "./witness";
import * as Reason from "./reasons";

const NS_PER_MS: i64 = 1_000_000;
const NS_PER_S: i64 = 1_000_000_000;
const NOTHING: i64 = -1;

export class Elector {
  /** The identity of this candidate: a fresh one for each plugin context. "" until it is drawn. */
  id: string = "";
  /** Claims nothing, and hands over what it holds at the next pass. */
  isSuperseded: bool = false;
  /** Release on the way out; otherwise the record is left to expire. */
  releases: bool = true;
  /** Touches the fence cells before leadership is reported; null: there are none. */
  touch: ((elector: Elector) => bool) | null = null;
  fenceKeys: string[] | null = null;
  /** How keys are created on this host without overwriting them. */
  readonly creation: SafeCreation = new SafeCreation();

  leading: bool = false;
  /** The term of the record written last, whether it is led with or not. */
  term: i64 = 0;
  /** The promise: from `baseNs`, read before the record was, until `untilNs`. */
  private baseNs: i64 = 0;
  untilNs: i64 = 0;
  /** The timestamp last written; only wasm-go's rule looks at it. */
  private writtenS: i64 = 0;
  /** A record of this candidate was written and not yet seen replaced. */
  private ownsRecord: bool = false;

  /** The version watched, until when, and for how long so far. */
  private watched: i64 = NOTHING;
  private watchedNs: i64 = 0;
  private waitedNs: i64 = 0;
  /**
   * The verdict sticks to the version: a time that was impossible does not come true by waiting.
   */
  private watchedIsOdd: bool = false;
  /** The largest term and lease met so far. */
  private seenTerm: i64 = 0;
  private seenTtl: i64 = 0;
  /** The last held record of another candidate: its promise may outlive a wipe. `NOTHING`: none. */
  private otherMono: i64 = NOTHING;
  private otherTtl: i64 = 0;
  private holder: string = "";

  private isPassing: bool = false;
  private startsNow: bool = false;
  private isClosed: bool = false;
  private hasComplained: bool = false;

  constructor(
    public readonly key: string,
    public readonly timing: LeaderElectionTiming,
    private isWasmGo: bool,
    private listener: ElectionListener,
  ) {}

  /** One pass: renew, claim or follow. Costs two host calls for a follower, four for a leader. */
  pass(): void {
    if (this.isPassing || this.isClosed) return;
    const r0 = steadyNs();
    if (r0 == 0 || !this.hasIdentity()) return;
    this.isPassing = true;
    this.counted(Count.Pass);
    this.passAt(r0);
    this.isPassing = false;
    if (this.startsNow) {
      // Last of all, so that the callback may release at once and still be followed by `stopped`.
      this.startsNow = false;
      this.listener.started(this.term);
      if (this.leading) this.follow(this.id);
    }
    this.hasPassed(r0);
  }

  /** Nanoseconds for which this candidate may still act as leader; 0 when it may not. */
  leftNs(): i64 {
    return this.leading ? this.promiseLeftNs() : 0;
  }

  /** For how long the others still take its record for a leader's. */
  promiseLeftNs(): i64 {
    const now = steadyNs();
    if (now == 0 || now >= this.untilNs) return 0;
    if (this.isWasmGo) {
      const age = wallSeconds() - this.writtenS;
      if (age < 0 || age >= WASM_GO_LEASE_S) return 0;
    }
    // The wall clock may have gone back under a promise that another has replaced meanwhile.
    if (!isMonotonic() && !isHeldIn(GetSharedData(this.key), this.id)) return 0;
    return this.untilNs - now;
  }

  /** The term to act with now; 0 when this candidate may not act. */
  leaderTerm(): i64 {
    return this.leftNs() > 0 ? this.term : 0;
  }

  /**
   * Ends leadership, and writes so into the record, where the next pass of any candidate finds it.
   */
  release(): void {
    const now = steadyNs();
    if (this.leading) this.stop(now >= this.untilNs ? Reason.EXPIRED : Reason.RELEASED);
    if (!this.ownsRecord || now == 0) return;
    if (!this.delaysHandover(now)) this.handOver(now);
  }

  /** Writes that nobody leads, if the record is still this candidate's. */
  handOver(now: i64): void {
    const found = GetSharedData(this.key);
    if (isHeldIn(found, this.id)) this.hand(now, found.cas);
  }

  /** The last act of a context that goes away. */
  close(): void {
    if (this.releases) this.release();
    else if (this.leading) this.stop(Reason.RELEASED);
    this.isClosed = true;
  }

  /** The resource has met a higher term: this leadership is over. */
  fenced(term: i64): void {
    this.counted(Count.FenceRefusal);
    this.seenTerm = max(this.seenTerm, term);
    if (this.leading) this.stop(Reason.FENCED);
  }

  // Where features take part (`FeaturedElector`). The compiler sees that these do nothing: a plugin
  // without features carries none of it.

  counted(what: Count): void {}
  /** A record was read, and judged to be `lease`. */
  sawRecord(lease: Lease, bytes: Uint8Array, cas: u32, r0: i64): void {}
  sawNothing(): void {}
  hasStopped(reason: string): void {}
  hasPassed(r0: i64): void {}
  /** Whether a claim that all rules allow has to wait. */
  isHeldBack(cas: u32, r0: i64): bool {
    return false;
  }
  /** Whether the claim that has just succeeded is not to be led with yet. */
  mustProve(): bool {
    return false;
  }
  /** Whether this candidate's record, with which it does not lead, is dealt with. */
  keepsRecord(lease: Lease, cas: u32, r0: i64): bool {
    return false;
  }
  /** Whether the record of the leadership that has just ended is given up later. */
  delaysHandover(now: i64): bool {
    return false;
  }

  private hasIdentity(): bool {
    if (this.id.length != 0) return true;
    this.id = Uuid();
    if (this.id.length != 0) return true;
    this.complain("no random bytes: this VM never leads");
    return false;
  }

  private passAt(r0: i64): void {
    if (this.leading && r0 >= this.untilNs) this.stop(Reason.EXPIRED);
    if (this.leading && this.isSuperseded) this.stop(Reason.SUPERSEDED);
    const found = GetSharedData(this.key);
    if (found.status == Status.NotFound) {
      this.watched = NOTHING;
      this.sawNothing();
      this.vacant(r0, 0, true);
    } else if (found.status != Status.Ok) {
      this.counted(Count.ReadError);
      this.failed(r0);
    } else {
      this.creation.seen(LEASE_KEY);
      this.read(found, r0);
    }
  }

  private read(found: SharedDataResult, r0: i64): void {
    const lease = readLease(found.value);
    const cas = found.cas;
    const isOddVersion = this.watched == <i64>cas && this.watchedIsOdd;
    const leaseMs = this.timing.LeaseDuration;
    if (isOddVersion || isAhead(lease, r0 / NS_PER_MS, leaseMs)) lease.kind = LeaseKind.Odd;
    this.sawRecord(lease, found.value, cas, r0);
    if (lease.kind != LeaseKind.Odd) {
      this.seenTerm = max(this.seenTerm, lease.term);
      this.seenTtl = max(this.seenTtl, lease.ttl);
    }
    if (lease.kind == LeaseKind.Boot) {
      this.vacant(r0, cas, false);
    } else if (isHeldBy(lease, this.id)) {
      this.own(lease, cas, r0);
    } else {
      this.others(lease, cas, r0);
    }
  }

  private own(lease: Lease, cas: u32, r0: i64): void {
    if (this.isSuperseded) {
      if (this.releases && !this.delaysHandover(r0)) this.hand(r0, cas);
    } else if (this.leading) {
      this.renew(cas, r0);
    } else if (!this.keepsRecord(lease, cas, r0)) {
      // Lapsed, or fenced: what it promised is over, so it is led anew, with a new term.
      this.claim(lease.term, cas, false, r0);
    }
  }

  /** Writes the own record again, in the same term. */
  keep(cas: u32, r0: i64): Status {
    return this.hold(cas, false, r0, this.term, wallNs());
  }

  private renew(cas: u32, r0: i64): void {
    const status = this.keep(cas, r0);
    if (status == Status.Ok) {
      this.counted(Count.RenewalOk);
      witnessRenewal(this.term, r0, this.untilNs, this.id, this.key);
    } else if (status == Status.CasMismatch) {
      this.counted(Count.RenewalMismatch);
      this.ownsRecord = false;
      this.stop(Reason.REPLACED);
    } else {
      this.counted(Count.RenewalError);
      this.failed(r0);
    }
  }

  private others(lease: Lease, cas: u32, r0: i64): void {
    this.ownsRecord = false;
    if (this.leading) this.stop(Reason.REPLACED);
    const kind = lease.kind;
    this.follow(kind == LeaseKind.Held || kind == LeaseKind.Foreign ? lease.id : "");
    if (kind == LeaseKind.Held) {
      this.otherMono = lease.mono;
      this.otherTtl = lease.ttl;
    } else if (kind == LeaseKind.Released) {
      // Whoever held it had stopped before this was written.
      this.otherMono = NOTHING;
    }
    const waited = this.hasWaited(cas, r0);
    this.watchedIsOdd = kind == LeaseKind.Odd;
    if (!isClaimable(lease, waited, r0 / NS_PER_MS, this.timing.LeaseDuration)) return;
    this.claim(kind == LeaseKind.Odd ? 0 : lease.term, cas, false, r0);
  }

  /** Whether this very version has stood for longer than any lease, as seen from here. */
  private hasWaited(cas: u32, r0: i64): bool {
    if (this.watched != <i64>cas) {
      // Not r0: the record may have been written after it.
      this.watchedNs = steadyNs();
      this.watched = this.watchedNs == 0 ? NOTHING : <i64>cas;
      this.waitedNs = 0;
      return false;
    }
    const sinceNs = r0 - this.watchedNs;
    // A wall clock may have been set: then a pass bears out one period at most.
    this.waitedNs += isMonotonic() ? sinceNs : min(sinceNs, periodOf(this.timing) * NS_PER_MS);
    this.watchedNs = r0;
    return this.waitedNs > max(this.timing.LeaseDuration, this.seenTtl) * NS_PER_MS;
  }

  /** The key is absent, or nobody has led under it. */
  private vacant(r0: i64, cas: u32, isAbsent: bool): void {
    this.ownsRecord = false;
    const wasLeading = this.leading;
    if (wasLeading) this.stop(Reason.VANISHED);
    this.follow("");
    // The record was lost, not given up: the promise in it may still be running.
    const promise = max(this.timing.LeaseDuration, this.otherTtl);
    if (!wasLeading && this.otherMono != NOTHING && r0 / NS_PER_MS - this.otherMono <= promise)
      return;
    this.claim(0, cas, isAbsent, r0);
  }

  private claim(recordTerm: i64, cas: u32, isAbsent: bool, r0: i64): void {
    if (this.isSuperseded || this.isHeldBack(cas, r0)) return;
    const termKey = this.key + ":term";
    const last = GetSharedData(termKey);
    const isTermAbsent = last.status == Status.NotFound;
    if (!isTermAbsent && last.status != Status.Ok) return;
    if (!isTermAbsent) this.creation.seen(TERM_KEY);
    const lastTerm = readTerm(last.value);
    const wall = wallNs();
    // Not below wall milliseconds: so terms grow over a lost store and a restart, too.
    const term = max(max(lastTerm, max(recordTerm, this.seenTerm)) + 1, wall / NS_PER_MS);
    // A term that nobody would believe could be had twice.
    if (!isTerm(term)) return this.complain("the last term is ten years ahead");
    this.counted(Count.ClaimTried);
    if (this.write(TERM_KEY, termKey, termRecord(term), last.cas, isTermAbsent) != Status.Ok)
      return this.counted(Count.ClaimLost);
    if (this.hold(cas, isAbsent, r0, term, wall) != Status.Ok) return this.counted(Count.ClaimLost);
    this.counted(Count.ClaimWon);
    this.term = term;
    this.seenTerm = term;
    this.otherMono = NOTHING;
    if (!this.mustProve()) this.lead();
  }

  /** Leads with the record that was written last, as long as its promise runs. */
  lead(): void {
    const touch = this.touch;
    if (touch !== null && !touch(this)) return;
    // Between r0 and here any time may have passed; the others count from r0.
    const now = steadyNs();
    if (now == 0 || now >= this.untilNs) return;
    this.leading = true;
    this.startsNow = true;
    witnessClaim(this.term, now, this.untilNs, this.id, this.key);
  }

  /** Writes this candidate's record; when that succeeds, its promise runs from r0. */
  private hold(cas: u32, isAbsent: bool, r0: i64, term: i64, wall: i64): Status {
    const timestamp = wall / NS_PER_S;
    const lease = this.timing.LeaseDuration;
    const record = heldRecord(this.id, timestamp, term, r0 / NS_PER_MS, lease);
    const status = this.write(LEASE_KEY, this.key, record, cas, isAbsent);
    if (status == Status.Ok) {
      this.baseNs = r0;
      this.untilNs = r0 + (lease - this.timing.Guard) * NS_PER_MS;
      this.writtenS = timestamp;
      this.ownsRecord = true;
    }
    return status;
  }

  /** Overwrites the version that was read, or creates; never anything else. */
  private write(which: i32, key: string, record: Uint8Array, cas: u32, isAbsent: bool): Status {
    if (!isAbsent) return SetSharedData(key, record, cas);
    const status = this.creation.create(which, key, record, this.key, this.id);
    if (this.creation.isImpossible) {
      this.complain("no safe way to create a key: this VM never leads");
      this.isClosed = true;
    }
    return status;
  }

  private failed(r0: i64): void {
    const deadlineNs = this.timing.RenewDeadline * NS_PER_MS;
    if (this.leading && r0 - this.baseNs > deadlineNs) this.stop(Reason.ERROR);
  }

  /** Gives this candidate's record up. That it may fail is harmless: then it expires. */
  private hand(now: i64, cas: u32): void {
    const record = releasedRecord(this.term, now / NS_PER_MS);
    if (SetSharedData(this.key, record, cas) != Status.Ok) return;
    this.ownsRecord = false;
    this.follow("");
  }

  private stop(reason: string): void {
    this.leading = false;
    this.hasStopped(reason);
    witnessStop(this.term, steadyNs(), reason, this.id, this.key);
    this.listener.stopped(reason);
  }

  private follow(holder: string): void {
    if (holder == this.holder) return;
    this.holder = holder;
    this.listener.newLeader(holder);
  }

  private complain(what: string): void {
    if (this.hasComplained) return;
    this.hasComplained = true;
    LogError("proxy-wasm-as: election " + this.key + ": " + what);
  }
}
