export * from "proxy-wasm-as/assembly/abi";
import { proxywasm, wrapper } from "proxy-wasm-as/assembly";

class Config {}

function parseConfig(
  ctx: wrapper.PluginContext<Config>,
  json: wrapper.Json,
  config: Config,
): string | null {
  ctx.RegisterTickFunc(1000, (ctx, config) => proxywasm.LogInfo("tick"));
  return null;
}

wrapper.SetCtx("tick", wrapper.ParseConfigWithContext(parseConfig));
