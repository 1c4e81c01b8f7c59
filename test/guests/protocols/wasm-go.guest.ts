/**
 * P0, wasm-go's recipe: whole wall-clock seconds, cas 0 where nothing is found, a flag that nothing but the next pass
 * takes back. Its term, which wasm-go does not have, is the wall clock's milliseconds at which the flag went up.
 */
import * as host from "./host.guest";
import { NotFound, Ok, wallMs } from "./host.guest";
import { ID, ID_SIZE, KEY, keySize } from "./keys.guest";
import * as record from "./record.guest";
import { leaseMs } from "./rules.guest";
import { FOR_EVER_MS, sayClaim, sayStop } from "./witness.guest";

let isLeader: bool = false;
let term: i64 = 0;

export function passAsWasmGo(): void {
  const now = wallMs();
  const wasLeader = isLeader;
  isLeader = tries(now / 1000);
  if (isLeader && !wasLeader) {
    term = now;
    sayClaim(term, now, now + FOR_EVER_MS);
  } else if (!isLeader && wasLeader) {
    sayStop(term, now, "replaced");
  }
}

function tries(now: i64): bool {
  const status = host.get(KEY, keySize);
  if (status == NotFound) return write(now, 0);
  if (status != Ok) return false;
  const cas = host.version;
  if (host.valueSize == 0) return write(now, cas);
  if (!record.readFields(host.valuePtr, host.valueSize)) return false;
  const isMine = record.idSize == ID_SIZE && memory.compare(record.idPtr, ID, ID_SIZE) == 0;
  if (!isMine && now - max(record.timestamp, 0) <= leaseMs / 1000) return false;
  return write(now, cas);
}

function write(now: i64, cas: u32): bool {
  record.buildForeign(ID, ID_SIZE, now);
  return host.setLine(KEY, keySize, cas) == Ok;
}
