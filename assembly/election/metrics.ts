import { ParseJson } from "../json/index";
import { CounterMetric, GaugeMetric, HistogramMetric } from "../proxywasm/index";
import { Count } from "./count";
import { Elector } from "./elector";
import { ElectorFeature } from "./feature";
import { Lease, LeaseKind, RECORD_BYTES_MAX } from "./lease";
import * as Reason from "./reasons";

const NS_PER_MS: i64 = 1_000_000;
const NOTHING: i64 = -1;

/** Names of `Count`, in its order. */
// @ts-ignore: decorator
@lazy
const COUNTERS: string[] = [
  "passes",
  "read_errors",
  "renewals_ok",
  "renewals_mismatch",
  "renewals_error",
  "claims_tried",
  "claims_won",
  "claims_lost",
  "fence_refusals",
  "waits_begun_anew",
  "resignations",
  "work_abandoned",
  "odd_blank",
  "odd_large",
  "odd_text",
  "odd_fields",
  "stops_expired",
  "stops_replaced",
  "stops_vanished",
  "stops_fenced",
  "stops_released",
  "stops_superseded",
  "stops_error",
];

/**
 * Counts what an elector does, in metrics that all VMs of the process share. What each means:
 * docs/guides/operate-elections.md.
 */
export class ElectionMetrics extends ElectorFeature {
  private counters: CounterMetric[] = [];
  private leading: GaugeMetric;
  private term: GaugeMetric;
  private remainingMs: GaugeMetric;
  private recordAgeMs: GaugeMetric;
  private passGapMs: HistogramMetric;

  /** The version read last, and whether it can only be waited for. */
  private version: i64 = NOTHING;
  private isWaiting: bool = false;
  /** Whether that record may be led with by its holder. */
  private isLive: bool = false;
  private passedNs: i64 = 0;

  /** All names begin with `prefix`. */
  constructor(prefix: string) {
    super();
    this.leading = new GaugeMetric(prefix + "leading");
    this.term = new GaugeMetric(prefix + "term");
    this.remainingMs = new GaugeMetric(prefix + "remaining_ms");
    this.recordAgeMs = new GaugeMetric(prefix + "record_age_ms");
    this.passGapMs = new HistogramMetric(prefix + "pass_gap_ms");
    for (let i = 0; i < COUNTERS.length; i++) {
      this.counters.push(new CounterMetric(prefix + COUNTERS[i]));
    }
  }

  counted(elector: Elector, what: Count): void {
    this.counters[what].Increment(1);
  }

  sawRecord(elector: Elector, lease: Lease, bytes: Uint8Array, cas: u32, r0: i64): void {
    const nowMs = r0 / NS_PER_MS;
    const isHeld = lease.kind == LeaseKind.Held;
    if (isHeld) this.recordAgeMs.Record(max(nowMs - lease.mono, 0));
    const isOther = lease.id != elector.id;
    this.isLive =
      isOther && (lease.kind == LeaseKind.Foreign || (isHeld && nowMs - lease.mono <= lease.ttl));
    if (this.version == <i64>cas) return;
    this.version = cas;
    const mustWait = lease.kind == LeaseKind.Odd || lease.kind == LeaseKind.Foreign;
    if (mustWait && this.isWaiting) this.counted(elector, Count.WaitBegunAnew);
    this.isWaiting = mustWait;
    if (lease.kind == LeaseKind.Odd) this.counted(elector, oddity(bytes));
  }

  sawNothing(elector: Elector): void {
    this.version = NOTHING;
    this.isWaiting = false;
    this.isLive = false;
  }

  hasStopped(elector: Elector, reason: string): void {
    this.counted(elector, countOf(reason));
    // In these cases another one may lead, whose numbers stand there already.
    if (reason != Reason.REPLACED && reason != Reason.FENCED) this.nobodyLeads();
  }

  hasPassed(elector: Elector, r0: i64): void {
    if (this.passedNs != 0) this.passGapMs.Record((r0 - this.passedNs) / NS_PER_MS);
    this.passedNs = r0;
    if (elector.leading) {
      this.leading.Record(1);
      this.term.Record(elector.term);
      this.remainingMs.Record(max(elector.untilNs - r0, 0) / NS_PER_MS);
    } else if (!this.isLive) {
      this.nobodyLeads();
    }
  }

  private nobodyLeads(): void {
    this.leading.Record(0);
    this.remainingMs.Record(0);
  }
}

/** What is wrong with a record that cannot be believed. */
function oddity(bytes: Uint8Array): Count {
  if (bytes.byteLength == 0) return Count.OddBlank;
  if (bytes.byteLength > RECORD_BYTES_MAX) return Count.OddLarge;
  return ParseJson(bytes).Exists() ? Count.OddFields : Count.OddText;
}

function countOf(reason: string): Count {
  for (let count = <i32>Count.StopExpired; count < <i32>Count.StopError; count++) {
    if (COUNTERS[count] == "stops_" + reason) return count;
  }
  return Count.StopError;
}
