import { VmMetrics } from "../state/metrics.ts";
import type { GuestMemory } from "../vm/memory.ts";
import type { CallRing } from "./call-ring.ts";
import { BufferType, logLevelNames, type AbiVersion } from "./enums.ts";
import { Status, type StatusCode } from "./status.ts";
import type { ContextHost, VmHost } from "./vm-host.ts";

/** What linking asks of a profile; `profiles/profile.ts` fits. */
export interface LinkProfile {
  readonly restrictsAllocator: boolean;
  readonly bufferTypeMax: number;
}

/** One VM as its host functions see it; made once, shared by all its imports. */
export class CallSite {
  readonly abi: AbiVersion;
  readonly profile: LinkProfile;
  readonly #vm: () => VmHost;
  #host: VmHost | undefined;
  #metrics: VmMetrics | undefined;

  constructor(abi: AbiVersion, profile: LinkProfile, vm: () => VmHost) {
    this.abi = abi;
    this.profile = profile;
    this.#vm = vm;
  }

  get host(): VmHost {
    return (this.#host ??= this.#vm());
  }

  get memory(): GuestMemory {
    return this.host.instance.memory;
  }

  /** The VM's last host calls. */
  get calls(): CallRing {
    return this.host.calls;
  }

  /** The metric ids of this VM. */
  get metrics(): VmMetrics {
    return (this.#metrics ??= new VmMetrics(this.host.process.metrics, this.host.metricsScope));
  }

  context(): ContextHost {
    return this.host.actingContext();
  }

  /** Writes a log line of the acting context, unless the logger's level drops it. */
  log(level: number, message: Uint8Array): void {
    const { process } = this.host;
    if (level < process.logLevel) return;
    const root = this.context().rootId;
    process.recorder.record(this.host.subject(), "log", logLevelNames[level] ?? "", {
      message,
      root,
    });
  }

  /**
   * Hands bytes to the guest: memory of its own allocator, then the pointer word, then the size
   * word. Nothing is allocated for zero bytes: both words are 0.
   *
   *     ptrPtr: | u32 pointer |    sizePtr: | u32 size |
   *
   * InvalidMemoryAccess when the allocator gives nothing (no word is written then) or a word lies
   * out of bounds.
   *
   * Source: proxy-wasm-cpp-host `include/proxy-wasm/wasm.h` (copyToPointerSize).
   */
  giveBytes(bytes: Uint8Array, ptrPtr: number, sizePtr: number): StatusCode {
    const memory = this.memory;
    let ptr = 0;
    if (bytes.length > 0) {
      ptr = this.allocate(bytes.length);
      if (ptr === 0) return Status.InvalidMemoryAccess;
      memory.writeBytes(ptr, bytes);
    }
    if (!memory.writeU32(ptrPtr, ptr)) return Status.InvalidMemoryAccess;
    return this.giveU32(bytes.length, sizePtr);
  }

  /** As the guest's allocator answers; 0 where a fault stands before it. */
  allocate(size: number): number {
    const { host } = this;
    return host.failsAllocation?.() === true ? 0 : host.instance.allocate(size);
  }

  giveU32(value: number, ptr: number): StatusCode {
    return this.memory.writeU32(ptr, value) ? Status.Ok : Status.InvalidMemoryAccess;
  }

  giveU64(value: bigint, ptr: number): StatusCode {
    return this.memory.writeU64(ptr, value) ? Status.Ok : Status.InvalidMemoryAccess;
  }

  /**
   * The configuration that 0.1.0's one call means: the plugin's where it is readable, else the
   * VM's.
   */
  configuration(): Uint8Array {
    const plugin = this.context().buffer(BufferType.PluginConfiguration);
    return plugin === undefined ? this.host.vmConfiguration : plugin.bytes();
  }
}

/**
 * A host function: decodes its wasm arguments (i32 come as unsigned numbers, i64 as bigint), asks
 * the VM's host, encodes the answer. The result is a status, or an errno for WASI.
 */
export type HostFunction = (site: CallSite, ...args: never[]) => number;

export type HostFunctions = Readonly<Record<string, HostFunction>>;
