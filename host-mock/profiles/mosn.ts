import { envoy } from "./envoy.ts";
import type { Profile } from "./profile.ts";

/**
 * MOSN's host. A set on a key that is there must be given its version; an absent key is made whatever the cas; one counter
 * for all keys.
 *
 * This is its `v1`, made for ABI 0.1.0; its `v2` has other calls and other status numbers. It refuses an empty key. Both were
 * left as on Envoy, so that modules of today run. All else was not looked at and is Envoy's.
 *
 * Source: mosn/proxy-wasm-go-host `proxywasm/v1/default.go` (`sharedData.set`).
 */
export const mosn: Profile = {
  ...envoy,
  name: "mosn",
  sharedData: {
    zeroOnPresent: "mismatch",
    otherOnAbsent: "creates",
    firstToken: 1,
    scope: "process",
    evicts: false,
  },
};
