/**
 * wasm-go's election step by step, as a baseline beside ours: one key for all plugins, whole wall-clock seconds, cas 0
 * where nothing is found, a flag that nothing but the next pass takes back. The wrapper around it ticks every 100 ms
 * and runs the pass when 3 s have passed on the wall clock, for the first time at the first tick. Raw imports.
 */
import { Json, JsonKind, ParseJson } from "proxy-wasm-as/assembly/json/index";

// prettier-ignore
@external("env", "proxy_log")
declare function log(level: u32, text: usize, size: usize): i32;


@external("env", "proxy_set_tick_period_milliseconds")
declare function setTick(periodMs: u32): i32;


@external("env", "proxy_get_current_time_nanoseconds")
declare function wallClock(time: usize): i32;
// prettier-ignore
@external("env", "proxy_get_shared_data")
declare function getShared(key: usize, keySize: usize, value: usize, valueSize: usize, cas: usize): i32;
// prettier-ignore
@external("env", "proxy_set_shared_data")
declare function setShared(key: usize, keySize: usize, value: usize, valueSize: usize, cas: u32): i32;
// prettier-ignore
@external("env", "proxy_get_header_map_value")
declare function getHeader(map: u32, name: usize, nameSize: usize, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_send_local_response")
declare function sendLocalResponse(
  status: u32, details: usize, detailsSize: usize, body: usize, bodySize: usize,
  headers: usize, headersSize: usize, grpcStatus: i32,
): i32;


@external("wasi_snapshot_preview1", "random_get")
declare function random(buffer: usize, size: usize): i32;

const out = memory.data(16, 8);
const Ok: i32 = 0;
const NotFound: i32 = 1;
const info: u32 = 2;

const KEY = String.UTF8.encode("higress_wasm_vm_lease:");
const PERIOD_MS: u64 = 3_000;
const LEASE_S: i64 = 60;

/** Once a VM, not once a context. */
let vmId: string = "";
let isLeader: bool = false;
let lastRunMs: u64 = 0;

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return heap.alloc(size);
}

export function proxy_on_vm_start(_root: u32, _size: u32): i32 {
  return 1;
}

export function proxy_on_configure(_root: u32, _size: u32): i32 {
  if (vmId.length == 0) vmId = randomId();
  setTick(100);
  return 1;
}

export function proxy_on_tick(_root: u32): void {
  const now = wallNs() / 1_000_000;
  if (lastRunMs + PERIOD_MS > now) return;
  lastRunMs = now;
  pass();
}

/** `/pass` runs a pass first; the answer is what IsLeader says. */
export function proxy_on_request_headers(_stream: u32, _count: u32, _end: u32): i32 {
  if (path() == "/pass") pass();
  const body = String.UTF8.encode('{"leads":' + isLeader.toString() + "}");
  const none = new ArrayBuffer(4);
  sendLocalResponse(
    200,
    0,
    0,
    changetype<usize>(body),
    body.byteLength,
    changetype<usize>(none),
    none.byteLength,
    -1,
  );
  return 1;
}

function pass(): void {
  isLeader = tryToLead();
  if (isLeader) say("wasm-go leads");
}

function tryToLead(): bool {
  const now = <i64>(wallNs() / 1_000_000_000);
  const status = getShared(changetype<usize>(KEY), KEY.byteLength, out, out + 4, out + 8);
  if (status == NotFound) return write(now, 0);
  if (status != Ok) return false;
  const value = taken(load<u32>(out), load<u32>(out, 4));
  const cas = load<u32>(out, 8);
  if (value.byteLength == 0) return write(now, cas);
  const record = ParseJson(value);
  if (!isRecord(record)) return false;
  const isMine = record.Get("vmID").String() == vmId;
  if (!isMine && now - record.Get("timestamp").Int() <= LEASE_S) return false;
  return write(now, cas);
}

/** As Go reads JSON into a struct of a string and an int64: what is absent or null stays zero. */
function isRecord(json: Json): bool {
  if (json.IsNull()) return true;
  if (!json.IsObject()) return false;
  const id = json.Get("vmID");
  const timestamp = json.Get("timestamp");
  if (id.Exists() && !id.IsNull() && id.Kind() != JsonKind.String) return false;
  if (!timestamp.Exists() || timestamp.IsNull()) return true;
  return timestamp.Kind() == JsonKind.Number && isInteger(timestamp.Raw());
}

function isInteger(text: string): bool {
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char != 0x2d && (char < 0x30 || char > 0x39)) return false;
  }
  return true;
}

function write(now: i64, cas: u32): bool {
  const text = '{"vmID":"' + vmId + '","timestamp":' + now.toString() + "}";
  const value = String.UTF8.encode(text);
  return (
    setShared(
      changetype<usize>(KEY),
      KEY.byteLength,
      changetype<usize>(value),
      value.byteLength,
      cas,
    ) == Ok
  );
}

function wallNs(): u64 {
  wallClock(out);
  return load<u64>(out);
}

function randomId(): string {
  const bytes = new Uint8Array(16);
  random(bytes.dataStart, 16);
  let text = "";
  for (let i = 0; i < 16; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += "-";
    text += (<u32>bytes[i] + 0x100).toString(16).substring(1);
  }
  return text;
}

function path(): string {
  const name = String.UTF8.encode(":path");
  if (getHeader(0, changetype<usize>(name), name.byteLength, out, out + 4) != Ok) return "";
  return String.UTF8.decode(taken(load<u32>(out), load<u32>(out, 4)).buffer);
}

/** A copy of what the host gave, whose memory is freed. */
function taken(ptr: usize, size: i32): Uint8Array {
  const bytes = new Uint8Array(size);
  memory.copy(bytes.dataStart, ptr, size);
  if (ptr != 0) heap.free(ptr);
  return bytes;
}

function say(text: string): void {
  const bytes = String.UTF8.encode(text);
  log(info, changetype<usize>(bytes), bytes.byteLength);
}
