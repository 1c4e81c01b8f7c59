import type { AbiVersion } from "../abi/enums.ts";
import { profiles } from "../profiles/index.ts";
import type { Profile } from "../profiles/profile.ts";
import { languageOf, type Language } from "./language.ts";
import { markersOf } from "./markers.ts";
import { missingImports } from "./requirements.ts";
import { readSections } from "./sections.ts";

/** What `inspect --json` prints, without the file's name. */
export interface InspectResult {
  /** Size of the module. */
  readonly bytes: number;
  /** Versions of its ABI markers, in its order. */
  readonly abi: readonly string[];
  readonly language: Language;
  /** In the module's order, repeated entries too. */
  readonly imports: readonly { readonly module: string; readonly name: string }[];
  /** Names, in the module's order. */
  readonly exports: readonly string[];
  /** By profile: imports that it lacks, `env.proxy_redis_call`. */
  readonly missing: Readonly<Record<string, readonly string[]>>;
  /** Whether the module has a start section (a host call in it crashes a real Envoy). */
  readonly start_section: boolean;
  readonly memory: { readonly initial_pages: number; readonly maximum_pages: number | null };
  /** Names of its custom sections, in the module's order. */
  readonly custom_sections: readonly string[];
}

/** Reads a module without compiling it; E_NOT_WASM for bytes that are none. */
export function inspectModule(
  bytes: Uint8Array,
  hosts: readonly Profile[] = profiles,
): InspectResult {
  const sections = readSections(bytes);
  const markers = markersOf(sections.exports);
  const memory = sections.memories[0];
  return {
    bytes: bytes.length,
    abi: markers,
    language: languageOf(bytes, sections),
    imports: sections.imports.map(({ module, name }) => ({ module, name })),
    exports: sections.exports.map(({ name }) => name),
    missing: Object.fromEntries(
      hosts.map((host) => [
        host.name,
        missingImports(sections.imports, versionOn(host, markers), host),
      ]),
    ),
    start_section: sections.startFunction !== undefined,
    memory: { initial_pages: memory?.initial ?? 0, maximum_pages: memory?.maximum ?? null },
    custom_sections: sections.customs.map(({ name }) => name),
  };
}

/**
 * The version a host would bind the module to; where it takes none of its markers, the common one.
 */
function versionOn(host: Profile, markers: readonly string[]): AbiVersion {
  return (markers.find((marker) => host.abiVersions.has(marker as AbiVersion)) ??
    "0.2.1") as AbiVersion;
}
