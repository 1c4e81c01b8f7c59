// Logs each run of its tick functions, whose periods stand in the configuration.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";

class Config {
  client: wrapper.HttpClient = new wrapper.HttpClient("collector");
}

function parseConfig(
  ctx: wrapper.PluginContext<Config>,
  json: wrapper.Json,
  config: Config,
): string | null {
  const periods = json.Get("periods").Array();
  if (periods.length > 0) ctx.RegisterTickFunc(periods[0].Int(), onFirst);
  if (periods.length > 1) ctx.RegisterTickFunc(periods[1].Int(), onSecond);
  return null;
}

function onFirst(ctx: wrapper.PluginContext<Config>, config: Config): void {
  proxywasm.LogInfo("first");
}

function onSecond(ctx: wrapper.PluginContext<Config>, config: Config): void {
  proxywasm.LogInfo("second");
  const headers = new wrapper.Headers().With("content-type", "text/plain");
  config.client.Post(
    ctx,
    "/report",
    headers,
    wrapper.utf8.encode("body"),
    42,
    (ctx, config, response, state) => {
      proxywasm.LogInfo("answer " + response.StatusCode.toString() + " for " + state.toString());
    },
    2000,
  );
}

wrapper.SetCtx("ticks", wrapper.ParseConfigWithContext(parseConfig));
