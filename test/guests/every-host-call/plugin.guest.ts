// Every call of the proxywasm room as an exported function. Answers are text: the status, then what came.
import * as p from "proxy-wasm-as/assembly/proxywasm/index";
import { encodeBuffer } from "proxy-wasm-as/assembly/memory/utf8";
import { forgetLogLevel } from "proxy-wasm-as/assembly/abi/log-level";

export { proxy_on_memory_allocate } from "proxy-wasm-as/assembly/abi/base";

export const BYTES_ID = idof<Uint8Array>();

/** As the entry of any callback does it. */
export function enterCallback(): void {
  forgetLogLevel();
}

function hex(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    text += (byte < 16 ? "0" : "") + byte.toString(16);
  }
  return text;
}

function bytes(result: p.BytesResult): string {
  const text = result.Text();
  return result.status.toString() + " " + hex(result.value) + " " + (text === null ? "null" : text);
}

function headers(result: p.HeadersResult): string {
  let text = result.status.toString();
  for (let i = 0; i < result.headers.Size(); i++) {
    text += " " + result.headers.At(i).Name() + "=" + result.headers.At(i).Value();
  }
  return text;
}

function token(result: p.TokenResult): string {
  return result.status.toString() + " " + result.token.toString();
}

/** "name=value name=value" as a list. */
function listOf(text: string): p.Headers {
  const list = new p.Headers();
  if (text == "") return list;
  const pairs = text.split(" ");
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i].split("=");
    list.Add(pair[0], pair[1]);
  }
  return list;
}

function tooMany(): p.Headers {
  const list = new p.Headers();
  for (let i = 0; i < 1025; i++) list.Add("a", "b");
  return list;
}

export function log(level: i32, text: string): void {
  p.Log(level, text);
}
export function logAll(): void {
  p.LogTrace("trace");
  p.LogDebug("debug");
  p.LogInfo("info");
  p.LogWarn("warn");
  p.LogError("error");
  p.LogCritical("critical");
}
export function logLevel(): i32 {
  return p.GetLogLevel();
}

export function currentTimeNs(): u64 {
  return p.GetCurrentTimeNanoseconds();
}
export function currentTime(): string {
  const time = p.GetCurrentTime();
  return time.status.toString() + " " + time.nanoseconds.toString();
}
export function monotonicNs(): i64 {
  return p.GetMonotonicTimeNanoseconds();
}
export function monotonic(): string {
  const time = p.GetMonotonicTime();
  return time.status.toString() + " " + time.nanoseconds.toString();
}
export function setTickPeriod(ms: u32): i32 {
  return p.SetTickPeriodMilliSeconds(ms);
}
export function randomBytes(size: i32): string {
  const result = p.RandomBytes(size);
  return result.status.toString() + " " + result.value.byteLength.toString();
}
export function uuid(): string {
  return p.Uuid();
}

export function getSharedData(key: string): string {
  const result = p.GetSharedData(key);
  return bytes(result) + " cas " + result.cas.toString();
}
export function setSharedData(key: string, value: Uint8Array, cas: u32): i32 {
  return p.SetSharedData(key, value, cas);
}
export function createOnly(): u32 {
  return p.CREATE_ONLY;
}
export function registerQueue(name: string): string {
  return token(p.RegisterSharedQueue(name));
}
export function resolveQueue(vmId: string, name: string): string {
  return token(p.ResolveSharedQueue(vmId, name));
}
export function enqueue(queue: u32, value: Uint8Array): i32 {
  return p.EnqueueSharedQueue(queue, value);
}
export function dequeue(queue: u32): string {
  return bytes(p.DequeueSharedQueue(queue));
}

export function getProperty(first: string, second: string): string {
  return bytes(p.GetProperty([first, second]));
}
export function setProperty(name: string, value: Uint8Array): i32 {
  return p.SetProperty([name], value);
}
export function pluginConfiguration(): string {
  return bytes(p.GetPluginConfiguration());
}
export function vmConfiguration(): string {
  return bytes(p.GetVMConfiguration());
}
export function bufferSize(type: i32): string {
  const result = p.GetBufferSize(type);
  return result.status.toString() + " " + result.sizeBytes.toString();
}

