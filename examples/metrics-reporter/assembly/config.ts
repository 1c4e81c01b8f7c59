import { wrapper } from "proxy-wasm-as/assembly";
import { Cells } from "./cells";
import { Counts } from "./counts";

/** The plugin's configuration, and what one plugin context remembers. */
export class Config {
  collector: wrapper.HttpClient = new wrapper.HttpClient("");
  path: string = "/report";
  leaseMs: i64 = 15_000;
  tickMs: i64 = 0;
  reportMs: i64 = 10_000;
  timeoutMs: i64 = 2_000;

  /** Where the ledger stands in shared data. */
  ledgerKey: string = "";
  cells: Cells = new Cells("");
  /** Counted here, not yet in shared data: normally empty. */
  unsaved: Counts = new Counts();
  isSending: bool = false;
}

/** Fills the configuration from its JSON; a message when something is wrong with it. */
export function readConfig(json: wrapper.Json, config: Config): string | null {
  const collector = json.Get("collector").String();
  if (collector == "") return "collector: the cluster that takes the reports is missing";
  config.collector = new wrapper.HttpClient(collector, json.Get("host").String());
  if (json.Get("path").Exists()) config.path = json.Get("path").String();
  if (!config.path.startsWith("/")) return "path: must begin with /";
  config.leaseMs = milliseconds(json.Get("leaseMs"), config.leaseMs);
  config.tickMs = milliseconds(json.Get("tickMs"), config.tickMs);
  config.reportMs = milliseconds(json.Get("reportMs"), config.reportMs);
  config.timeoutMs = milliseconds(json.Get("timeoutMs"), config.timeoutMs);
  if (config.leaseMs < 0 || config.tickMs < 0) return "leaseMs, tickMs: must be numbers, 0 or more";
  if (config.reportMs < 1) return "reportMs: must be a number, 1 or more";
  if (config.timeoutMs < 1 || config.timeoutMs > i32.MAX_VALUE) {
    return "timeoutMs: must be a number between 1 and 2147483647";
  }
  return null;
}

/** The default when the value is absent, −1 when it is no number. */
function milliseconds(value: wrapper.Json, otherwise: i64): i64 {
  if (!value.Exists()) return otherwise;
  return value.Kind() == wrapper.JsonKind.Number ? value.Int() : -1;
}
