// Leader work that takes a tick: begun while this VM leads, written at the next tick with the term it was begun under.
// The write goes to four receivers; only the one named `asked` is written to after asking again.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper } from "proxy-wasm-as/assembly";

const TIMEOUT_MS: u32 = 60_000;

class Config {
  asked: wrapper.HttpClient = new wrapper.HttpClient("asked");
  plain: wrapper.HttpClient = new wrapper.HttpClient("plain");
  lazy: wrapper.HttpClient = new wrapper.HttpClient("lazy");
  eager: wrapper.HttpClient = new wrapper.HttpClient("eager");
  /** The term of the work that was begun at the last tick; 0: none was. */
  term: i64 = 0;
}

type Plugin = wrapper.PluginContext<Config>;

function parseConfig(ctx: Plugin, json: wrapper.Json, _config: Config): string | null {
  ctx.SetLeaderElectionTiming({ LeaseDuration: json.Get("lease").Int() });
  ctx.RegisterTickFunc(json.Get("work").Int(), onWork);
  return null;
}

function onWork(ctx: Plugin, config: Config): void {
  const term = config.term;
  if (term != 0) {
    if (ctx.LeaderTerm() == term) send(ctx, config.asked, "/write", term);
    send(ctx, config.plain, "/write", term);
    send(ctx, config.lazy, "/write", term);
    send(ctx, config.eager, "/write", term);
  }
  config.term = ctx.LeaderTerm();
}

/** Shows the receiver `eager` the new term before any work is begun. */
function onStarted(ctx: Plugin, config: Config, term: i64): void {
  send(ctx, config.eager, "/touch", term);
}

function send(ctx: Plugin, receiver: wrapper.HttpClient, path: string, term: i64): void {
  const headers = new wrapper.Headers()
    .With("x-leader-term", term.toString())
    .With("x-leader-id", ctx.LeaderId());
  receiver.Post(ctx, path, headers, new Uint8Array(0), 0, onAnswer, TIMEOUT_MS);
}

function onAnswer(_ctx: Plugin, _config: Config, _answer: wrapper.HttpResponse, _none: i32): void {}

wrapper.SetCtx(
  "late-writer",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.WithLeaderElection<Config>({ OnStartedLeading: onStarted }),
);
