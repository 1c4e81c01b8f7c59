import { MockHostError } from "../errors.ts";
import { envoy } from "./envoy.ts";
import { higress } from "./higress.ts";
import { java } from "./java.ts";
import { mosn } from "./mosn.ts";
import { nginx } from "./nginx.ts";
import type { Profile } from "./profile.ts";
import { proxytest } from "./proxytest.ts";
import { strict } from "./strict.ts";

export type { Profile } from "./profile.ts";

/** All profiles, the default one first. */
export const profiles: readonly Profile[] = [envoy, higress, nginx, proxytest, mosn, java, strict];

/** Hosts that differ in what modules they load; the others' loaders were not looked at. */
export const loadingProfiles: readonly Profile[] = [envoy, higress];

export const profileNames: readonly string[] = profiles.map(({ name }) => name);

/** E_UNKNOWN_NAME, with the names there are. */
export function profileByName(name: string): Profile {
  const found = profiles.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const remedy = `there are ${profileNames.join(", ")}`;
  throw new MockHostError("E_UNKNOWN_NAME", `there is no profile ${JSON.stringify(name)}`, {
    remedy,
  });
}
