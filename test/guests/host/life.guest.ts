// Logs every callback with its arguments. Words of the plugin or VM configuration switch extras on:
//   tick=MS        arm the timer in on_configure      tick2=MS   set the period again in every tick
//   ticks=N        period 0 in the Nth tick           once       no second line than the first tick's
//   trap=CALLBACK  trap in it                         doneset    on_done writes the key life:done
//   donefalse      on_done answers 0                  donelater  the 2nd tick after on_done calls proxy_done
//   donecall       on_done makes an HTTP call         vmfail, cfgfail  answer 0
//   cfgfailonworker, cfgtraponworker   only where the key life:started exists already
//   call=CLUSTER   an HTTP call in every tick; timeout=MS  its timeout (1000)
//   queue=NAME     register the queue in on_configure; put  enqueue in every tick
import * as r from "./raw.guest";
import { W0, W1, W2, bytes, ptr, take, log } from "./raw.guest";

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return heap.alloc(size);
}

const identity = new Uint8Array(8);
const identityStatus = r.random_get(identity.dataStart, 8);
log("_initialize random=" + identityStatus.toString() + " id=" + r.hex(identity));

let configuration = "";
let vmConfiguration = "";

function has(word: string): bool {
  return (" " + configuration + " " + vmConfiguration + " ").includes(" " + word + " ");
}

function option(name: string): string {
  const words = configuration.split(" ");
  for (let i = 0; i < words.length; i++) {
    if (words[i].startsWith(name + "=")) return words[i].substring(name.length + 1);
  }
  return "";
}

function trapIn(callback: string): void {
  if (option("trap") == callback) unreachable();
}

function isLater(): bool {
  const key = bytes("life:started");
  if (r.proxy_get_shared_data(ptr(key), key.byteLength, W0, W1, W2) == 0) {
    take();
    return true;
  }
  r.proxy_set_shared_data(ptr(key), key.byteLength, ptr(key), 1, 0);
  return false;
}

export function proxy_on_context_create(id: u32, parent: u32): void {
  log(`on_context_create id=${id} parent=${parent}`);
  trapIn("on_context_create");
}

export function proxy_on_vm_start(id: u32, size: u32): i32 {
  const status = r.proxy_get_buffer_bytes(6, 0, size, W0, W1);
  vmConfiguration = status == 0 ? take() : "!";
  const names = `${r.property("plugin_name")},${r.property("plugin_root_id")},${r.property("plugin_vm_id")}`;
  log(`on_vm_start id=${id} size=${size} configuration=${vmConfiguration} names=${names}`);
  if (has("vmtrap")) unreachable();
  return has("vmfail") ? 0 : 1;
}

export function proxy_on_configure(id: u32, size: u32): i32 {
  const status = r.proxy_get_buffer_bytes(7, 0, size, W0, W1);
  configuration = status == 0 ? take() : "!";
  log(`on_configure id=${id} size=${size} configuration=${configuration}`);
  trapIn("on_configure");
  if (has("cfgfail")) return 0;
  // Written by the canary and read by the later VMs: the canary and main pass, or only the canary.
  if (has("cfgfailonworker") && isLater()) return 0;
  if (has("cfgtraponworker") && isLater()) unreachable();
  const period = option("tick");
  if (period.length > 0) r.proxy_set_tick_period_milliseconds(u32(U64.parseInt(period)));
  const queue = option("queue");
  if (queue.length > 0) {
    const name = bytes(queue);
    const answer = r.proxy_register_shared_queue(ptr(name), name.byteLength, W2);
    queueToken = load<u32>(W2);
    log(`register_queue status=${answer} token=${queueToken}`);
  }
  return 1;
}

let queueToken: u32 = 0;
let paused: u32 = 0;
let pausedType: i32 = 0;
let isEffective = true;
let tickCount = 0;
let ticksSinceDone = -1;

export function proxy_on_tick(id: u32): void {
  tickCount++;
  log(`on_tick id=${id} n=${tickCount} t_us=${r.monotonicNs() / 1000}`);
  trapIn("on_tick");
  if (paused > 0) {
    const effective = isEffective ? r.proxy_set_effective_context(paused) : -1;
    log(`on_tick effective=${effective} continue=${r.proxy_continue_stream(pausedType)}`);
    paused = 0;
  }
  const again = option("tick2");
  if (again.length > 0) r.proxy_set_tick_period_milliseconds(u32(U64.parseInt(again)));
  const last = option("ticks");
  if (last.length > 0 && I32.parseInt(last) == tickCount) r.proxy_set_tick_period_milliseconds(0);
  if (has("donelater") && id == 1 && ticksSinceDone >= 0 && ++ticksSinceDone == 2) {
    log(`on_tick proxy_done=${r.proxy_done()}`);
  }
  const cluster = option("call");
  if (cluster.length > 0) {
    const timeout = option("timeout");
    const ms = timeout.length > 0 ? u32(U64.parseInt(timeout)) : 1000;
    const status = r.httpCall(cluster, "/tick", "", ms);
    log(`on_tick http_call=${status} token=${load<u32>(W2)}`);
  }
  if (has("put")) r.proxy_enqueue_shared_queue(queueToken, ptr(bytes("x")), 1);
}

