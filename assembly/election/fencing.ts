/**
 * Fence cells: values in shared data that refuse a leader whose time is over.
 *
 *   {"term":n,"by":"<id of the holder>","data":<any JSON value>}
 *
 * A write is accepted when its term is higher, or equal and from the same holder; the check and the
 * write are one step, since the write is conditional on the version that was checked.
 */
import { JsonValid, ParseJson } from "../json/index";
import { newBytes, noBytes } from "../memory/bytes";
import { GetSharedData, SetSharedData, Status } from "../proxywasm/index";
import { Elector } from "./elector";
import { readTerm } from "./lease";
import { begin, linePtr, lineSize, put, putNumber } from "./line";

const TRIES_MAX: i32 = 8;

/** What became of a fenced call. */
export enum FencedOutcome {
  Ok,
  /** The cell has met a higher term, or this one from another holder: leadership is over. */
  Fenced,
  /** This context leads nothing, or its promise has ended: it has no term to write with. */
  NotLeader,
  /** The cell kept changing under eight tries. Nothing was written; leadership is not touched. */
  Busy,
  /** There is no such cell. */
  Missing,
  /** The data is no JSON value. */
  BadData,
  /** The host refused: see `status`. */
  Error,
}

/** Result of `FencedSet`. */
export class FencedResult {
  constructor(
    public readonly outcome: FencedOutcome,
    /** The last host call's; `Ok` when there was none. */
    public readonly status: Status,
  ) {}
}

/** A fence cell as `FencedGet` found it. */
export class FencedCell {
  /** `Ok`, `Missing` or `Error`. A cell whose text cannot be read is one of term 0 without data. */
  Outcome: FencedOutcome = FencedOutcome.Ok;
  /** The host call's. */
  Status: Status = Status.Ok;
  /** The highest term the cell has met; 0 when none, or one that no leader can have had. */
  Term: i64 = 0;
  /** The id of the candidate that wrote last. */
  By: string = "";
  /** The data as JSON text; empty when nothing was written yet. */
  Data: Uint8Array = noBytes();
}

/** The version of the cell that was read last, for a conditional write. */
let version: u32 = 0;
/** What the host said last. */
let status: Status = Status.Ok;

/** Reads a cell. */
export function readCell(key: string): FencedCell {
  const cell = new FencedCell();
  const found = GetSharedData(key);
  cell.Status = found.status;
  version = found.cas;
  if (found.status != Status.Ok) {
    cell.Outcome = found.status == Status.NotFound ? FencedOutcome.Missing : FencedOutcome.Error;
    return cell;
  }
  const json = ParseJson(found.value);
  cell.Term = readTerm(json.Get("term").RawBytes());
  cell.By = json.Get("by").String();
  const data = json.Get("data");
  if (data.Exists() && !data.IsNull()) cell.Data = data.RawBytes();
  return cell;
}

/** Writes a JSON value with the elector's term. A refusal ends its leadership. */
export function fencedSet(elector: Elector | null, key: string, data: Uint8Array): FencedResult {
  return fencedSetIn(elector === null ? 0 : elector.leaderTerm(), elector, key, data);
}

/** As `fencedSet`, in a term of that elector; 0: it has none. */
export function fencedSetIn(
  term: i64,
  elector: Elector | null,
  key: string,
  data: Uint8Array,
): FencedResult {
  status = Status.Ok;
  let outcome = FencedOutcome.NotLeader;
  if (elector !== null && term != 0) {
    outcome = JsonValid(data) ? attempt(elector, term, key, data) : FencedOutcome.BadData;
  }
  return new FencedResult(outcome, status);
}

/** Shows the term to each of the elector's cells; false when one of them would not have it. */
export function touchFences(elector: Elector): bool {
  const keys = elector.fenceKeys;
  if (keys === null) return true;
  for (let i = 0; i < keys.length; i++) {
    if (attempt(elector, elector.term, keys[i], null) != FencedOutcome.Ok) return false;
  }
  return true;
}

/** `data` null leaves the cell's data as it is. */
function attempt(elector: Elector, term: i64, key: string, data: Uint8Array | null): FencedOutcome {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const cell = readCell(key);
    status = cell.Status;
    const isAbsent = cell.Outcome == FencedOutcome.Missing;
    if (!isAbsent && cell.Outcome != FencedOutcome.Ok) return cell.Outcome;
    if (cell.Term > term || (cell.Term == term && cell.By != elector.id)) {
      elector.fenced(cell.Term);
      return FencedOutcome.Fenced;
    }
    const text = cellText(term, elector.id, data === null ? cell.Data : data);
    status = SetSharedData(key, text, isAbsent ? elector.creation.cas : version);
    if (status == Status.Ok) return FencedOutcome.Ok;
    if (status != Status.CasMismatch) return FencedOutcome.Error;
  }
  return FencedOutcome.Busy;
}

function cellText(term: i64, by: string, data: Uint8Array): Uint8Array {
  begin('{"term":');
  putNumber(term);
  put(',"by":"');
  put(by);
  put('","data":');
  if (data.byteLength == 0) put("null");
  const head = lineSize();
  const size = data.byteLength;
  const text = newBytes(<i32>head + size + 1);
  memory.copy(text.dataStart, linePtr(), head);
  memory.copy(text.dataStart + head, data.dataStart, size);
  store<u8>(text.dataStart + head + size, 0x7d);
  return text;
}
