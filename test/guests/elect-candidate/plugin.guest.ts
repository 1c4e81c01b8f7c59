// A candidate for the election scenarios. Its timing stands in the configuration, its make is the
// plugin's root_id, and a request's path is a command, answered with JSON.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";

const CELL = "cell";

class Config {
  collector: wrapper.HttpClient = new wrapper.HttpClient("collector");
}

/** What the leader knew when it sent a call. */
class Sent {
  constructor(public readonly term: i64) {}
}

type Plugin = wrapper.PluginContext<Config>;
type Options = wrapper.LeaderElectionOptions<Config>;

function parseConfig(ctx: Plugin, json: wrapper.Json, config: Config): string | null {
  ctx.SetLeaderElectionTiming({
    LeaseDuration: json.Get("lease").Int(),
    RenewDeadline: json.Get("renew").Int(),
    RetryPeriod: json.Get("retry").Int(),
    Guard: json.Get("guard").Int(),
  });
  return null;
}

function onStarted(ctx: Plugin, config: Config, term: i64): void {
  proxywasm.LogInfo("started " + term.toString());
}

function onStopped(ctx: Plugin, config: Config, reason: string): void {
  proxywasm.LogInfo("stopped " + reason);
}

function onNewLeader(ctx: Plugin, config: Config, id: string): void {
  proxywasm.LogInfo("leader " + id);
}

/** An answer is taken only by the leadership that asked. */
function onAnswer(ctx: Plugin, config: Config, response: wrapper.HttpResponse, sent: Sent): void {
  if (ctx.IsLeader() && ctx.LeaderTerm() == sent.term) {
    proxywasm.LogInfo("effect of " + sent.term.toString());
    return;
  }
  proxywasm.DefineCounterMetric("stale_answers").Increment(1);
  proxywasm.LogInfo("dropped the answer to " + sent.term.toString());
}

function state(ctx: Plugin): string {
  return (
    '{"leads":' +
    ctx.IsLeader().toString() +
    ',"term":' +
    ctx.LeaderTerm().toString() +
    ',"remaining":' +
    ctx.LeaderRemaining().toString() +
    ',"id":"' +
    ctx.LeaderId() +
    '"}'
  );
}

/** Asks whether it leads, right before the write; the text behind `?` is the data. */
function fencedSet(ctx: Plugin, data: string): string {
  if (!ctx.IsLeader()) return '"does not lead"';
  return ctx.FencedSet(CELL, wrapper.utf8.encode(data)).outcome.toString();
}

function send(ctx: Plugin, config: Config): string {
  const term = ctx.LeaderTerm();
  const headers = new wrapper.Headers()
    .With("x-leader-term", term.toString())
    .With("x-leader-id", ctx.LeaderId());
  const sent = new Sent(term);
  const body = wrapper.utf8.encode("effect");
  const status = config.collector.Post(ctx, "/effect", headers, body, sent, onAnswer, 60000);
  return (<i32>status).toString();
}

function run(ctx: Plugin, config: Config, command: string): string {
  if (command.startsWith("/fenced-set?")) return fencedSet(ctx, command.substring(12));
  if (command == "/send") return send(ctx, config);
  if (command == "/pass") ctx.DoLeaderElection();
  if (command == "/release") ctx.ReleaseLeadership();
  return state(ctx);
}

function onRequestHeaders(ctx: wrapper.HttpContext<Config>, config: Config): wrapper.Action {
  const answer = run(ctx.plugin, config, ctx.Path());
  ctx.SendHttpResponse(200, new wrapper.Headers(), wrapper.utf8.encode(answer));
  return wrapper.Action.Pause;
}

function options(): Options {
  return {
    OnStartedLeading: onStarted,
    OnStoppedLeading: onStopped,
    OnNewLeader: onNewLeader,
  };
}

function fenced(): Options {
  const all = options();
  all.FenceKeys = [CELL];
  return all;
}

function wasmGo(): Options {
  const all = options();
  all.WasmGoKey = true;
  return all;
}

wrapper.SetCtx(
  "plain",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
);
wrapper.SetCtx(
  "fenced",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(fenced()),
);
wrapper.SetCtx(
  "wasm-go",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(wasmGo()),
);