/** One of get, list, add, replace, remove, set on one of the four maps that can be changed. */
export function headerCall(map: i32, call: string, name: string, value: string): string {
  if (map == p.MapType.HttpRequestHeaders) {
    if (call == "get") return bytes(p.GetHttpRequestHeader(name));
    if (call == "list") return headers(p.GetHttpRequestHeaders());
    if (call == "add") return p.AddHttpRequestHeader(name, value).toString();
    if (call == "replace") return p.ReplaceHttpRequestHeader(name, value).toString();
    if (call == "remove") return p.RemoveHttpRequestHeader(name).toString();
    return p.ReplaceHttpRequestHeaders(listOf(value)).toString();
  }
  if (map == p.MapType.HttpResponseHeaders) {
    if (call == "get") return bytes(p.GetHttpResponseHeader(name));
    if (call == "list") return headers(p.GetHttpResponseHeaders());
    if (call == "add") return p.AddHttpResponseHeader(name, value).toString();
    if (call == "replace") return p.ReplaceHttpResponseHeader(name, value).toString();
    if (call == "remove") return p.RemoveHttpResponseHeader(name).toString();
    return p.ReplaceHttpResponseHeaders(listOf(value)).toString();
  }
  if (map == p.MapType.HttpRequestTrailers) {
    if (call == "get") return bytes(p.GetHttpRequestTrailer(name));
    if (call == "list") return headers(p.GetHttpRequestTrailers());
    if (call == "add") return p.AddHttpRequestTrailer(name, value).toString();
    if (call == "replace") return p.ReplaceHttpRequestTrailer(name, value).toString();
    if (call == "remove") return p.RemoveHttpRequestTrailer(name).toString();
    return p.ReplaceHttpRequestTrailers(listOf(value)).toString();
  }
  if (call == "get") return bytes(p.GetHttpResponseTrailer(name));
  if (call == "list") return headers(p.GetHttpResponseTrailers());
  if (call == "add") return p.AddHttpResponseTrailer(name, value).toString();
  if (call == "replace") return p.ReplaceHttpResponseTrailer(name, value).toString();
  if (call == "remove") return p.RemoveHttpResponseTrailer(name).toString();
  return p.ReplaceHttpResponseTrailers(listOf(value)).toString();
}

/** The other lists: 4 and 5 of gRPC, 6 and 7 of HTTP calls. */
export function answeredHeaders(map: i32): string {
  if (map == p.MapType.GrpcReceiveInitialMetadata) return headers(p.GetGrpcInitialMetadata());
  if (map == p.MapType.GrpcReceiveTrailingMetadata) return headers(p.GetGrpcTrailingMetadata());
  if (map == p.MapType.HttpCallResponseHeaders) return headers(p.GetHttpCallResponseHeaders());
  return headers(p.GetHttpCallResponseTrailers());
}
export function callResponseHeader(name: string): string {
  return bytes(p.GetHttpCallResponseHeader(name));
}

export function readBuffer(type: i32, start: u32, length: u32): string {
  if (type == p.BufferType.HttpRequestBody) return bytes(p.GetHttpRequestBody(start, length));
  if (type == p.BufferType.HttpResponseBody) return bytes(p.GetHttpResponseBody(start, length));
  if (type == p.BufferType.DownstreamData) return bytes(p.GetDownstreamData(start, length));
  if (type == p.BufferType.UpstreamData) return bytes(p.GetUpstreamData(start, length));
  if (type == p.BufferType.HttpCallResponseBody)
    return bytes(p.GetHttpCallResponseBody(start, length));
  if (type == p.BufferType.GrpcReceiveBuffer) return bytes(p.GetGrpcMessage());
  if (type == p.BufferType.CallData) return bytes(p.GetCallData());
  return bytes(p.GetRedisCallResponse());
}

export function editBuffer(type: i32, edit: string, value: Uint8Array): i32 {
  if (type == p.BufferType.HttpRequestBody) {
    if (edit == "replace") return p.ReplaceHttpRequestBody(value);
    if (edit == "append") return p.AppendHttpRequestBody(value);
    if (edit == "prepend") return p.PrependHttpRequestBody(value);
    return p.SetHttpRequestBody(1, 2, value);
  }
  if (type == p.BufferType.HttpResponseBody) {
    if (edit == "replace") return p.ReplaceHttpResponseBody(value);
    if (edit == "append") return p.AppendHttpResponseBody(value);
    if (edit == "prepend") return p.PrependHttpResponseBody(value);
    return p.SetHttpResponseBody(1, 2, value);
  }
  if (type == p.BufferType.DownstreamData) {
    if (edit == "replace") return p.ReplaceDownstreamData(value);
    if (edit == "append") return p.AppendDownstreamData(value);
    return p.PrependDownstreamData(value);
  }
  if (edit == "replace") return p.ReplaceUpstreamData(value);
  if (edit == "append") return p.AppendUpstreamData(value);
  return p.PrependUpstreamData(value);
}

