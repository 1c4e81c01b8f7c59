import { envoy } from "./envoy.ts";
import type { Profile } from "./profile.ts";

/**
 * The Java host. A set with 0 is without condition, one with another version needs a key that has it: nothing can be made
 * without the risk of overwriting. A key's first version is 0, which no set can ask for; later revisions begin with 1.
 *
 * Markers: 0.1.0, 0.2.0 and 0.2.1, as Envoy. All else was not looked at and is Envoy's.
 *
 * Source: roastedroot/proxy-wasm-java-sdk, `SimpleSharedDataHandler.java`, `ABIVersion.java`.
 */
export const java: Profile = {
  ...envoy,
  name: "java",
  sharedData: {
    zeroOnPresent: "overwrites",
    otherOnAbsent: "mismatch",
    firstToken: 0,
    scope: "key",
    evicts: false,
  },
};
