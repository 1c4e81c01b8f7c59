import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AbiVersion } from "../abi/enums.ts";
import { wasm, type WasmModule } from "../abi/wasm-api.ts";
import { memoryPagesMax } from "../abi/wasm-types.ts";
import type { ExportEntry, ImportEntry, Limits } from "../abi/wasm-types.ts";
import { MockHostError } from "../errors.ts";
import type { Profile } from "../profiles/profile.ts";
import { requireExports, requireImports, requireMemory } from "./requirements.ts";
import { markersOf } from "./markers.ts";
import { boundMemory, type BoundedModule } from "./memory-limit.ts";
import { readSections, type Sections } from "./sections.ts";
import { requireInstantiation } from "./start-section.ts";

/** A module that a host of some profile takes; instantiate it as often as VMs are needed. */
export interface LoadedModule {
  readonly name: string;
  readonly module: WasmModule;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The file it was read from; null for bytes of unknown origin. */
  readonly path: string | null;
  /** The offset in `bytes` of an offset that the engine tells: it was given a little more than these bytes. */
  readonly originalOffset: (offset: number) => number;
  /** The version its marker binds it to. */
  readonly abi: AbiVersion;
  readonly imports: readonly ImportEntry[];
  readonly exports: readonly ExportEntry[];
  readonly memories: readonly Limits[];
  /** The export that the host allocates with. */
  readonly allocator: "malloc" | "proxy_on_memory_allocate";
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
}

/**
 * The bytes of a file; E_FILE when it cannot be read, E_NOT_WASM when it does not begin as a module
 * does.
 */
export function readModuleFile(path: string): Uint8Array<ArrayBuffer> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(readFileSync(path));
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new MockHostError("E_FILE", `the file cannot be read (${reason})`, {
      place: path,
      remedy: "check the path; a relative one starts at the working directory",
      cause,
    });
  }
  if (bytes.length === 0) {
    throw new MockHostError("E_NOT_WASM", "the file is empty", {
      place: path,
      remedy: "build the module again",
    });
  }
  if (bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d) return bytes;
  throw new MockHostError("E_NOT_WASM", "this is no WebAssembly module", {
    place: path,
    remedy: "give a .wasm file",
  });
}

/**
 * Checks a module as Envoy does when it loads it, in Envoy's order and with its messages, and
 * compiles it. `name` is the plugin's or the file's, for messages; a source map is looked for at
 * `path`.
 *
 * E_NOT_WASM, E_ABI_VERSION, E_MISSING_IMPORT (its remedy has all missing names), E_SIGNATURE,
 * E_MEMORY, E_NO_ALLOCATOR, E_START_SECTION. `what` is Envoy's first line of log, word for word,
 * except where Envoy crashes.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (load, initialize), `src/v8/v8.cc` (link).
 */
export function loadModule(
  bytes: Uint8Array,
  profile: Profile,
  name: string,
  path: string | null = null,
): LoadedModule {
  const owned = new Uint8Array(bytes);
  try {
    return { ...checkedModule(owned, profile), name, path };
  } catch (error) {
    if (!(error instanceof MockHostError) || error.place !== undefined) throw error;
    const { code, what, remedy, cause } = error;
    throw new MockHostError(code, what, {
      place: name,
      cause,
      ...(remedy === undefined ? {} : { remedy }),
    });
  }
}

function checkedModule(
  bytes: Uint8Array<ArrayBuffer>,
  profile: Profile,
): Omit<LoadedModule, "name" | "path"> {
  const { imports, exports, memories, startFunction } = parsed(bytes);
  const abi = requireMarker(exports, profile);
  // A memory above the bound is spoken of where Envoy does, which is later.
  const fits = memories.every(({ initial }) => initial <= memoryPagesMax);
  const bounded = fits ? boundMemory(bytes) : unbounded(bytes);
  const module = compile(bounded.bytes);
  requireImports(imports, abi, profile);
  requireMemory(memories, imports, exports);
  requireInstantiation(module, imports, startFunction !== undefined);
  const allocator = requireExports(exports, abi, profile);
  const hash = createHash("sha256").update(bytes).digest("hex");
  const originalOffset = (offset: number): number => bounded.originalOffset(offset);
  return { module, bytes, originalOffset, abi, imports, exports, memories, allocator, hash };
}

function unbounded(bytes: Uint8Array<ArrayBuffer>): BoundedModule {
  return { bytes, originalOffset: (offset) => offset };
}

/** Damage that the section reader finds has one message in Envoy. */
function parsed(bytes: Uint8Array): Sections {
  try {
    return readSections(bytes);
  } catch (error) {
    if (!(error instanceof MockHostError)) throw error;
    const { what, remedy = "compile it again" } = error;
    throw new MockHostError("E_NOT_WASM", "Wasm VM failed Failed to parse corrupted Wasm module", {
      remedy: `${what}: ${remedy}`,
      cause: error,
    });
  }
}

function requireMarker(exports: readonly ExportEntry[], profile: Profile): AbiVersion {
  const markers = markersOf(exports);
  const accepted = markers.find((marker) => profile.abiVersions.has(marker as AbiVersion));
  if (accepted !== undefined) return accepted as AbiVersion;
  const shown =
    markers.length === 0
      ? "it exports no proxy_abi_version_*"
      : `its only marker is ${markers.join(", ")}`;
  const takes = [...profile.abiVersions].join(", ");
  const advice = markers.includes("0.2.100")
    ? "use the profile higress, or export proxy_abi_version_0_2_1 too"
    : "export a marker function such as proxy_abi_version_0_2_1";
  throw new MockHostError(
    "E_ABI_VERSION",
    "Wasm VM failed Missing or unknown Proxy-Wasm ABI version",
    { remedy: `${advice} (${shown}, and the profile ${profile.name} takes ${takes})` },
  );
}

function compile(bytes: Uint8Array<ArrayBuffer>): WasmModule {
  try {
    return new wasm.Module(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MockHostError("E_NOT_WASM", "Wasm VM failed Failed to load Wasm bytecode", {
      remedy:
        `the module is damaged, or uses a WebAssembly feature that this Node does not have ` +
        `(${reason})`,
      cause,
    });
  }
}
