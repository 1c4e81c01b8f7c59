// A plugin with one fault, named by the configuration of its VM: what watches over plugins must
// notice each.
export * from "proxy-wasm-as/assembly/abi";
import { Action } from "proxy-wasm-as/assembly/abi/enums";
import {
  register,
  Registration,
  RootContext,
  StreamContext,
} from "proxy-wasm-as/assembly/abi/dispatch";
import { proxy_set_shared_data } from "proxy-wasm-as/assembly/abi/imports";
import { proxywasm, wrapper } from "proxy-wasm-as/assembly";

const key = "higress_wasm_vm_lease:robust-trapper";
const kept: Uint8Array[] = [];
let fault: string = "";
let isFirst: bool = false;
let leads: bool = false;
let status: u32 = 0;

const plugin = new Registration("robust-trapper");

plugin.slots.vmStart = (root: RootContext, size: u32): bool => {
  const name = proxywasm.GetVMConfiguration().Text();
  if (name !== null && fault == "") fault = name;
  return true;
};

plugin.slots.configure = (root: RootContext, size: u32): bool => {
  const read = proxywasm.GetPluginConfiguration();
  if (wrapper.JsonValid(read.value)) {
    if (fault == "strict" && size > 100) {
      proxywasm.LogError("configuration refused: it is not JSON");
      return false;
    }
    proxywasm.SetTickPeriodMilliSeconds(1000);
    return true;
  }
  if (fault == "lenient") return true;
  if (fault == "trap-configuration") unreachable();
  while (fault == "hang-configuration") {}
  if (fault != "silent") proxywasm.LogError("configuration refused");
  if (fault == "chatty") proxywasm.LogError("really");
  return false;
};

plugin.slots.done = (root): bool => fault != "immortal";

plugin.slots.tick = (root: RootContext): void => {
  const record = proxywasm.GetSharedData(key);
  if (record.status != wrapper.Status.Ok) return;
  const isJson = wrapper.JsonValid(record.value);
  if (fault == "trap" && !isJson) unreachable();
  while (fault == "hang" && !isJson) {}
  if (fault == "wild-pointer") {
    const end = (<usize>memory.size()) << 16;
    proxy_set_shared_data(end - 8, 8, end - 8, 16, 0);
  }
  if (fault == "leak") kept.push(record.value);
  if (fault == "two") lead(isJson);
  if (fault == "stays" && isFirstOfAll()) lead(true);
};

plugin.slots.requestHeaders = (stream: StreamContext, count: u32, end: bool): Action => {
  const read = proxywasm.GetHttpRequestHeaders();
  const isMalformed = read.status == wrapper.Status.ParseFailure;
  if (fault == "trap-pairs" && isMalformed) unreachable();
  while (fault == "hang-pairs" && isMalformed) {}
  status = read.status;
  if (fault == "lenient-pairs") status = wrapper.Status.Ok;
  if (fault == "strict-pairs" && read.headers.Size() > 3) status = wrapper.Status.ParseFailure;
  if (fault == "inventive-pairs" && read.headers.Size() > 3) read.headers.Add("invented", "");
  if (status == wrapper.Status.Ok) proxywasm.ReplaceHttpRequestHeaders(read.headers);
  return Action.Continue;
};

plugin.slots.responseHeaders = (stream: StreamContext, count: u32, end: bool): Action => {
  const read = proxywasm.GetHttpResponseHeaders();
  status = read.status;
  if (status == wrapper.Status.Ok) proxywasm.ReplaceHttpResponseHeaders(read.headers);
  return Action.Continue;
};

/** The status of the list of headers that was read last. */
export function lastStatus(): u32 {
  return status;
}

/** The same VM each time: the one that made a key of its own. */
function isFirstOfAll(): bool {
  const one = wrapper.utf8.encode("1");
  const status = proxywasm.SetSharedData("robust:first", one, proxywasm.CREATE_ONLY);
  if (status == wrapper.Status.Ok) isFirst = true;
  return isFirst;
}

function lead(now: bool): void {
  const at = proxywasm.GetMonotonicTimeNanoseconds();
  if (now) say("claim", at, "until_ns=" + (at + 5_000_000_000).toString());
  else if (leads) say("stop", at, "reason=replaced");
  leads = now;
}

function say(what: string, at: i64, rest: string): void {
  const id = " id=00000000-0000-4000-8000-000000000000 key=" + key;
  proxywasm.LogDebug(
    "proxy-wasm-as.election " + what + " term=1 at_ns=" + at.toString() + " " + rest + id,
  );
}

register(plugin);