export function streamCall(call: string): i32 {
  if (call == "resume request") return p.ResumeHttpRequest();
  if (call == "resume response") return p.ResumeHttpResponse();
  if (call == "continue tcp") return p.ContinueTcpStream();
  if (call == "close downstream") return p.CloseDownstream();
  if (call == "close upstream") return p.CloseUpstream();
  if (call == "close request") return p.CloseStream(p.StreamType.Request);
  if (call == "effective") return p.SetEffectiveContext(7);
  return p.PluginDone();
}
export function sendResponse(status: u32, list: string, body: Uint8Array): i32 {
  return p.SendHttpResponse(status, listOf(list), body);
}
export function sendGrpcResponse(): i32 {
  return p.SendHttpResponse(200, new p.Headers(), new Uint8Array(0), 14);
}

export function httpCall(
  cluster: string,
  list: string,
  body: Uint8Array,
  trailers: string,
  timeoutMs: u32,
): string {
  return token(p.DispatchHttpCall(cluster, listOf(list), body, listOf(trailers), timeoutMs));
}
export function callStatus(): string {
  const result = p.GetCallStatus();
  return bytes(result) + " code " + result.code.toString();
}
export function grpcCall(message: Uint8Array): string {
  const upstream = Uint8Array.wrap(encodeBuffer("up"));
  return token(p.DispatchGrpcCall(upstream, "svc", "m", listOf("a=b"), message, 5));
}
export function grpcStream(): string {
  return token(p.OpenGrpcStream(Uint8Array.wrap(encodeBuffer("up")), "svc", "m", listOf("a=b")));
}
export function grpcSend(message: Uint8Array, end: bool): i32 {
  return p.SendGrpcMessage(6, message, end);
}
export function grpcEnd(call: string): i32 {
  return call == "cancel" ? p.CancelGrpc(6) : p.CloseGrpc(6);
}
export function foreign(name: string, argument: Uint8Array): string {
  return bytes(p.CallForeignFunction(name, argument));
}

/** Every call that takes headers, with more of them than a host reads. */
export function withTooMany(call: string): i32 {
  const none = new Uint8Array(0);
  if (call == "set") return p.ReplaceHttpRequestHeaders(tooMany());
  if (call == "respond") return p.SendHttpResponse(200, tooMany(), none);
  if (call == "call") return p.DispatchHttpCall("c", tooMany(), none, new p.Headers(), 1).status;
  if (call == "trailers")
    return p.DispatchHttpCall("c", new p.Headers(), none, tooMany(), 1).status;
  if (call == "grpc") return p.DispatchGrpcCall(none, "s", "m", tooMany(), none, 1).status;
  return p.OpenGrpcStream(none, "s", "m", tooMany()).status;
}

export function counter(name: string, offset: u64): string {
  const metric = p.DefineCounterMetric(name);
  const status = metric.Increment(offset);
  return metric.status.toString() + " " + status.toString() + " " + metric.Value().toString();
}
export function readCounter(name: string): string {
  const read = p.DefineCounterMetric(name).Read();
  return read.status.toString() + " " + read.value.toString();
}
export function gauge(name: string, offset: i64, value: u64): string {
  const metric = p.DefineGaugeMetric(name);
  const added = metric.Add(offset);
  const recorded = metric.Record(value);
  return added.toString() + " " + recorded.toString() + " " + metric.Value().toString();
}
export function histogram(name: string, value: u64): i32 {
  return p.DefineHistogramMetric(name).Record(value);
}

export function redisInit(): i32 {
  return p.RedisInit("redis?db=1", "user", "secret", 9);
}
export function redisCall(query: Uint8Array): string {
  return token(p.DispatchRedisCall("redis", query));
}
export function inject(body: Uint8Array, end: bool): i32 {
  return p.InjectEncodedDataToFilterChain(body, end);
}
export function upstreamHosts(): string {
  return headers(p.GetUpstreamHosts());
}
export function overrideHost(address: string): i32 {
  return p.SetUpstreamOverrideHost(address);
}
