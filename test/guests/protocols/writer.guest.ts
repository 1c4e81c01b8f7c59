/**
 * One of several writers of the fence cell `cell`, with a term of its own: each tick is one write. The first word of
 * the configuration says how: `right`, `absent` (creates a cell that nobody has ensured, over whatever is there by
 * then), `blind` (sets without condition after the check), `unchecked` (compares versions and no terms), `ties` (lets
 * an equal term of another writer pass); the second `term=N`.
 *
 * A write that was accepted is told as a claim of term 16 N + its number, so that terms grow exactly where no older
 * write comes after a newer one.
 */
import * as host from "./host.guest";
import { CasMismatch, NotFound, Ok } from "./host.guest";
import { CELL_KEY, CELL_KEY_SIZE, ID, ID_SIZE, drawKeys } from "./keys.guest";
import * as record from "./record.guest";
import { begin } from "./text.guest";
import { sayClaim, sayStop } from "./witness.guest";

const TRIES_MAX: i32 = 8;
const WRITES_MAX: i64 = 16;
const PERIOD_MS: i64 = 3_000;

let isRight: bool = false;
let isAbsent: bool = false;
let isBlind: bool = false;
let isUnchecked: bool = false;
let hasTies: bool = false;
let term: i64 = 0;
let writeCount: i64 = 0;

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return host.inbox(size);
}

export function proxy_on_vm_start(_root: u32, _size: u32): i32 {
  return 1;
}

export function proxy_on_configure(_root: u32, size: i32): i32 {
  const words = host.configuration(size).split(" ");
  isRight = words[0] == "right";
  isAbsent = words[0] == "absent";
  isBlind = words[0] == "blind";
  isUnchecked = words[0] == "unchecked";
  hasTies = words[0] == "ties";
  const isKnown = isRight || isAbsent || isBlind || isUnchecked || hasTies;
  if (!isKnown || words.length != 2 || !words[1].startsWith("term=")) {
    begin("no such writer: test/guests/protocols/writer.guest.ts");
    host.logLine();
    return 0;
  }
  term = I64.parseInt(words[1].substring(5));
  drawKeys(false);
  if (!isAbsent && host.get(CELL_KEY, CELL_KEY_SIZE) == NotFound) {
    record.buildCell(0, ID, 0, 0);
    host.setLine(CELL_KEY, CELL_KEY_SIZE, 0);
  }
  host.setPeriod(PERIOD_MS);
  return 1;
}

export function proxy_on_tick(_root: u32): void {
  if (!write()) return;
  writeCount++;
  const spoken = term * WRITES_MAX + writeCount;
  sayClaim(spoken, 0, 1);
  sayStop(spoken, 1, "released");
}

function write(): bool {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const status = host.get(CELL_KEY, CELL_KEY_SIZE);
    if (status == NotFound && !isAbsent) return false;
    const last = status == Ok ? record.readCell(host.valuePtr, host.valueSize) : 0;
    if (!isUnchecked && isRefused(last)) return false;
    const cas = status == Ok && !isBlind ? host.version : 0;
    record.buildCell(term, ID, ID_SIZE, writeCount);
    const outcome = host.setLine(CELL_KEY, CELL_KEY_SIZE, cas);
    if (outcome != CasMismatch) return outcome == Ok;
  }
  return false;
}

function isRefused(last: i64): bool {
  if (last != term) return last > term;
  const isMine = record.idSize == ID_SIZE && memory.compare(record.idPtr, ID, ID_SIZE) == 0;
  return !isMine && !hasTies;
}
