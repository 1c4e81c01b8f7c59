/**
 * Shared data by remote control, on raw imports: `GET /PLUGIN/set/KEY/VALUE/CAS`, `GET /PLUGIN/get/KEY` and a few
 * more run one host call in whichever VM got the request and answer with its status and everything it wrote.
 * `~` stands for an empty argument. A request for another plugin's name passes.
 */

// prettier-ignore
@external("env", "proxy_get_shared_data")
declare function getSharedData(key: usize, keySize: usize, value: usize, valueSize: usize, cas: usize): i32;
// prettier-ignore
@external("env", "proxy_set_shared_data")
declare function setSharedData(key: usize, keySize: usize, value: usize, valueSize: usize, cas: u32): i32;
// prettier-ignore
@external("env", "proxy_get_property")
declare function getProperty(path: usize, pathSize: usize, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_get_header_map_value")
declare function getHeader(map: i32, key: usize, keySize: usize, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_send_local_response")
declare function sendLocalResponse(
  status: u32, details: usize, detailsSize: usize, body: usize, bodySize: usize,
  headers: usize, headersSize: usize, grpcStatus: i32,
): i32;

/** Three out-parameters; a host that leaves them alone leaves these values in them. */
const valueOut = memory.data(12, 4);
const sizeOut = valueOut + 4;
const casOut = valueOut + 8;
const valueMark: u32 = 0xaaaa;
const sizeMark: u32 = 0xbbbb;
const casMark: u32 = 0xcccc;

/** No memory has pages here. */
const outside: usize = 0xfffffff0;

let allocationCount: i32 = 0;

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  allocationCount++;
  return heap.alloc(size);
}

export function proxy_on_context_create(_id: u32, _parent: u32): void {}

export function proxy_on_vm_start(_id: u32, _size: u32): i32 {
  return 1;
}

export function proxy_on_configure(_id: u32, _size: u32): i32 {
  return 1;
}

export function proxy_on_request_headers(_id: u32, _count: u32, _end: u32): i32 {
  const parts = header(":path").split("/");
  if (parts.length < 3 || parts[1] != property("plugin_name")) return 0;
  const answer = run(parts);
  const body = String.UTF8.encode(answer);
  sendLocalResponse(200, 0, 0, changetype<usize>(body), body.byteLength, 0, 0, -1);
  return 1;
}

function run(parts: string[]): string {
  const verb = parts[2];
  const key = String.UTF8.encode(argument(parts, 3));
  const value = String.UTF8.encode(argument(parts, 4));
  const cas = <u32>U64.parseInt(argument(parts, 5));
  const keyAt = changetype<usize>(key);
  const valueAt = changetype<usize>(value);
  if (verb == "set")
    return status(setSharedData(keyAt, key.byteLength, valueAt, value.byteLength, cas));
  if (verb == "get") return get(keyAt, key.byteLength);
  if (verb == "set-null") return status(setSharedData(keyAt, key.byteLength, 0, 0, cas));
  if (verb == "set-repeat") {
    const many = new Uint8Array(<i32>I64.parseInt(argument(parts, 4)));
    many.fill(120);
    return status(setSharedData(keyAt, key.byteLength, many.dataStart, many.length, cas));
  }
  if (verb == "set-key-outside")
    return status(setSharedData(outside, 64, valueAt, value.byteLength, 0));
  if (verb == "set-value-outside")
    return status(setSharedData(keyAt, key.byteLength, outside, 64, 0));
  if (verb == "get-key-outside") return get(outside, 64);
  return "no such verb";
}

function get(key: usize, keySize: usize): string {
  store<u32>(valueOut, valueMark);
  store<u32>(sizeOut, sizeMark);
  store<u32>(casOut, casMark);
  const before = allocationCount;
  const code = getSharedData(key, keySize, valueOut, sizeOut, casOut);
  const pointer = load<u32>(valueOut);
  const size = load<u32>(sizeOut);
  const cas = load<u32>(casOut);
  let text = status(code);
  text += " value=" + (pointer == valueMark ? "untouched" : pointer == 0 ? "null" : "set");
  text += " size=" + (size == sizeMark ? "untouched" : size.toString());
  text += " cas=" + (cas == casMark ? "untouched" : cas.toString());
  text += " allocations=" + (allocationCount - before).toString();
  if (code != 0 || pointer == 0) return text;
  text += " text=" + String.UTF8.decodeUnsafe(pointer, min<u32>(size, 64));
  heap.free(pointer);
  return text;
}

function status(code: i32): string {
  return "status=" + code.toString();
}

function argument(parts: string[], index: i32): string {
  return index >= parts.length || parts[index] == "~" ? "" : parts[index];
}

function header(name: string): string {
  const key = String.UTF8.encode(name);
  if (getHeader(0, changetype<usize>(key), key.byteLength, valueOut, sizeOut) != 0) return "";
  return take();
}

function property(name: string): string {
  const path = String.UTF8.encode(name);
  if (getProperty(changetype<usize>(path), path.byteLength, valueOut, sizeOut) != 0) return "";
  return take();
}

function take(): string {
  const pointer = load<u32>(valueOut);
  if (pointer == 0) return "";
  const text = String.UTF8.decodeUnsafe(pointer, load<u32>(sizeOut));
  heap.free(pointer);
  return text;
}
