import type { Profile } from "./profile.ts";

/** A stock Envoy 1.33 or later; Istio's proxy is one. */
export const envoy: Profile = {
  name: "envoy",
  abiVersions: new Set(["0.1.0", "0.2.0", "0.2.1"]),
  groups: new Set(["proxy-wasm", "envoy"]),
  restrictsAllocator: true,
  bufferTypeMax: 8,
  keepsStopIteration: new Set(),
  hasLegacyAttributes: false,
  recoveryMs: null,
  rebuildBytes: null,
  xdsAttributes: null,
  // Source: proxy-wasm-cpp-host `src/shared_data.cc`.
  sharedData: {
    zeroOnPresent: "overwrites",
    otherOnAbsent: "creates",
    firstToken: 1,
    scope: "process",
    evicts: false,
  },
};
