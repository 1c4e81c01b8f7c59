// A leader that writes with its term: what it trusts lies in a lease, a term key and two cells.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";

class Config {}

function parseConfig(
  ctx: wrapper.PluginContext<Config>,
  json: wrapper.Json,
  config: Config,
): string | null {
  ctx.SetLeaderElectionTiming({ LeaseDuration: 5000, RetryPeriod: 1000 });
  ctx.RegisterTickFunc(1000, onTick);
  return null;
}

function onTick(ctx: wrapper.PluginContext<Config>, config: Config): void {
  const cell = ctx.FencedGet("robust:counter");
  if (!ctx.IsLeader()) return;
  const next = wrapper.ParseJson(cell.Data).Get("n").Int() + 1;
  const json = new wrapper.JsonWriter();
  json.BeginObject();
  json.Field("n").Int(next);
  json.Field("seen").Raw(wrapper.JsonValid(cell.Data) ? cell.Data : wrapper.utf8.encode("null"));
  json.EndObject();
  // What is kept of the former data must not grow from write to write.
  const data = json.Bytes().byteLength < 4096 ? json.Bytes() : wrapper.utf8.encode('{"n":0}');
  ctx.FencedSet("robust:counter", data);
}

wrapper.SetCtx(
  "robust-lease",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.WithLeaderElection<Config>({
    FenceKeys: ["robust:touched", "robust:counter"],
    OnStartedLeading: (ctx, config, term) => {
      proxywasm.LogInfo("started " + term.toString());
    },
    OnStoppedLeading: (ctx, config, reason) => {
      proxywasm.LogInfo("stopped " + reason);
    },
    OnNewLeader: (ctx, config, id) => {
      proxywasm.LogInfo("follows " + id);
    },
  }),
);
