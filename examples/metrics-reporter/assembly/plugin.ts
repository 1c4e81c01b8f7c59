export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";
import { Cells } from "./cells";
import { Config, readConfig } from "./config";
import { Counts } from "./counts";
import { Ledger } from "./ledger";
import { dueReport } from "./report";

/** What the answer to a report needs when it comes. */
class Sent {
  constructor(
    public readonly term: i64,
    public readonly sequence: i64,
  ) {}
}

function parseConfig(
  ctx: wrapper.PluginContext<Config>,
  json: wrapper.Json,
  config: Config,
): string | null {
  const wrong = readConfig(json, config);
  if (wrong !== null) return wrong;
  const name = proxywasm.GetProperty(["plugin_name"]).Text();
  const prefix = name === null ? "" : name;
  config.ledgerKey = prefix + ":ledger";
  config.cells = new Cells(prefix);
  ctx.SetLeaderElectionTiming({ LeaseDuration: config.leaseMs, RetryPeriod: config.tickMs });
  ctx.RegisterTickFunc(config.reportMs, onReportTick);
  return null;
}

/** Every VM counts what ends on it; shared data is where the leader, which may see no request at all, finds it. */
function onStreamDone(ctx: wrapper.HttpContext<Config>, config: Config): void {
  // Digits are a JSON number; a missing status reads as 0.
  const status = wrapper.ParseJson(proxywasm.GetHttpResponseHeader(":status").value);
  config.unsaved.add(<i32>status.Int(), 1);
  save(config);
}

function save(config: Config): void {
  if (config.unsaved.size > 0 && config.cells.add(config.unsaved)) config.unsaved = new Counts();
}

function onReportTick(ctx: wrapper.PluginContext<Config>, config: Config): void {
  save(config);
  if (ctx.IsLeader() && !config.isSending) report(ctx, config);
}

/** Writes down what is about to be reported, then sends it. */
function report(ctx: wrapper.PluginContext<Config>, config: Config): void {
  const term = ctx.LeaderTerm();
  const ledger = Ledger.read(ctx.FencedGet(config.ledgerKey).Data, term);
  let pending = ledger.pending;
  if (pending === null) {
    pending = config.cells.total();
    ledger.pending = pending;
    if (ctx.FencedSet(config.ledgerKey, ledger.bytes()).outcome != wrapper.FencedOutcome.Ok) return;
  }
  const sent = new Sent(term, ledger.sequence + 1);
  const headers = new wrapper.Headers()
    .With("content-type", "application/json")
    .With("x-leader-term", sent.term.toString())
    .With("x-leader-id", ctx.LeaderId());
  const body = dueReport(ledger, pending);
  const timeoutMs = <u32>config.timeoutMs;
  const status = config.collector.Post(ctx, config.path, headers, body, sent, onAnswer, timeoutMs);
  config.isSending = status == wrapper.Status.Ok;
  if (!config.isSending) notTaken(sent, status); // the host's status: no such cluster, for example
}

/** The report stays pending, and goes out again unchanged. */
function notTaken(sent: Sent, code: u32): void {
  proxywasm.LogWarn("report " + sent.sequence.toString() + " not taken: " + code.toString());
}

function onAnswer(
  ctx: wrapper.PluginContext<Config>,
  config: Config,
  response: wrapper.HttpResponse,
  sent: Sent,
): void {
  config.isSending = false;
  if (response.StatusCode < 200 || response.StatusCode > 299) {
    notTaken(sent, response.StatusCode); // 0: the call was reset
    return;
  }
  // While the answer travelled another VM may have taken over; then the ledger is its to write.
  if (ctx.LeaderTerm() != sent.term) return;
  const ledger = Ledger.read(ctx.FencedGet(config.ledgerKey).Data, sent.term);
  const pending = ledger.pending;
  if (pending === null || ledger.sequence + 1 != sent.sequence) return;
  ledger.sequence = sent.sequence;
  ledger.reported = pending;
  ledger.pending = null;
  ctx.FencedSet(config.ledgerKey, ledger.bytes());
  proxywasm.LogInfo("reported " + sent.sequence.toString());
}

wrapper.SetCtx(
  "metrics-reporter",
  wrapper.ParseConfigWithContext(parseConfig),
  wrapper.ProcessStreamDone(onStreamDone),
  wrapper.WithLeaderElection<Config>({}),
);
