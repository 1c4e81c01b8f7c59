import { envoy } from "./envoy.ts";
import type { Profile } from "./profile.ts";

/**
 * The host in which the Go SDK's unit tests run. A set on a key that is there must be given its version, 0 or not; every
 * set makes the version one more than it was given, also the one that makes the key.
 *
 * It looks at no marker, and panics on reading an empty value. All else was not looked at and is Envoy's.
 *
 * Source: tetratelabs/proxy-wasm-go-sdk `proxywasm/proxytest/root.go` (`ProxySetSharedData`, `ProxyGetSharedData`),
 * `wasmwrapper.go`.
 */
export const proxytest: Profile = {
  ...envoy,
  name: "proxytest",
  sharedData: {
    zeroOnPresent: "mismatch",
    otherOnAbsent: "creates",
    firstToken: "given + 1",
    scope: "key",
    evicts: false,
  },
};
