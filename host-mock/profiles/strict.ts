import { envoy } from "./envoy.ts";
import type { Profile } from "./profile.ts";

/**
 * No host of this world: a set must always be given the version that is there, and 0 for an absent key. An election that
 * holds here and on Envoy does not hang on what a host does with odd versions.
 *
 * Source: the rule above; all but shared data is Envoy's.
 */
export const strict: Profile = {
  ...envoy,
  name: "strict",
  sharedData: {
    zeroOnPresent: "mismatch",
    otherOnAbsent: "mismatch",
    firstToken: 1,
    scope: "key",
    evicts: false,
  },
};
