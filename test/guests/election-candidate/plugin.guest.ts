// Candidates of every make, one plugin a make; the test drives each by its context's id.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";

class Config {
  name: string = "";
}

type Context = wrapper.PluginContext<Config>;

const contexts = new Map<u32, Context>();

function parseConfig(ctx: Context, json: wrapper.Json, config: Config): string | null {
  contexts.set(ctx.id, ctx);
  if (json.Get("refuse").Exists()) return json.Get("refuse").String();
  if (json.Get("timing").Exists()) {
    ctx.SetLeaderElectionTiming({
      LeaseDuration: json.Get("timing.LeaseDuration").Int(),
      RenewDeadline: json.Get("timing.RenewDeadline").Int(),
      RetryPeriod: json.Get("timing.RetryPeriod").Int(),
      Guard: json.Get("timing.Guard").Int(),
    });
  }
  return null;
}

function onStarted(ctx: Context, config: Config, term: i64): void {
  proxywasm.LogInfo("started " + ctx.id.toString() + " " + term.toString());
}

function onStopped(ctx: Context, config: Config, reason: string): void {
  proxywasm.LogInfo("stopped " + ctx.id.toString() + " " + reason);
}

function onNewLeader(ctx: Context, config: Config, id: string): void {
  proxywasm.LogInfo("leader " + ctx.id.toString() + " " + id);
}

function options(): wrapper.LeaderElectionOptions<Config> {
  return {
    RetryPeriod: -1,
    OnStartedLeading: onStarted,
    OnStoppedLeading: onStopped,
    OnNewLeader: onNewLeader,
  };
}

function fenced(): wrapper.LeaderElectionOptions<Config> {
  const all = options();
  all.FenceKeys = ["cell-a", "cell-b"];
  return all;
}

function keeping(): wrapper.LeaderElectionOptions<Config> {
  const all = options();
  all.ReleaseOnCancel = false;
  return all;
}

function wasmGo(): wrapper.LeaderElectionOptions<Config> {
  const all = options();
  all.WasmGoKey = true;
  return all;
}

function selfTicking(): wrapper.LeaderElectionOptions<Config> {
  const all = options();
  all.RetryPeriod = 0;
  return all;
}

function releasing(): wrapper.LeaderElectionOptions<Config> {
  return {
    RetryPeriod: -1,
    OnStartedLeading: (ctx, config, term) => {
      onStarted(ctx, config, term);
      ctx.ReleaseLeadership();
    },
    OnStoppedLeading: onStopped,
    OnNewLeader: onNewLeader,
  };
}

wrapper.SetCtx("plain", wrapper.ParseConfigWithContext(parseConfig));
wrapper.SetCtx(
  "options",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.WithLeaderElection(options()),
);
wrapper.SetCtx(
  "fenced",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.WithLeaderElection(fenced()),
);
wrapper.SetCtx(
  "keeping",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.WithLeaderElection(keeping()),
);
wrapper.SetCtx(
  "wasm-go",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.WithLeaderElection(wasmGo()),
);
wrapper.SetCtx(
  "self-ticking",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.WithLeaderElection(selfTicking()),
);
wrapper.SetCtx(
  "releasing",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.WithLeaderElection(releasing()),
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

/** Writes a number into a fence cell; answers the outcome. */
export function fencedSet(id: u32, value: i32): i32 {
  return contexts.get(id).FencedSet("cell-a", wrapper.utf8.encode(value.toString())).outcome;
}

export function fencedSetText(id: u32): i32 {
  return contexts.get(id).FencedSet("cell-a", wrapper.utf8.encode("no json")).outcome;
}

/** Logs what a fence cell holds. */
export function fencedGet(id: u32): i32 {
  const cell = contexts.get(id).FencedGet("cell-a");
  const data = wrapper.utf8.decodeLossy(cell.Data);
  proxywasm.LogInfo("cell " + cell.Term.toString() + " " + cell.By + " " + data);
  return cell.Outcome;
}
