import type { AbiVersion } from "../abi/enums.ts";
import type { HostGroup } from "../abi/signatures.ts";
import type { SharedDataRules } from "../state/shared-data-rules.ts";

/** Where hosts differ, as data. */
export interface Profile {
  readonly name: string;
  /** Versions whose marker the host takes; the first such export of a module decides. */
  readonly abiVersions: ReadonlySet<AbiVersion>;
  /** Groups of host functions it offers. */
  readonly groups: ReadonlySet<HostGroup>;
  /** Whether most host calls trap while the allocator runs. */
  readonly restrictsAllocator: boolean;
  /** Highest buffer type of `proxy_get_buffer_bytes`. */
  readonly bufferTypeMax: number;
  /** Versions for which StopIteration (1) from headers stays 1; for the others it becomes 4. */
  readonly keepsStopIteration: ReadonlySet<AbiVersion>;
  /**
   * Whether the top-level attribute names of before Envoy 1.33 exist (`route_name`, `cluster_name`,
   * …).
   */
  readonly hasLegacyAttributes: boolean;
  /**
   * Higress: whatever the failure policy, a failed VM is made anew for a new stream when the last load or attempt is so
   * long ago, in milliseconds; null: the policy decides.
   */
  readonly recoveryMs: number | null;
  /** A VM with more memory is made anew before a stream that finds it idle; null: never. */
  readonly rebuildBytes: number | null;
  /** Names under the attribute `xds`; null: all. Hosts of before Envoy 1.33 have it on streams alone. */
  readonly xdsAttributes: ReadonlySet<string> | null;
  /** How shared data compares and counts versions. */
  readonly sharedData: SharedDataRules;
}
