import type { AbiVersion } from "../abi/enums.ts";
import { loadingProfiles } from "../profiles/index.ts";
import type { Profile } from "../profiles/profile.ts";
import {
  declaredFeaturesOf,
  namesOf,
  producersOf,
  sourceMapUrlOf,
  type ModuleNames,
} from "./custom-sections.ts";
import { featuresOf } from "./features.ts";
import { languageOf, type Language } from "./language.ts";
import { markersOf } from "./markers.ts";
import { missingImports } from "./requirements.ts";
import { sdkOf } from "./sdk.ts";
import { readSections } from "./sections.ts";
import { uncalledExports } from "./uncalled-exports.ts";

/** What `inspect --json` prints, without the file's name. */
export interface InspectResult {
  /** Size of the module. */
  readonly bytes: number;
  /** Versions of its ABI markers, in its order. */
  readonly abi: readonly string[];
  readonly language: Language;
  /** The library it was written with, `proxy-wasm-rust-sdk 0.2.5`; null when nothing tells. */
  readonly sdk: string | null;
  /** Of the `producers` section: `{ "processed-by": ["rustc 1.94.0"] }`. */
  readonly producers: Readonly<Record<string, readonly string[]>>;
  /** In the module's order, repeated entries too. */
  readonly imports: readonly { readonly module: string; readonly name: string }[];
  /** Names, in the module's order. */
  readonly exports: readonly string[];
  /** By profile: imports that it lacks, `env.proxy_redis_call`. */
  readonly missing: Readonly<Record<string, readonly string[]>>;
  /** By profile: exported functions that it never calls; markers left out. */
  readonly never_called: Readonly<Record<string, readonly string[]>>;
  /** Whether the module has a start section (a host call in it crashes a real Envoy). */
  readonly start_section: boolean;
  readonly memory: {
    readonly initial_pages: number;
    readonly maximum_pages: number | null;
    /** May be shared between threads. */
    readonly shared: boolean;
    readonly imported: boolean;
  };
  /** Proposals beyond WebAssembly 1.0 that its types, memories, globals and code use. */
  readonly features: readonly string[];
  /** What the compiler was allowed to use: `+simd128`. */
  readonly declared_features: readonly string[];
  /** What its name section holds; null without one. */
  readonly names: ModuleNames | null;
  /** Where its source map is, as the module says; null when it says nothing. */
  readonly source_map: string | null;
  /** Whether it carries DWARF, which no host reads. */
  readonly dwarf: boolean;
  /** Names of its custom sections, in the module's order. */
  readonly custom_sections: readonly string[];
  /** Each section with its head, in the module's order: with the module's 8 first bytes all of it. */
  readonly sections: readonly {
    readonly name: string;
    readonly custom: boolean;
    readonly bytes: number;
  }[];
}

/** Reads a module without compiling it; E_NOT_WASM for bytes that are none. */
export function inspectModule(
  bytes: Uint8Array,
  hosts: readonly Profile[] = loadingProfiles,
): InspectResult {
  const sections = readSections(bytes);
  const { imports, exports, customs } = sections;
  const markers = markersOf(exports);
  const memory = sections.memories[0];
  const customNames = customs.map(({ name }) => name);
  const perHost = (list: (abi: AbiVersion, host: Profile) => string[]) =>
    Object.fromEntries(hosts.map((host) => [host.name, list(versionOn(host, markers), host)]));
  return {
    bytes: bytes.length,
    abi: markers,
    language: languageOf(bytes, sections),
    sdk: sdkOf(bytes),
    producers: producersOf(bytes, sections),
    imports: imports.map(({ module, name }) => ({ module, name })),
    exports: exports.map(({ name }) => name),
    missing: perHost((abi, host) => missingImports(imports, abi, host)),
    never_called: perHost((abi, host) => uncalledExports(exports, abi, host)),
    start_section: sections.startFunction !== undefined,
    memory: {
      initial_pages: memory?.initial ?? 0,
      maximum_pages: memory?.maximum ?? null,
      shared: memory?.isShared ?? false,
      imported: imports.some(({ kind }) => kind === "memory"),
    },
    features: featuresOf(bytes, sections),
    declared_features: declaredFeaturesOf(bytes, sections),
    names: namesOf(bytes, sections),
    source_map: sourceMapUrlOf(bytes, sections),
    dwarf: customNames.includes(".debug_info"),
    custom_sections: customNames,
    sections: sections.sizes.map(({ name, isCustom, bytes: size }) => {
      return { name, custom: isCustom, bytes: size };
    }),
  };
}

/**
 * The version a host would bind the module to; where it takes none of its markers, the common one.
 */
function versionOn(host: Profile, markers: readonly string[]): AbiVersion {
  return (markers.find((marker) => host.abiVersions.has(marker as AbiVersion)) ??
    "0.2.1") as AbiVersion;
}
