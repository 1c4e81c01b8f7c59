/**
 * Leads as its configuration says, honestly or not, and says so in the lines of an elector. Of all VMs the one leads that
 * ticks first. Ticks every second. Raw imports.
 *
 * | mode | what it does |
 * | --- | --- |
 * | honest | sets its lease, claims in its first tick, renews, calls the collector with its term |
 * | both-lead | every VM claims, each in a term of its own |
 * | term-falls | stops and claims again every five seconds, in a lower term each time |
 * | leads-late | claims in its tenth tick |
 * | never-leads | nobody claims |
 * | starts-twice | claims a second term and has not stopped the first |
 * | stops-twice | says twice that it has stopped |
 * | stops-other | stops another term than it claimed |
 * | both-write | the others set their own record over the leader's, and claim nothing |
 * | stale-call | calls the collector with a lower term in its fifth tick |
 * | no-term | calls the collector without a term |
 * | calls-stranger | calls a cluster that nobody declared |
 * | silent | neither logs its word nor calls |
 * | traps | traps in its third tick |
 * | refuses | refuses its configuration |
 * | teapot | answers requests with 418 |
 */

// prettier-ignore
@external("env", "proxy_log")
declare function log(level: u32, text: usize, size: usize): i32;
// prettier-ignore
@external("env", "proxy_set_tick_period_milliseconds")
declare function setTick(periodMs: u32): i32;
// prettier-ignore
@external("env", "proxy_get_buffer_bytes")
declare function getBuffer(type: u32, start: u32, length: u32, data: usize, size: usize): i32;
// prettier-ignore
@external("env", "proxy_get_shared_data")
declare function getShared(key: usize, keySize: usize, data: usize, size: usize, cas: usize): i32;
// prettier-ignore
@external("env", "proxy_set_shared_data")
declare function setShared(key: usize, keySize: usize, data: usize, size: usize, cas: u32): i32;
// prettier-ignore
@external("env", "proxy_send_local_response")
declare function sendLocalResponse(
  status: u32, details: usize, detailsSize: usize, body: usize, bodySize: usize,
  headers: usize, headersSize: usize, grpcStatus: i32,
): i32;
// prettier-ignore
@external("env", "proxy_http_call")
declare function httpCall(
  cluster: usize, clusterSize: usize, headers: usize, headersSize: usize, body: usize, bodySize: usize,
  trailers: usize, trailersSize: usize, timeoutMs: u32, token: usize,
): i32;
// prettier-ignore
@external("wasi_snapshot_preview1", "clock_time_get")
declare function clockTime(id: u32, precision: u64, time: usize): i32;
// prettier-ignore
@external("wasi_snapshot_preview1", "random_get")
declare function randomGet(into: usize, size: usize): i32;

const out = memory.data(16, 8);
const bufferConfiguration: u32 = 7;
const debug: u32 = 1;
const info: u32 = 2;
const leaseMs: i64 = 15_000;
const KEY = String.UTF8.encode("higress_wasm_vm_lease:p");

let mode: string = "";
let id: string = "";
let ticks: i32 = 0;
let isFirst: bool = false;
let leads: bool = false;
/** The term it leads in, or led in last. */
let term: i64 = 0;
const none = new ArrayBuffer(4);

export function proxy_abi_version_0_2_1(): void {}

export function malloc(size: i32): usize {
  return heap.alloc(size);
}

export function proxy_on_vm_start(_root: u32, _size: u32): i32 {
  return 1;
}

export function proxy_on_configure(_root: u32, size: u32): i32 {
  if (size > 0 && getBuffer(bufferConfiguration, 0, size, out, out + 4) == 0)
    mode = String.UTF8.decodeUnsafe(load<u32>(out), load<u32>(out, 4));
  if (mode == "refuses") {
    say(info, "this configuration says refuse");
    return 0;
  }
  randomGet(out, 8);
  id = load<u64>(out).toString(16);
  setTick(1000);
  return 1;
}

export function proxy_on_tick(_root: u32): void {
  ticks++;
  if (mode == "traps" && ticks == 3) unreachable();
  if (mode != "silent") say(info, "tick");
  if (mode == "never-leads") return;
  if (ticks == 1) begin();
  else if (leads) go();
  else if (isFirst && mode == "leads-late" && ticks == 10) claim(100);
}

