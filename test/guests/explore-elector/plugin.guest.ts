// The published SDK's elector and nothing else, in the makes that an exploration needs, one for each root_id.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper } from "proxy-wasm-as/assembly";

class Config {
  collector: wrapper.HttpClient = new wrapper.HttpClient("collector");
  /** Hands over in this tick; 0: never. */
  releaseTick: i64 = 0;
  tickCount: i64 = 0;
}

type Plugin = wrapper.PluginContext<Config>;
type Options = wrapper.LeaderElectionOptions<Config>;

const PERIOD_MS: i64 = 3_000;

/** A report with the term and the id of the leader, in every tick in which it leads. */
function report(ctx: Plugin, config: Config): void {
  const term = ctx.LeaderTerm();
  if (term == 0) return;
  const headers = new wrapper.Headers()
    .With("x-leader-term", term.toString())
    .With("x-leader-id", ctx.LeaderId());
  const body = wrapper.utf8.encode("report");
  config.collector.Post(ctx, "/report", headers, body, 0, onAnswer, 60_000);
}

function onAnswer(_ctx: Plugin, _config: Config, _answer: wrapper.HttpResponse, _none: i32): void {}

function release(ctx: Plugin, config: Config): void {
  if (++config.tickCount == config.releaseTick) ctx.ReleaseLeadership();
}

function reports(ctx: Plugin, _json: wrapper.Json, _config: Config): string | null {
  ctx.RegisterTickFunc(PERIOD_MS, report);
  return null;
}

function releases(ctx: Plugin, json: wrapper.Json, config: Config): string | null {
  config.releaseTick = json.Get("release").Int();
  if (config.releaseTick < 1) return "release: say in which tick";
  ctx.RegisterTickFunc(PERIOD_MS, release);
  return null;
}

function fenced(): Options {
  return { FenceKeys: ["cell"] };
}

function wasmGo(): Options {
  return { WasmGoKey: true };
}

wrapper.SetCtx("plain", wrapper.WithLeaderElection<Config>({}));
wrapper.SetCtx(
  "reporting",
  wrapper.ParseConfigWithContext(reports),
  wrapper.WithLeaderElection<Config>({}),
);
wrapper.SetCtx(
  "releasing",
  wrapper.ParseConfigWithContext(releases),
  wrapper.WithLeaderElection<Config>({}),
);
wrapper.SetCtx("fenced", wrapper.WithLeaderElection<Config>(fenced()));
wrapper.SetCtx("wasm-go", wrapper.WithLeaderElection<Config>(wasmGo()));
