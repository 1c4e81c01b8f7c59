/**
 * What a candidate does, as the configuration says: `P5-boot`, `P4-observe-from-r0 lease=16000`, `P6-strict mistake…`.
 * The first word is a protocol, a hyphen and, if wished, one mistake; README.md has the list. Further words:
 *
 *   lease=MS   the lease (15000; 60000 with `go`)     guard=MS   stop so long before the promise ends
 *   period=MS  of the tick (3000)                     release=N  hand over in the Nth pass
 *   terms=key  a term key beside the record           go         wasm-go's key, records and wall clock
 *   work=call  an HTTP call in each pass as leader    work=cell  a write to the cell `cell` instead
 *   fence=none (default), lazy, eager                 what the cell's writes respect
 */

/** What to do where the key is absent. */
export enum Absent {
  Follow,
  /** Writes a record that nobody holds, over whatever is there by then. */
  PlaceInit,
  PlaceLate,
  PlaceBootThenLate,
  /** Writes its own record, over whatever is there by then. */
  PlaceOwn,
  /** Creates its own record, over nothing. */
  Create,
}

/** When a record may be claimed. */
export enum Claim {
  Never,
  AtOnce,
  /** Its own time is older than the lease. */
  Old,
  /** Its own time is not older than the lease; otherwise it has to be waited for. */
  Fresh,
  /** It has not changed for a lease, as seen from here. */
  Waited,
  /** As a Go VM would: its timestamp alone. */
  Timestamp,
  WaitedAndTimestamp,
}

export enum Terms {
  /** In the record, and remembered. */
  Record,
  /** In the record and nowhere else. */
  RecordOnly,
  Key,
  /** A term key, raised before the record is read. */
  KeyFirst,
}

export enum Restart {
  Always,
  /** Only a renewal that would have ended it. */
  AtEnd,
  Never,
}

export enum Work {
  None,
  Call,
  Cell,
}

export enum Fence {
  None,
  Lazy,
  Eager,
}

export let isWasmGo: bool = false;
export let absent: Absent = Absent.Follow;
/** Written at configure where the key is absent. */
export let ensures: bool = false;
export let init: Claim = Claim.Never;
export let boot: Claim = Claim.Never;
export let held: Claim = Claim.Old;
export let odd: Claim = Claim.Never;
export let foreign: Claim = Claim.Never;
export let released: Claim = Claim.Never;
export let late: Claim = Claim.Never;
/** Leads only when a later pass finds its own record. */
export let confirms: bool = false;
export let isOnProbation: bool = false;
/** When a renewal that lands late restarts probation. */
export let restart: Restart = Restart.Always;
/** Creates with a cas that creates only. */
export let isSentinel: bool = false;
/** Observes each new record of others, with a clock read after the get. */
export let observes: bool = false;

export let observesFromR0: bool = false;
export let promisesAfterSet: bool = false;
export let waitsShort: bool = false;
export let isFlag: bool = false;

export let leaseMs: i64 = 15_000;
export let guardMs: i64 = 0;
export let periodMs: i64 = 3_000;
export let releasePass: i64 = 0;
export let terms: Terms = Terms.Record;
export let isShared: bool = false;
export let work: Work = Work.None;
export let fence: Fence = Fence.None;

/** False for what is no protocol. */
export function readRules(text: string): bool {
  const words = text.split(" ");
  isShared = words.includes("go");
  if (isShared) leaseMs = 60_000;
  const name = words[0];
  const mark = name.indexOf("-");
  if (!protocol(mark < 0 ? name : name.substring(0, mark))) return false;
  const rest = mark < 0 ? "" : name.substring(mark + 1);
  if (rest.length > 0 && !mistake(observes ? variant(rest) : rest)) return false;
  for (let i = 1; i < words.length; i++) if (!option(words[i])) return false;
  return true;
}

function protocol(name: string): bool {
  if (name == "P0") {
    isWasmGo = true;
  } else if (name == "P1") {
    absent = Absent.PlaceInit;
    init = Claim.AtOnce;
  } else if (name == "P2") {
    absent = Absent.PlaceOwn;
    confirms = true;
  } else if (name == "P3") {
    ensures = true;
    init = Claim.AtOnce;
  } else if (name == "P4") {
    absent = Absent.PlaceInit;
    observes = true;
    init = boot = held = odd = foreign = released = late = Claim.Waited;
  } else if (name == "P5" || name == "P6" || name == "P7") {
    observed(name);
  } else {
    return false;
  }
  return true;
}

/** P5 and what is made from it. */
function observed(name: string): void {
  ensures = true;
  absent = Absent.PlaceLate;
  observes = true;
  boot = Claim.AtOnce;
  odd = late = init = Claim.Waited;
  foreign = Claim.WaitedAndTimestamp;
  released = Claim.Fresh;
  guardMs = max(250, leaseMs / 20);
  isOnProbation = name == "P6";
  if (name != "P7") return;
  absent = Absent.Create;
  isSentinel = true;
  terms = Terms.Key;
  ensures = isShared;
}

/** Takes the variants of P5 and P6 off the front of what follows the protocol's name. */
function variant(text: string): string {
  let rest = text;
  if (rest.startsWith("boot")) {
    rest = without(rest, 4);
  } else if (rest.startsWith("strict")) {
    rest = without(rest, 6);
    boot = Claim.Waited;
    ensures = false;
  }
  if (rest.startsWith("absent")) {
    ensures = false;
    return without(rest, 6);
  }
  if (!rest.startsWith("everywhere")) return rest;
  // Configure's step of a host on which every VM configures at the same time: the first pass does it.
  ensures = false;
  absent = Absent.PlaceBootThenLate;
  return without(rest, 10);
}

function without(text: string, size: i32): string {
  return text.length > size ? text.substring(size + 1) : "";
}

/** At most one; also what is no mistake but a start of its own. */
function mistake(name: string): bool {
  if (name == "") return true;
  if (name == "ensured") ensures = true;
  else if (name == "recreate") absent = Absent.PlaceInit;
  else if (name == "observe-from-r0") observesFromR0 = true;
  else if (name == "promise-after-set") promisesAfterSet = true;
  else if (name == "short-wait") waitsShort = true;
  else if (name == "flag") isFlag = true;
  else if (name == "corrupt-at-once") odd = Claim.AtOnce;
  else if (name == "go-by-timestamp") foreign = Claim.Timestamp;
  else if (name == "term-first") terms = Terms.KeyFirst;
  else if (name == "term-in-record") terms = Terms.RecordOnly;
  else if (name == "no-restart") restart = Restart.Never;
  else if (name == "restart-at-end") restart = Restart.AtEnd;
  else return false;
  return true;
}

function option(word: string): bool {
  const mark = word.indexOf("=");
  if (mark < 0) return word == "go";
  const name = word.substring(0, mark);
  const value = word.substring(mark + 1);
  if (name == "lease") {
    leaseMs = I64.parseInt(value);
    if (guardMs > 0) guardMs = max(250, leaseMs / 20);
  } else if (name == "guard") guardMs = I64.parseInt(value);
  else if (name == "period") periodMs = I64.parseInt(value);
  else if (name == "release") releasePass = I64.parseInt(value);
  else if (name == "terms" && value == "key") terms = Terms.Key;
  else if (name == "work" && value == "call") work = Work.Call;
  else if (name == "work" && value == "cell") work = Work.Cell;
  else if (name == "fence" && value == "none") fence = Fence.None;
  else if (name == "fence" && value == "lazy") fence = Fence.Lazy;
  else if (name == "fence" && value == "eager") fence = Fence.Eager;
  else return false;
  return true;
}
