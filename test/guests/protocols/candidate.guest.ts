/**
 * One candidate by the rules of `rules.guest.ts`. A pass is
 *
 *   [raise the term key,] read the clock, get the record, [read the clock again,] decide, at most one set of the record
 *
 * and each host call stands in it once. Times are the monotonic clock's milliseconds.
 */
import { creationRefused, createsWith, isImpossible, probe, seen } from "./creation.guest";
import { touchCell, work } from "./effect.guest";
import * as host from "./host.guest";
import { CasMismatch, NotFound, Ok, monoMs, wallMs } from "./host.guest";
import { ID, ID_SIZE, KEY, keySize, termKeySize } from "./keys.guest";
import {
  goOn,
  isLeading,
  mayAct,
  sawTerm,
  seenTerm,
  start,
  stop,
  term,
  tookTerm,
} from "./leadership.guest";
import * as record from "./record.guest";
import { Kind, buildHeld, buildNumber, buildReleased, buildVacant } from "./record.guest";
import * as rules from "./rules.guest";
import { Absent, Claim, Fence, Terms, Work } from "./rules.guest";

const NOTHING: i64 = -1;
/** A timestamp further ahead than two clocks of one machine can differ is no timestamp. */
const AHEAD_MAX_S: i64 = 5;
/** What a wait that is too short is short of. */
const SHORT_MS: i64 = 1_000;
/** It has written its own record and does not lead yet: P2 before the next get, P6 on probation. */
let isTrying: bool = false;
let probationMs: i64 = 0;

/** The longest lease met so far. */
let seenTtl: i64 = 0;
/** The version that is observed, and since when. */
let watched: i64 = NOTHING;
let watchedMs: i64 = 0;
/** The last held record of another: its promise may outlive a wipe. */
let otherMono: i64 = NOTHING;
let otherTtl: i64 = 0;

let passCount: i64 = 0;
/** Raised before the record was read. */
let raisedTerm: i64 = 0;

export function pass(): void {
  passCount++;
  if (rules.terms == Terms.KeyFirst && !isLeading && !raiseTerm()) return;
  const r0 = monoMs();
  const status = host.get(KEY, keySize);
  // Any other status: nothing is known, and the promise runs on.
  if (status == NotFound) vacant(r0);
  else if (status == Ok) present(r0);
  if (rules.work != Work.None && isLeading) work();
}

function vacant(r0: i64): void {
  watched = NOTHING;
  isTrying = false;
  const wasLeading = isLeading;
  if (isLeading) stop(r0, "vanished");
  switch (rules.absent) {
    case Absent.PlaceInit:
      return place(Kind.Init, r0);
    case Absent.PlaceLate:
      return place(Kind.Late, r0);
    case Absent.PlaceBootThenLate:
      return place(passCount == 1 ? Kind.Boot : Kind.Late, r0);
    case Absent.PlaceOwn:
      return claim(r0, 0, 0, false);
    case Absent.Create:
      return create(r0, 0, true, wasLeading);
    default:
  }
}

function place(kind: Kind, r0: i64): void {
  const isDated = rules.isShared && kind == Kind.Late;
  buildVacant(kind, isDated ? wallMs() / 1000 : 0, r0);
  host.setLine(KEY, keySize, 0);
}

/** P7: the key is absent, or nobody has led under it. */
function create(r0: i64, cas: u32, isAbsent: bool, wasLeading: bool): void {
  const promise = max(rules.leaseMs, otherTtl);
  if (!wasLeading && otherMono != NOTHING && r0 - otherMono <= promise) return;
  claim(r0, cas, 0, isAbsent);
}

function present(r0: i64): void {
  const cas = host.version;
  seen();
  let kind = record.readRecord(host.valuePtr, host.valueSize);
  if (record.mono > r0 + rules.leaseMs) kind = Kind.Odd;
  const found = kind == Kind.Odd ? 0 : max(record.term, 0);
  if (kind != Kind.Odd) {
    sawTerm(found);
    seenTtl = max(seenTtl, record.ttl);
  }
  if (kind == Kind.Boot && rules.absent == Absent.Create) {
    const wasLeading = isLeading;
    if (isLeading) stop(r0, "vanished");
    create(r0, cas, false, wasLeading);
  } else if (kind == Kind.Held && isMine()) {
    own(r0, cas, found);
  } else {
    others(r0, cas, kind, found);
  }
}

function isMine(): bool {
  return record.idSize == ID_SIZE && memory.compare(record.idPtr, ID, ID_SIZE) == 0;
}

function own(r0: i64, cas: u32, found: i64): void {
  if (mayAct(r0)) {
    if (passCount == rules.releasePass) release(r0, cas);
    else renew(r0, cas);
    return;
  }
  if (isLeading) stop(r0, "expired");
  if (!isTrying) claim(r0, cas, found, false);
  else if (rules.isOnProbation) serve(r0, cas);
  else confirm(r0, cas);
}

function renew(r0: i64, cas: u32): void {
  const status = hold(r0, cas, term, seconds(0));
  if (status == Ok) goOn(r0);
  else if (status == CasMismatch) stop(r0, "replaced");
}

function release(r0: i64, cas: u32): void {
  stop(r0, "released");
  buildReleased(term, r0);
  host.setLine(KEY, keySize, cas);
}

/** P2: the record is still there, so nobody has come in between; or so it hopes. */
function confirm(r0: i64, cas: u32): void {
  isTrying = false;
  if (hold(r0, cas, term, seconds(0)) == Ok) lead(r0);
}

