import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AbiVersion } from "../abi/enums.ts";
import { wasm, type WasmModule } from "../abi/wasm-api.ts";
import type { ExportEntry, ImportEntry, Limits } from "../abi/wasm-types.ts";
import { MockHostError } from "../errors.ts";
import type { Profile } from "../profiles/profile.ts";
import { requireExports, requireImports, requireMemory } from "./requirements.ts";
import { markersOf } from "./markers.ts";
import { readSections } from "./sections.ts";
import { requireQuietStart } from "./start-section.ts";

/** A module that a host of some profile takes; instantiate it as often as VMs are needed. */
export interface LoadedModule {
  readonly name: string;
  readonly module: WasmModule;
  readonly bytes: Uint8Array<ArrayBuffer>;
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
  if (bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d) return bytes;
  throw new MockHostError("E_NOT_WASM", "this is no WebAssembly module", {
    place: path,
    remedy: "give a .wasm file",
  });
}

/**
 * Checks a module as Envoy does when it loads it, in Envoy's order and with its messages, and
 * compiles it. `name` is the plugin's or the file's, for messages.
 *
 * E_NOT_WASM, E_ABI_VERSION, E_MISSING_IMPORT (all missing names at once), E_SIGNATURE, E_MEMORY,
 * E_NO_ALLOCATOR, E_START_SECTION.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (load, initialize), `src/v8/v8.cc` (link).
 */
export function loadModule(bytes: Uint8Array, profile: Profile, name: string): LoadedModule {
  const owned = new Uint8Array(bytes);
  try {
    return checkedModule(owned, profile, name);
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
  name: string,
): LoadedModule {
  const { imports, exports, memories, startFunction } = readSections(bytes);
  const abi = requireMarker(exports, profile);
  requireMemory(memories, imports, exports);
  const module = compile(bytes);
  requireImports(imports, abi, profile);
  const allocator = requireExports(exports, abi, profile);
  if (startFunction !== undefined) requireQuietStart(module, imports);
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { name, module, bytes, abi, imports, exports, memories, allocator, hash };
}

function requireMarker(exports: readonly ExportEntry[], profile: Profile): AbiVersion {
  const markers = markersOf(exports);
  const accepted = markers.find((marker) => profile.abiVersions.has(marker as AbiVersion));
  if (accepted !== undefined) return accepted as AbiVersion;
  const shown =
    markers.length === 0 ? "no proxy_abi_version_* export" : `only marker ${markers.join(", ")}`;
  const takes = [...profile.abiVersions].join(", ");
  const remedy = markers.includes("0.2.100")
    ? "use the profile higress, or export proxy_abi_version_0_2_1 too"
    : "export a marker function such as proxy_abi_version_0_2_1";
  throw new MockHostError(
    "E_ABI_VERSION",
    "Wasm VM failed Missing or unknown Proxy-Wasm ABI version " +
      `(${shown}; profile ${profile.name} takes ${takes})`,
    { remedy },
  );
}

function compile(bytes: Uint8Array<ArrayBuffer>): WasmModule {
  try {
    return new wasm.Module(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MockHostError("E_NOT_WASM", `Failed to load Wasm bytecode: ${reason}`, {
      remedy: "the module is damaged, or uses a WebAssembly feature that this Node does not have",
      cause,
    });
  }
}
