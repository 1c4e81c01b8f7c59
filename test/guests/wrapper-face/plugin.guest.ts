// Uses the wrapper's face: configuration, context values, request line, calls with their three
// outcomes.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";

class Config {
  name: string = "default";
  auth: wrapper.HttpClient = new wrapper.HttpClient("auth", "auth.internal");
}

class Asked {
  constructor(public path: string) {}
}

class Other {
  n: i32 = 1;
}

function parseConfig(
  ctx: wrapper.PluginContext<Config>,
  json: wrapper.Json,
  config: Config,
): string | null {
  proxywasm.LogInfo("parsing " + (json.Exists() ? "something" : "nothing"));
  if (json.Get("refuse").Exists()) return json.Get("refuse").String();
  if (json.Get("name").Exists()) config.name = json.Get("name").String();
  return null;
}

function answered(response: wrapper.HttpResponse): string {
  if (response.IsReset) return "reset " + response.StatusCode.toString();
  return response.StatusCode.toString() + (response.TimedOut ? " timed out" : "");
}

function onRequestHeaders(ctx: wrapper.HttpContext<Config>, config: Config): wrapper.Action {
  proxywasm.ReplaceHttpRequestHeader(":path", "/changed");
  ctx.SetContext("asked", new Asked("kept"));
  ctx.SetContext("text", "some text");
  ctx.SetContext("flag", true);
  ctx.SetContext("count", 7);
  const headers = new wrapper.Headers().With("x-user", "u");
  const asked = new Asked(ctx.Path());
  const status = config.auth.Get(ctx, "/check", headers, asked, (ctx, config, response, asked) => {
    proxywasm.LogInfo(config.name + " " + asked.path + " " + answered(response));
    if (response.StatusCode == 200) ctx.ResumeHttpRequest();
    else ctx.SendHttpResponse(403, new wrapper.Headers(), wrapper.utf8.encode("no"));
  });
  proxywasm.LogInfo("dispatched " + status.toString());
  return status == wrapper.Status.Ok ? wrapper.Action.Pause : wrapper.Action.Continue;
}

function onResponseHeaders(ctx: wrapper.HttpContext<Config>, config: Config): wrapper.Action {
  const asked = ctx.GetContext<Asked>("asked");
  proxywasm.LogInfo(
    [
      asked === null ? "null" : asked.path,
      (ctx.GetContext<Other>("asked") === null).toString(),
      (ctx.GetContext<Asked>("nothing") === null).toString(),
      ctx.GetStringContext("text", "?"),
      ctx.GetStringContext("asked", "?"),
      ctx.GetBoolContext("flag", false).toString(),
      ctx.GetIntContext("count", 0).toString(),
      ctx.GetIntContext("text", -1).toString(),
      [ctx.Scheme(), ctx.Host(), ctx.Path(), ctx.Method()].join("|"),
    ].join(" "),
  );
  return wrapper.Action.Continue;
}

function onStreamDone(ctx: wrapper.HttpContext<Config>, config: Config): void {
  proxywasm.LogInfo("done " + ctx.Path());
}

wrapper.SetCtx(
  "face",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.ProcessResponseHeaders(onResponseHeaders),
  wrapper.ProcessStreamDone(onStreamDone),
);

class Small {
  text: string = "none";
}

function parseSmall(json: wrapper.Json, config: Small): string | null {
  config.text = json.Get("text").String();
  return null;
}

wrapper.SetCtx(
  "small",
  wrapper.PrePluginStartOrReload<Small>((ctx) => {
    proxywasm.LogInfo("before the start");
    return null;
  }),
  wrapper.ParseConfig(parseSmall),
  wrapper.ProcessRequestHeaders<Small>((ctx, config) => {
    proxywasm.LogInfo("the earlier handler");
    return wrapper.Action.Continue;
  }),
  wrapper.ProcessRequestHeaders<Small>((ctx, config) => {
    proxywasm.LogInfo("the later handler " + config.text);
    return wrapper.Action.Continue;
  }),
);