export function proxy_on_request_headers(_stream: u32, _count: u32, _end: u32): i32 {
  if (mode != "teapot") return 0;
  const headers = changetype<usize>(none);
  sendLocalResponse(418, 0, 0, 0, 0, headers, none.byteLength, -1);
  return 1;
}

/** The first tick: whoever finds no lease is the leader, and the others follow. */
function begin(): void {
  isFirst = getShared(changetype<usize>(KEY), KEY.byteLength, out, out + 4, out + 8) != 0;
  if (isFirst) write(0);
  if (mode == "leads-late") return;
  if (isFirst) claim(100);
  else if (mode == "both-lead") claim(200);
  else if (mode == "both-write") write(load<u32>(out, 8));
}

/** A tick of one that leads. */
function go(): void {
  if (mode == "term-falls" && ticks % 5 == 0) {
    stop(term);
    claim(term - 1);
  } else if (mode == "starts-twice" && ticks == 5) claim(term + 1);
  else if (mode == "stops-twice" && ticks == 5) {
    stop(term);
    stop(term);
  } else if (mode == "stops-other" && ticks == 5) stop(term + 1);
  else witness("renew");
  if (mode != "silent") call(mode == "stale-call" && ticks == 5 ? term - 1 : term);
}

function claim(next: i64): void {
  leads = true;
  term = next;
  witness("claim");
}

function stop(which: i64): void {
  leads = false;
  const line =
    "stop term=" + which.toString() + " at_ns=" + nowNs().toString() + " reason=released";
  say(debug, "proxy-wasm-as.election " + line + " id=" + id + " key=lease");
}

function witness(what: string): void {
  const now = nowNs();
  const until = now + leaseMs * 1_000_000;
  const times = " at_ns=" + now.toString() + " until_ns=" + until.toString();
  const line = what + " term=" + term.toString() + times + " id=" + id + " key=lease";
  say(debug, "proxy-wasm-as.election " + line);
}

function write(cas: u32): void {
  const record =
    '{"vmID":"' +
    id +
    '","timestamp":1,"st":"held","term":100,"mono":' +
    (nowNs() / 1_000_000).toString() +
    ',"ttl":' +
    leaseMs.toString() +
    "}";
  const value = String.UTF8.encode(record);
  setShared(
    changetype<usize>(KEY),
    KEY.byteLength,
    changetype<usize>(value),
    value.byteLength,
    cas,
  );
}

function call(shownTerm: i64): void {
  const texts = [":method", "POST", ":path", "/", ":authority", "leader"];
  if (mode != "no-term") {
    texts.push("x-leader-term");
    texts.push(shownTerm.toString());
  }
  const cluster = String.UTF8.encode(mode == "calls-stranger" ? "stranger" : "collector");
  const headers = pairs(texts);
  httpCall(
    changetype<usize>(cluster),
    cluster.byteLength,
    changetype<usize>(headers),
    headers.byteLength,
    0,
    0,
    changetype<usize>(none),
    none.byteLength,
    500,
    out,
  );
}

function nowNs(): i64 {
  clockTime(1, 0, out);
  return load<i64>(out);
}

function say(level: u32, text: string): void {
  const bytes = String.UTF8.encode(text);
  log(level, changetype<usize>(bytes), bytes.byteLength);
}

/** Names and values in turn: the count, the sizes, then each text with a NUL behind it. */
function pairs(texts: string[]): ArrayBuffer {
  let size = 4 + 4 * texts.length;
  for (let i = 0; i < texts.length; i++) size += String.UTF8.byteLength(texts[i]) + 1;
  const made = new ArrayBuffer(size);
  const base = changetype<usize>(made);
  store<u32>(base, texts.length / 2);
  let at = base + 4 + 4 * texts.length;
  for (let i = 0; i < texts.length; i++) {
    const bytes = String.UTF8.encode(texts[i]);
    store<u32>(base + 4 + 4 * i, bytes.byteLength);
    memory.copy(at, changetype<usize>(bytes), bytes.byteLength);
    at += bytes.byteLength + 1;
  }
  return made;
}
