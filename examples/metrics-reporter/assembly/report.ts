import { wrapper } from "proxy-wasm-as/assembly";
import { JSON } from "proxy-wasm-as/assembly/json-as";
import { Ledger } from "./ledger";
import { Counts } from "./counts";

/**
 * The body of one report. A receiver that takes each (epoch, sequence) once has every request exactly once; one that
 * keeps `total` needs no memory at all. Who sent it, and in which term, stands in the headers.
 */
@json
export class Report {
  epoch: i64 = 0;
  /** Grows by one with each acknowledged report; the same number again is the same report sent again. */
  sequence: i64 = 0;
  /** Requests since the last acknowledged report. */
  requests: i64 = 0;
  /** The same by response code; "0" is a stream that ended without a response. */
  codes: JSON.Raw = new JSON.Raw("{}");
  /** All requests of this epoch. */
  total: i64 = 0;
}

/** The report that a ledger says is due. */
export function dueReport(ledger: Ledger, pending: Counts): Uint8Array {
  const news = pending.since(ledger.reported);
  const report = new Report();
  report.epoch = ledger.epoch;
  report.sequence = ledger.sequence + 1;
  report.requests = news.requests;
  report.codes = new JSON.Raw(news.json());
  report.total = pending.requests;
  return wrapper.utf8.encode(JSON.stringify(report));
}
