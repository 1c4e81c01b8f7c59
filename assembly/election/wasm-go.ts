import { GetSharedData, SetSharedData, Status } from "../proxywasm/index";
import { steadyNs } from "./clock";
import { Elector } from "./elector";
import { bootRecord, termRecord } from "./lease";

/** wasm-go creates an absent record without condition, so it must never find it absent. */
export function ensureKeys(elector: Elector): void {
  ensure(elector, elector.key, bootRecord(steadyNs() / 1_000_000));
  ensure(elector, elector.key + ":term", termRecord(0));
}

function ensure(elector: Elector, key: string, record: Uint8Array): void {
  if (GetSharedData(key).status != Status.NotFound) return;
  SetSharedData(key, record, elector.creation.cas);
}
