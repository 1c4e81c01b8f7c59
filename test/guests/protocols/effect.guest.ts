// What a leader does once it leads: an HTTP call with its term, or a write to a fence cell.
import * as host from "./host.guest";
import { CasMismatch, Ok, monoMs } from "./host.guest";
import { CELL_KEY, CELL_KEY_SIZE, CLUSTER, CLUSTER_SIZE, ID, ID_SIZE } from "./keys.guest";
import { acted, fenced, mayAct, term } from "./leadership.guest";
import * as record from "./record.guest";
import * as rules from "./rules.guest";
import { Fence, Work } from "./rules.guest";
import { begin, put, putBytes, putNumber, putWord } from "./text.guest";

const TRIES_MAX: i32 = 8;
const TIMEOUT_MS: u32 = 60_000;
/** Keeps the data of the cell as it is. */
const UNCHANGED: i64 = -1;

export function work(): void {
  const now = monoMs();
  if (!mayAct(now)) return;
  if (rules.work == Work.Call) call();
  else if (writeCell(now, now)) acted(now);
}

/** Shows the term to the cell before leadership is reported; false: the cell knows a higher one. */
export function touchCell(nowMs: i64): bool {
  return writeCell(nowMs, UNCHANGED);
}

function writeCell(nowMs: i64, data: i64): bool {
  if (rules.fence == Fence.None) {
    record.buildCell(term, ID, ID_SIZE, data);
    return host.setLine(CELL_KEY, CELL_KEY_SIZE, 0) == Ok;
  }
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (host.get(CELL_KEY, CELL_KEY_SIZE) != Ok) return false;
    const last = record.readCell(host.valuePtr, host.valueSize);
    if (last > term || (last == term && !isMine())) {
      fenced(nowMs, last);
      return false;
    }
    record.buildCell(term, ID, ID_SIZE, data == UNCHANGED ? record.data : data);
    const status = host.setLine(CELL_KEY, CELL_KEY_SIZE, host.version);
    if (status != CasMismatch) return status == Ok;
  }
  return false;
}

function isMine(): bool {
  return record.idSize == ID_SIZE && memory.compare(record.idPtr, ID, ID_SIZE) == 0;
}

/** POST /effect with `x-leader-term` and `x-leader-id`. */
function call(): void {
  begin("");
  putWord(5);
  sizes(7, 4);
  sizes(5, 7);
  sizes(10, 9);
  sizes(13, digitCount(term));
  sizes(11, ID_SIZE);
  pair(":method", "POST");
  pair(":path", "/effect");
  pair(":authority", "collector");
  put("x-leader-term\0");
  putNumber(term);
  put("\0x-leader-id\0");
  putBytes(ID, ID_SIZE);
  put("\0");
  host.callWithLine(CLUSTER, CLUSTER_SIZE, TIMEOUT_MS);
}

function sizes(name: u32, value: u32): void {
  putWord(name);
  putWord(value);
}

function pair(name: string, value: string): void {
  put(name);
  put("\0");
  put(value);
  put("\0");
}

function digitCount(value: i64): u32 {
  let count: u32 = 1;
  for (let rest = value / 10; rest != 0; rest /= 10) count++;
  return count;
}
