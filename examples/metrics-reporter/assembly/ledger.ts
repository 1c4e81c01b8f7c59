import { wrapper } from "proxy-wasm-as/assembly";
import { Counts } from "./counts";

/**
 * What the collector has been told, in a fence cell of shared data: only the leader may write it. The report that is
 * about to be sent is written down first, so a leader that dies in between leaves behind exactly what the next one
 * must send again.
 *
 *   {"epoch":E,"sequence":n,"reported":{"200":17},"pending":{"200":19,"503":1}}
 *
 * `reported`: the sums up to and with report n, acknowledged. `pending`: the sums report n + 1 brings them to, {} when
 * nothing is on its way. `epoch`: the term of the leader that began this ledger; after a loss of shared data it grows.
 */
export class Ledger {
  epoch: i64 = 0;
  sequence: i64 = 0;
  reported: Counts = new Counts();
  pending: Counts | null = null;

  static read(data: Uint8Array, term: i64): Ledger {
    const ledger = new Ledger();
    const json = wrapper.ParseJson(data);
    ledger.epoch = json.Get("epoch").Exists() ? json.Get("epoch").Int() : term;
    ledger.sequence = json.Get("sequence").Int();
    ledger.reported = Counts.read(json.Get("reported"));
    if (json.Get("pending").IsObject()) ledger.pending = Counts.read(json.Get("pending"));
    return ledger;
  }

  bytes(): Uint8Array {
    const json = new wrapper.JsonWriter();
    json.BeginObject();
    json.Field("epoch").Int(this.epoch);
    json.Field("sequence").Int(this.sequence);
    json.Field("reported").BeginObject();
    this.reported.write(json);
    json.EndObject();
    const pending = this.pending;
    if (pending !== null) {
      json.Field("pending").BeginObject();
      pending.write(json);
      json.EndObject();
    }
    json.EndObject();
    return json.Bytes();
  }
}
