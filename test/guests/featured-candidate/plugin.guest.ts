// Candidates with the optional features of elections, one plugin a feature. As in elect-candidate
// the timing stands in the configuration and a request's path is a command; the exported functions
// serve tests that drive a VM without an Envoy.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";

const CELL = "cell";

class Config {
  collector: wrapper.HttpClient = new wrapper.HttpClient("collector");
  work: wrapper.LeaderWork | null = null;
}

type Plugin = wrapper.PluginContext<Config>;
type Options = wrapper.LeaderElectionOptions<Config>;

const contexts = new Map<u32, Plugin>();

function parseConfig(ctx: Plugin, json: wrapper.Json, config: Config): string | null {
  contexts.set(ctx.id, ctx);
  ctx.SetLeaderElectionTiming({
    LeaseDuration: json.Get("lease").Int(),
    RenewDeadline: json.Get("renew").Int(),
    RetryPeriod: json.Get("retry").Int(),
    Guard: json.Get("guard").Int(),
  });
  if (json.Get("rank").Exists()) ctx.SetLeaderRank(<i32>json.Get("rank").Int());
  return null;
}

function onStarted(ctx: Plugin, config: Config, term: i64): void {
  proxywasm.LogInfo("started " + ctx.id.toString() + " " + term.toString());
}

function onStopped(ctx: Plugin, config: Config, reason: string): void {
  proxywasm.LogInfo("stopped " + ctx.id.toString() + " " + reason);
}

/** The answer ends the work that it was sent with, if any. */
function onAnswer(
  ctx: Plugin,
  config: Config,
  response: wrapper.HttpResponse,
  work: wrapper.LeaderWork | null,
): void {
  if (work === null) {
    proxywasm.LogInfo("answered");
    return;
  }
  const outcome = work.FencedSet(CELL, wrapper.utf8.encode("1")).outcome;
  proxywasm.LogInfo(
    "answered, may go on " + work.MayGoOn().toString() + ", wrote " + outcome.toString(),
  );
  work.End();
}

function send(ctx: Plugin, config: Config, work: wrapper.LeaderWork | null): string {
  const body = wrapper.utf8.encode("effect");
  const headers = new wrapper.Headers();
  const status = config.collector.Post(ctx, "/effect", headers, body, work, onAnswer, 60000);
  return (<i32>status).toString();
}

function state(ctx: Plugin, config: Config): string {
  const work = config.work;
  const may = work !== null && work.MayGoOn();
  return (
    '{"leads":' +
    ctx.IsLeader().toString() +
    ',"term":' +
    ctx.LeaderTerm().toString() +
    ',"remaining":' +
    ctx.LeaderRemaining().toString() +
    ',"id":"' +
    ctx.LeaderId() +
    '","mayGoOn":' +
    may.toString() +
    ',"workRemaining":' +
    (work === null ? 0 : work.Remaining()).toString() +
    "}"
  );
}

function run(ctx: Plugin, config: Config, command: string): string {
  const work = config.work;
  if (command == "/send") return send(ctx, config, null);
  if (command == "/send-work") return send(ctx, config, ctx.BeginLeaderWork());
  if (command == "/begin") config.work = ctx.BeginLeaderWork();
  if (command == "/end" && work !== null) work.End();
  if (command == "/pass") ctx.DoLeaderElection();
  if (command == "/release") ctx.ReleaseLeadership();
  if (command == "/set") ctx.FencedSet(CELL, wrapper.utf8.encode("1"));
  if (command.startsWith("/rank?")) {
    ctx.SetLeaderRank(<i32>wrapper.ParseJson(wrapper.utf8.encode(command.substring(6))).Int());
  }
  return state(ctx, config);
}

function onRequestHeaders(ctx: wrapper.HttpContext<Config>, config: Config): wrapper.Action {
  const answer = run(ctx.plugin, config, ctx.Path());
  ctx.SendHttpResponse(200, new wrapper.Headers(), wrapper.utf8.encode(answer));
  return wrapper.Action.Pause;
}

function options(): Options {
  return { OnStartedLeading: onStarted, OnStoppedLeading: onStopped };
}

wrapper.SetCtx(
  "handover",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionHandover<Config>({}),
);
wrapper.SetCtx(
  "handover-5s",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionHandover<Config>({ Timeout: 60000 }),
  wrapper.WithElectionHandover<Config>({ Timeout: 5000 }),
);
wrapper.SetCtx(
  "begun",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
);
wrapper.SetCtx(
  "preference",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionPreference<Config>({ Rank: 1 }),
);
wrapper.SetCtx(
  "jitter",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionSpread<Config>({ Jitter: 1 }),
);
wrapper.SetCtx(
  "claim-delay",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionSpread<Config>({ ClaimDelay: 2000 }),
);
wrapper.SetCtx(
  "metrics",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionMetrics<Config>(),
);
wrapper.SetCtx(
  "probation",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionProbation<Config>(),
);
wrapper.SetCtx(
  "busy",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionHandover<Config>({ Timeout: 500 }),
  wrapper.WithElectionPreference<Config>({}),
  wrapper.WithElectionMetrics<Config>(),
);
wrapper.SetCtx(
  "bad-timeout",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionHandover<Config>({ Timeout: -1 }),
);
wrapper.SetCtx(
  "bad-rank",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionPreference<Config>({ Rank: 1001 }),
);
wrapper.SetCtx(
  "bad-jitter",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionSpread<Config>({ Jitter: 1.5 }),
);
wrapper.SetCtx(
  "no-jitter",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionSpread<Config>({ Jitter: NaN }),
);
wrapper.SetCtx(
  "bad-delay",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessRequestHeaders(onRequestHeaders),
  wrapper.WithLeaderElection(options()),
  wrapper.WithElectionSpread<Config>({ ClaimDelay: 15001 }),
);

export function pass(id: u32): void {
  contexts.get(id).DoLeaderElection();
}

export function isLeader(id: u32): bool {
  return contexts.get(id).IsLeader();
}

export function term(id: u32): i64 {
  return contexts.get(id).LeaderTerm();
}

export function remaining(id: u32): i64 {
  return contexts.get(id).LeaderRemaining();
}

export function release(id: u32): void {
  contexts.get(id).ReleaseLeadership();
}

/** Begins work that is kept; whether this context leads. */
export function begin(id: u32): bool {
  const ctx = contexts.get(id);
  ctx.config.work = ctx.BeginLeaderWork();
  return ctx.config.work !== null;
}

export function end(id: u32): void {
  contexts.get(id).config.work!.End();
}

export function mayGoOn(id: u32): bool {
  return contexts.get(id).config.work!.MayGoOn();
}
