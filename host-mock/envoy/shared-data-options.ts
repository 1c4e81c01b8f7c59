import { kindOf, requireKeys, requireText, shown } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { profiles, type Profile } from "../profiles/index.ts";

/** A value that a test writes into the shared data of a vm_id. */
export interface SharedDataOptions {
  readonly vmId?: string;
  readonly key: string;
  readonly value: string | Uint8Array;
  /** The version that must be there; 0 (default): any. */
  readonly cas?: number;
}

/** A key that the host drops. */
export interface EvictOptions {
  readonly vmId?: string;
  readonly key: string;
}

const keys = [
  "vmId",
  "key",
  "value",
  "cas",
] as const satisfies readonly (keyof SharedDataOptions)[];

/** E_OPTION for what is no value with a key. */
export function requireSharedData(data: SharedDataOptions): void {
  requireKeys("set_shared_data", data, keys);
  const { vmId, cas = 0 } = data;
  const key: unknown = data.key;
  const value: unknown = data.value;
  requireText("set_shared_data: vmId", vmId);
  if (typeof key !== "string") throw wrong("key", kindOf(key), "give a text");
  if (typeof value !== "string" && !(value instanceof Uint8Array))
    throw wrong("value", kindOf(value), "give a text or a Uint8Array");
  if (!Number.isInteger(cas) || cas < 0 || cas > 0xffffffff)
    throw wrong("cas", shown(cas), "give 0 … 4294967295");
}

/** E_OPTION for what is no key, and for a host that drops none. */
export function requireEviction(entry: EvictOptions, profile: Profile): void {
  requireKeys("evict", entry, ["key", "vmId"]);
  const key: unknown = entry.key;
  requireText("evict: vmId", entry.vmId);
  if (typeof key !== "string")
    throw new MockHostError("E_OPTION", `evict: key is ${kindOf(key)}`, { remedy: "give a text" });
  if (profile.sharedData.evicts) return;
  const evicting = profiles.filter(({ sharedData }) => sharedData.evicts);
  throw new MockHostError("E_OPTION", `profile ${profile.name} never evicts a key`, {
    remedy: `use wipe, or profile ${evicting.map(({ name }) => name).join(" or ")}`,
  });
}

function wrong(field: string, given: string, remedy: string): MockHostError {
  return new MockHostError("E_OPTION", `set_shared_data: ${field} is ${given}`, { remedy });
}