/** P6: holds the record for another lease before it leads. */
function serve(r0: i64, cas: u32): void {
  const status = hold(r0, cas, term, seconds(0));
  if (status == CasMismatch) isTrying = false;
  if (status != Ok) return;
  const landedMs = monoMs();
  const isOver = r0 - probationMs > rules.leaseMs;
  if (landedMs - r0 > rules.leaseMs && restarts(isOver)) {
    probationMs = landedMs;
  } else if (isOver) {
    isTrying = false;
    lead(r0);
  }
}

function restarts(isOver: bool): bool {
  return rules.restart == rules.Restart.Always || (rules.restart == rules.Restart.AtEnd && isOver);
}

function others(r0: i64, cas: u32, kind: Kind, found: i64): void {
  isTrying = false;
  if (isLeading) stop(r0, "replaced");
  if (kind == Kind.Held) {
    otherMono = record.mono;
    otherTtl = record.ttl;
  } else if (kind == Kind.Released) {
    otherMono = NOTHING;
  }
  const ageMs = r0 - record.mono;
  const timestamp = record.timestamp;
  const ttl = record.ttl;
  const hasWaited = rules.observes && waited(r0, cas);
  if (isClaimable(kind, ageMs, ttl, timestamp, hasWaited)) claim(r0, cas, found, false);
}

function waited(r0: i64, cas: u32): bool {
  if (<i64>cas != watched) {
    watched = <i64>cas;
    // Not r0: the record may have been written after it.
    watchedMs = rules.observesFromR0 ? r0 : monoMs();
    return false;
  }
  const wait = max(rules.leaseMs, seenTtl) - (rules.waitsShort ? SHORT_MS : 0);
  return r0 - watchedMs > wait;
}

function isClaimable(kind: Kind, ageMs: i64, ttl: i64, timestamp: i64, hasWaited: bool): bool {
  const rule = claimRule(kind);
  switch (rule) {
    case Claim.AtOnce:
      return true;
    case Claim.Old:
      return ageMs > max(rules.leaseMs, ttl);
    case Claim.Fresh:
      return hasWaited || ageMs <= rules.leaseMs;
    case Claim.Waited:
      return hasWaited;
    case Claim.Timestamp:
      return wallMs() / 1000 - timestamp > rules.leaseMs / 1000;
    case Claim.WaitedAndTimestamp: {
      if (!hasWaited) return false;
      const age = wallMs() / 1000 - timestamp;
      return age > rules.leaseMs / 1000 || age < -AHEAD_MAX_S;
    }
    default:
      return false;
  }
}

function claimRule(kind: Kind): Claim {
  switch (kind) {
    case Kind.Held:
      return rules.held;
    case Kind.Released:
      return rules.released;
    case Kind.Init:
      return rules.init;
    case Kind.Boot:
      return rules.boot;
    case Kind.Late:
      return rules.late;
    case Kind.Foreign:
      return rules.foreign;
    default:
      return rules.odd;
  }
}

/** Writes its own record, with a term that no leader has had. */
function claim(r0: i64, cas: u32, found: i64, isAbsent: bool): void {
  if (isImpossible()) return;
  let next = rules.terms == Terms.RecordOnly ? found + 1 : max(found, seenTerm) + 1;
  let wall: i64 = 0;
  if (rules.terms == Terms.KeyFirst) {
    // Raised once, used once: a leader that has lapsed raises it in its next pass.
    if (raisedTerm == 0) return;
    next = raisedTerm;
    raisedTerm = 0;
  } else if (rules.terms == Terms.Key) {
    const status = host.get(KEY, termKeySize);
    if (status != Ok && status != NotFound) return;
    const last = status == Ok ? record.readNumber(host.valuePtr, host.valueSize) : 0;
    const termCas = host.version;
    wall = wallMs();
    // Not below wall milliseconds: so terms grow over a lost store, too.
    next = max(max(last + 1, next), wall);
    if (raise(next, termCas, status == NotFound) != Ok) return;
  }
  if (isAbsent && !probe()) return;
  const status = hold(r0, isAbsent ? createsWith() : cas, next, seconds(wall));
  if (isAbsent && status == CasMismatch) creationRefused();
  if (status != Ok) return;
  tookTerm(next);
  otherMono = NOTHING;
  isTrying = rules.confirms || rules.isOnProbation;
  if (rules.isOnProbation) probationMs = monoMs();
  if (!isTrying) lead(r0);
}

/** The mistake: whoever raises first need not read first. */
function raiseTerm(): bool {
  const status = host.get(KEY, termKeySize);
  if (status != Ok && status != NotFound) return false;
  raisedTerm = (status == Ok ? record.readNumber(host.valuePtr, host.valueSize) : 0) + 1;
  return raise(raisedTerm, host.version, status == NotFound) == Ok;
}

function raise(next: i64, cas: u32, isAbsent: bool): i32 {
  if (isAbsent && !probe()) return CasMismatch;
  buildNumber(next);
  const status = host.setLine(KEY, termKeySize, isAbsent ? createsWith() : cas);
  if (isAbsent && status == CasMismatch) creationRefused();
  return status;
}

function hold(r0: i64, cas: u32, held: i64, unixSeconds: i64): i32 {
  buildHeld(ID, unixSeconds, held, r0, rules.leaseMs);
  return host.setLine(KEY, keySize, cas);
}

/** For the record's timestamp, at which wasm-go alone looks; `wall` is the clock's reading where there is one. */
function seconds(wall: i64): i64 {
  if (wall != 0) return wall / 1000;
  return rules.isShared || rules.terms == Terms.Key ? wallMs() / 1000 : 0;
}

function lead(r0: i64): void {
  if (rules.fence == Fence.Eager && !touchCell(r0)) return;
  start(r0);
}
