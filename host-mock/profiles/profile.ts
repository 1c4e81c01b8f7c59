import type { AbiVersion } from "../abi/enums.ts";
import type { HostGroup } from "../abi/signatures.ts";

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
}
