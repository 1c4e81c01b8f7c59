import type { TraceValue } from "./event.ts";
import { readable } from "./values.ts";

/** Keys of wasm-go's election begin so; the plugin's fingerprint follows. */
export const leaseKeyPrefix = "higress_wasm_vm_lease:";
/** wasm-go's fixed lease. */
export const wasmGoLeaseNs = 60_000_000_000;

/** What stands under a lease key: wasm-go's two fields, and what the SDK adds. */
export interface LeaseRecord {
  /** Who holds it; "" when nobody does. */
  readonly holder: string;
  /** Unix seconds at its writing; null without. */
  readonly timestamp: number | null;
  /** Milliseconds of the guests' monotonic clock at its writing; null without. */
  readonly monoMs: number | null;
  /** How long it promises; wasm-go's records do not say. */
  readonly lengthNs: number;
}

/** Undefined for what is no lease record: a term, a probe, garbage. */
export function leaseRecord(value: TraceValue | undefined): LeaseRecord | undefined {
  const text = readable(value);
  if (!text.includes('"vmID"')) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (record === null || typeof record !== "object") return undefined;
  const { vmID, timestamp, mono, ttl } = record as Record<string, unknown>;
  if (typeof vmID !== "string") return undefined;
  return {
    holder: vmID,
    timestamp: numberOrNull(timestamp),
    monoMs: numberOrNull(mono),
    lengthNs: typeof ttl === "number" ? ttl * 1e6 : wasmGoLeaseNs,
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
