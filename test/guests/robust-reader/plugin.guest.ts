// Reads all that a host may hand over, and hands lists of headers back as it understood them.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";
import { liveContexts } from "proxy-wasm-as/assembly/abi/dispatch";

class Config {
  client: wrapper.HttpClient = new wrapper.HttpClient("service");
  read: i32 = 0;
}

/** What is still to be looked at of a configuration. */
class Walk {
  open: wrapper.Json[] = [];
  read: i32 = 0;
  left: i32 = 500;
}

let status: u32 = 0;
let answers: i32 = 0;

/** The status of the list of headers that was read last. */
export function lastStatus(): u32 {
  return status;
}

/** How many answers to calls there were. */
export function answerCount(): i32 {
  return answers;
}

/** How many contexts the guest holds. */
export function contextCount(): i32 {
  return liveContexts();
}

function parseConfig(
  ctx: wrapper.PluginContext<Config>,
  json: wrapper.Json,
  config: Config,
): string | null {
  config.read = walk(json);
  if (json.Get("refuse").Exists()) return json.Get("refuse").String();
  if (json.Get("periodMs").Exists()) ctx.RegisterTickFunc(json.Get("periodMs").Int(), onTick);
  if (json.Get("leaseMs").Exists()) {
    ctx.SetLeaderElectionTiming({
      LeaseDuration: json.Get("leaseMs").Int(),
      RetryPeriod: json.Get("retryMs").Int(),
      RenewDeadline: json.Get("renewMs").Int(),
      Guard: json.Get("guardMs").Int(),
    });
  }
  return null;
}

/** Asks every value for everything. */
function walk(json: wrapper.Json): i32 {
  const walk = new Walk();
  walk.open.push(json);
  while (walk.open.length > 0 && walk.left-- > 0) {
    const value = walk.open.pop();
    walk.read += value.String().length + value.Int().toString().length;
    walk.read += value.Float().toString().length + value.RawBytes().byteLength;
    if (value.Bool() && value.IsNull()) walk.read++;
    if (value.Get("a.0.a").Exists() || value.Get("vmID").Exists()) walk.read++;
    const all = value.Array();
    for (let i = 0; i < min(all.length, 20); i++) walk.open.push(all[i]);
    value.ForEach(walk, (walk, key, value) => {
      walk.read += key.String().length;
      walk.open.push(value);
      return walk.open.length < 100;
    });
    walk.read += value.Get("").Error().length;
  }
  return walk.read;
}

function onTick(ctx: wrapper.PluginContext<Config>, config: Config): void {
  ctx.DoLeaderElection();
  const cell = ctx.FencedGet("robust:cell");
  if (ctx.IsLeader()) ctx.FencedSet("robust:cell", cell.Data);
  proxywasm.GetProperty(["node", "metadata", ""]).Text();
  const counter = proxywasm.DefineCounterMetric("robust.ticks");
  counter.Increment(1);
  counter.Value();
  call(ctx, config);
}

function call(ctx: wrapper.PluginContext<Config>, config: Config): void {
  const sent = new wrapper.Headers().With("x-a", "b");
  config.client.Get(ctx, "/", sent, config, (ctx, config, response, state) => answered(response));
}

function answered(response: wrapper.HttpResponse): void {
  answers++;
  const text = response.Text();
  if (text !== null) walk(wrapper.ParseJson(response.Body));
  for (let i = 0; i < response.Headers.Size(); i++) {
    response.Headers.GetAll(response.Headers.At(i).Name());
  }
}

function onRequestHeaders(ctx: wrapper.HttpContext<Config>, config: Config): wrapper.Action {
  const read = proxywasm.GetHttpRequestHeaders();
  status = read.status;
  if (read.status == wrapper.Status.Ok) proxywasm.ReplaceHttpRequestHeaders(read.headers);
  proxywasm.GetHttpRequestHeader(ctx.Path()).Text();
  proxywasm.GetHttpRequestTrailers();
  proxywasm.GetHttpRequestBody(0, 100);
  const sent = new wrapper.Headers();
  const sentStatus = config.client.Post(
    ctx,
    "/",
    sent,
    new Uint8Array(3),
    "state",
    (ctx, config, response, state) => {
      answered(response);
      ctx.ResumeHttpRequest();
    },
  );
  return sentStatus == wrapper.Status.Ok ? wrapper.Action.Pause : wrapper.Action.Continue;
}

function onResponseHeaders(ctx: wrapper.HttpContext<Config>, config: Config): wrapper.Action {
  const read = proxywasm.GetHttpResponseHeaders();
  status = read.status;
  if (read.status == wrapper.Status.Ok) proxywasm.ReplaceHttpResponseHeaders(read.headers);
  const code = proxywasm.GetHttpResponseHeader(":status").Text();
  if (code !== null && code.length > 100)
    ctx.SendHttpResponse(500, read.headers, new Uint8Array(1));
  return wrapper.Action.Continue;
}

wrapper.SetCtx(
  "robust-reader",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.ProcessResponseHeaders(onResponseHeaders),
  wrapper.ProcessStreamDone<Config>((ctx, config) => {
    proxywasm.GetHttpResponseTrailers();
    ctx.plugin.LeaderId();
  }),
  wrapper.WithLeaderElection<Config>({ FenceKeys: ["robust:cell"] }),
);
