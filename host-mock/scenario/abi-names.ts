import { callbackTypes } from "../abi/callbacks.ts";
import { hostSignatures } from "../abi/signatures.ts";
import { profileByName, profileNames } from "../profiles/index.ts";

const hostCalls = new Set(
  hostSignatures.map(({ name }) => name).filter((name) => name.startsWith("proxy_")),
);
/** A `proxy_*` function of some host; faults can answer in its place. */
export function isHostCall(name: string): boolean {
  return hostCalls.has(name);
}

/** An export that the host calls, of one profile, or of any when none is named. */
export function isCallback(name: string, profile?: string): boolean {
  const profiles = profile === undefined ? profileNames : [profile];
  return profiles.some((one) => callbackTypes("0.2.1", profileByName(one).groups).has(name));
}
