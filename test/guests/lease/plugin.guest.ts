export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";

class Config {
  tickMs: i64 = 3000;
  leaseMs: i64 = 15000;
}

function parseConfig(
  ctx: wrapper.PluginContext<Config>,
  json: wrapper.Json,
  config: Config,
): string | null {
  if (json.Get("tickMs").Exists()) config.tickMs = json.Get("tickMs").Int();
  if (json.Get("leaseMs").Exists()) config.leaseMs = json.Get("leaseMs").Int();
  ctx.SetLeaderElectionTiming({ LeaseDuration: config.leaseMs });
  ctx.RegisterTickFunc(config.tickMs, onTick);
  return null;
}

function onTick(ctx: wrapper.PluginContext<Config>, config: Config): void {
  ctx.DoLeaderElection();
  if (ctx.IsLeader()) proxywasm.LogInfo("only one VM says this");
}

wrapper.SetCtx("lease", wrapper.ParseConfigWithContext(parseConfig));