export function proxy_on_http_call_response(
  id: u32,
  token: u32,
  headers: u32,
  size: u32,
  trailers: u32,
): void {
  const status = r.header(6, ":status");
  const bodyStatus = r.proxy_get_buffer_bytes(4, 0, 1000, W0, W1);
  const body = bodyStatus == 0 ? take() : `!${bodyStatus}`;
  r.proxy_get_status(W2, W0, W1);
  const code = load<u32>(W2);
  const message = take();
  log(
    `on_http_call_response id=${id} token=${token} headers=${headers > 0 ? "some" : "none"} size=${size} trailers=${trailers} ` +
      `status=${status} body=${body} code=${code} message=${message}`,
  );
}

export function proxy_on_queue_ready(id: u32, token: u32): void {
  log(`on_queue_ready id=${id} token=${token}`);
}

function reply(status: u32, text: string): void {
  const body = bytes(text);
  r.proxy_send_local_response(status, 0, 0, ptr(body), body.byteLength, 0, 0, -1);
}

export function proxy_on_request_headers(id: u32, count: u32, end: u32): i32 {
  const path = r.header(0, ":path");
  log(`on_request_headers id=${id} n=${count} end=${end} path=${path}`);
  if (path == "/trap") unreachable();
  if (path == "/traplocal") {
    reply(418, "local");
    unreachable();
  }
  if (path == "/local") {
    reply(418, "local");
    return 1;
  }
  if (path == "/empty") reply(204, "");
  if (path == "/pause") return 1;
  if (path == "/contpause" || path == "/contgo") {
    log(`on_request_headers continue=${r.proxy_continue_stream(0)} path=${r.header(0, ":path")}`);
    return path == "/contpause" ? 1 : 0;
  }
  // The next tick continues it; /resumeroot without the effective context.
  if (path == "/resume" || path == "/resumeroot") {
    paused = id;
    pausedType = 0;
    isEffective = path == "/resume";
    return 1;
  }
  if (path == "/twice") {
    reply(418, "one");
    reply(419, "two");
  }
  if (path == "/close") r.proxy_close_stream(0);
  if (path == "/ret2") return 2;
  if (path == "/ret9") return 9;
  return 0;
}

export function proxy_on_request_body(id: u32, size: u32, end: u32): i32 {
  log(`on_request_body id=${id} size=${size} end=${end} path=${r.header(0, ":path")}`);
  return 0;
}

export function proxy_on_request_trailers(id: u32, count: u32): i32 {
  log(`on_request_trailers id=${id} n=${count}`);
  return 0;
}

export function proxy_on_response_headers(id: u32, count: u32, end: u32): i32 {
  const todo = r.header(2, "x-todo");
  log(`on_response_headers id=${id} n=${count} end=${end}`);
  if (todo == "trap") unreachable();
  if (todo == "local") reply(419, "late");
  if (todo == "nostatus") {
    const name = bytes(":status");
    r.proxy_remove_header_map_value(2, ptr(name), name.byteLength);
  }
  if (todo == "resume") {
    paused = id;
    pausedType = 1;
    isEffective = true;
    return 1;
  }
  return 0;
}

export function proxy_on_response_body(id: u32, size: u32, end: u32): i32 {
  log(`on_response_body id=${id} size=${size} end=${end}`);
  if (size == 13) reply(500, "too late");
  return 0;
}

export function proxy_on_response_trailers(id: u32, count: u32): i32 {
  log(`on_response_trailers id=${id} n=${count}`);
  return 0;
}

export function proxy_on_log(id: u32): void {
  log(`on_log id=${id} path=${r.header(0, ":path")} status=${r.header(2, ":status")}`);
}

export function proxy_on_done(id: u32): i32 {
  log(`on_done id=${id}`);
  if (has("doneset")) {
    const key = bytes("life:done");
    log(
      `on_done set=${r.proxy_set_shared_data(ptr(key), key.byteLength, ptr(key), key.byteLength, 0)}`,
    );
  }
  if (has("donecall")) log(`on_done http_call=${r.httpCall("up", "/from_on_done", "", 1000)}`);
  ticksSinceDone = 0;
  return has("donefalse") ? 0 : 1;
}

export function proxy_on_delete(id: u32): void {
  log(`on_delete id=${id}`);
}
