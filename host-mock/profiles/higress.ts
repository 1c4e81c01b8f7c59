import { envoy } from "./envoy.ts";
import type { Profile } from "./profile.ts";

/** Higress: Envoy with more calls, one more marker and its older attribute names. */
export const higress: Profile = {
  name: "higress",
  abiVersions: new Set([...envoy.abiVersions, "0.2.100"]),
  groups: new Set([...envoy.groups, "higress"]),
  restrictsAllocator: false,
  bufferTypeMax: 9,
  keepsStopIteration: new Set(["0.2.100"]),
  hasLegacyAttributes: true,
  recoveryMs: 5000,
  rebuildBytes: 800 * 1024 * 1024,
  xdsAttributes: new Set([
    "cluster_name",
    "cluster_metadata",
    "route_name",
    "route_metadata",
    "upstream_host_metadata",
    "filter_chain_name",
  ]),
  sharedData: envoy.sharedData,
};
