/** What a lease record says that matters here; undefined for what is none. */
export interface LeaseText {
  readonly holder: string;
  /** Instant on the monotonic clock, ms, at which its promise is over; undefined where only wall seconds are known. */
  readonly untilMonoMs: number | undefined;
  readonly timestampS: number;
}

/** Reads the SDK's record and wasm-go's; a released or placeholder record names nobody. */
export function readLeaseText(text: string): LeaseText | undefined {
  if (!text.includes('"vmID"')) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (record === null || typeof record !== "object") return undefined;
  const { vmID, st, mono, ttl, timestamp } = record as Readonly<Record<string, unknown>>;
  if (typeof vmID !== "string" || vmID === "" || (st !== undefined && st !== "held"))
    return undefined;
  const isTimed = typeof mono === "number" && typeof ttl === "number";
  return {
    holder: vmID,
    untilMonoMs: isTimed ? mono + ttl : undefined,
    timestampS: typeof timestamp === "number" ? timestamp : 0,
  };
}
