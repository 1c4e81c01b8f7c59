import { wrapper, proxywasm } from "proxy-wasm-as/assembly";
import { nowNs, Outcome } from "./outcome.guest";

const NS_PER_S: u64 = 1_000_000_000;

/**
 * wasm-go's way to create its lease: read the key; if it is absent, set a record of id and time with this cas. wasm-go
 * gives 0. `gapNs` is spent in between, beside what it takes to make the record.
 */
export function tryRecipe(name: string, slot: i64, id: string, cas: u32, gapNs: i64): Outcome {
  const key = "race:" + name + ":" + slot.toString();
  if (proxywasm.GetSharedData(key).status != proxywasm.Status.NotFound) return Outcome.Late;
  const timestamp = <i64>(proxywasm.GetCurrentTimeNanoseconds() / NS_PER_S);
  const record = new wrapper.JsonWriter().BeginObject();
  record.Field("vmID").String(id).Field("timestamp").Int(timestamp).EndObject();
  const untilNs = nowNs() + gapNs;
  while (gapNs > 0 && nowNs() < untilNs);
  const status = proxywasm.SetSharedData(key, record.Bytes(), cas);
  return status == proxywasm.Status.Ok ? Outcome.Won : Outcome.Lost;
}
