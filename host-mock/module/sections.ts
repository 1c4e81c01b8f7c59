/**
 * Reads what a host must know of a module before it compiles it: imports and exports with their
 * types, memories, start section, custom sections. Code and data are skipped. V8 validates the
 * rest.
 */
import type {
  ExportEntry,
  ExternKind,
  FunctionType,
  ImportEntry,
  Limits,
} from "../abi/wasm-types.ts";
import { MockHostError } from "../errors.ts";
import { ByteReader } from "./byte-reader.ts";
import { readTypes, readValueType } from "./type-section.ts";

/** Where something lies in the module. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface CustomSection extends ByteRange {
  readonly name: string;
}

/** A section with its head: the sizes of all of them and 8 are the module's size. */
export interface SectionSize {
  /** `type` … `data`; of a custom section its own name. */
  readonly name: string;
  readonly isCustom: boolean;
  readonly bytes: number;
}

export interface Sections {
  /** In the module's order. */
  readonly sizes: readonly SectionSize[];
  readonly imports: readonly ImportEntry[];
  readonly exports: readonly ExportEntry[];
  /** Imported memories first, as in the index space. */
  readonly memories: readonly Limits[];
  /** Index of the function the start section names; undefined without one. */
  readonly startFunction: number | undefined;
  readonly customs: readonly CustomSection[];
  /** Content of the data section; undefined without one. */
  readonly data: ByteRange | undefined;
}

const kinds: readonly ExternKind[] = ["function", "table", "memory", "global", "tag"];
const Section = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  memory: 5,
  export: 7,
  start: 8,
  data: 11,
} as const;

/** By number, from 1. */
const sectionNames: readonly string[] = [
  ...["custom", "type", "import", "function", "table", "memory", "global", "export", "start"],
  ...["element", "code", "data", "data count", "tag"],
];

/** E_NOT_WASM for bytes that are no module. */
export function readSections(bytes: Uint8Array): Sections {
  const reader = new ByteReader(bytes);
  requireHeader(bytes);
  reader.at = 8;
  const found = new Found();
  while (!reader.isDone) {
    const start = reader.at;
    const id = reader.byte();
    const body = reader.part(reader.u32());
    found.section(id, body, body.end - start);
  }
  return found.sections();
}

function requireHeader(bytes: Uint8Array): void {
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const isModule = header.every((byte, index) => bytes[index] === byte);
  if (isModule) return;
  const isComponent =
    header.slice(0, 4).every((byte, index) => bytes[index] === byte) && bytes[6] === 1;
  throw new MockHostError(
    "E_NOT_WASM",
    isComponent ? "this is a WebAssembly component" : "this is no WebAssembly module",
    {
      remedy: isComponent ? "proxies load core modules" : "give a .wasm file, not its text form",
    },
  );
}

class Found {
  readonly #imports: ImportEntry[] = [];
  readonly #exports: ExportEntry[] = [];
  readonly #memories: Limits[] = [];
  readonly #customs: CustomSection[] = [];
  readonly #sizes: SectionSize[] = [];
  #types: readonly (FunctionType | undefined)[] = [];
  /** Type index of each function, imported ones first. */
  readonly #functions: number[] = [];
  #start: number | undefined;
  #data: ByteRange | undefined;

  /** `sizeBytes` is its size with its head. */
  section(id: number, body: ByteReader, sizeBytes: number): void {
    this.#read(id, body);
    const isCustom = id === Section.custom;
    const name = isCustom ? this.#customs.at(-1)!.name : (sectionNames[id] ?? String(id));
    this.#sizes.push({ name, isCustom, bytes: sizeBytes });
  }

  #read(id: number, body: ByteReader): void {
    switch (id) {
      case Section.custom:
        this.#custom(body);
        return;
      case Section.type:
        this.#types = readTypes(body);
        return;
      case Section.import:
        this.#imports.push(...body.list(() => this.#import(body)));
        return;
      case Section.function:
        this.#functions.push(...body.list(() => body.u32()));
        return;
      case Section.memory:
        this.#memories.push(...body.list(() => readLimits(body)));
        return;
      case Section.export:
        this.#exports.push(...body.list(() => this.#export(body)));
        return;
      case Section.start:
        this.#start = body.u32();
        return;
      case Section.data:
        this.#data = { start: body.at, end: body.end };
        return;
    }
  }

  sections(): Sections {
    return {
      sizes: this.#sizes,
      imports: this.#imports,
      exports: this.#exports.map((entry) => this.#typed(entry)),
      memories: this.#memories,
      startFunction: this.#start,
      customs: this.#customs,
      data: this.#data,
    };
  }

  #custom(body: ByteReader): void {
    const name = body.name();
    this.#customs.push({ name, start: body.at, end: body.end });
  }

  #import(body: ByteReader): ImportEntry {
    const module = body.name();
    const name = body.name();
    const kind = kindOf(body);
    const entry = { module, name, kind };
    switch (kind) {
      case "function": {
        const index = body.u32();
        this.#functions.push(index);
        return withType(entry, this.#types[index]);
      }
      case "table": {
        const elementType = readValueType(body);
        return { ...entry, elementType, limits: readLimits(body) };
      }
      case "memory": {
        const limits = readLimits(body);
        this.#memories.push(limits);
        return { ...entry, limits };
      }
      case "global":
        readValueType(body);
        body.byte();
        return entry;
      case "tag":
        body.byte();
        body.u32();
        return entry;
    }
  }

  #export(body: ByteReader): ExportEntry {
    return { name: body.name(), kind: kindOf(body), index: body.u32() };
  }

  #typed(entry: ExportEntry): ExportEntry {
    if (entry.kind !== "function") return entry;
    return withType(entry, this.#types[this.#functions[entry.index] ?? -1]);
  }
}

function withType<T extends object>(entry: T, type: FunctionType | undefined): T {
  return type === undefined ? entry : { ...entry, type };
}

function kindOf(body: ByteReader): ExternKind {
  const kind = kinds[body.byte()];
  if (kind === undefined) throw body.malformed("has an import or export of unknown kind");
  return kind;
}

/**
 * Limits: a flags byte (1 has a maximum, 2 shared, 4 of 64 bits, 8 own page size), then the
 * numbers.
 */
function readLimits(body: ByteReader): Limits {
  const flags = body.byte();
  const initial = body.u53();
  const maximum = (flags & 1) !== 0 ? body.u53() : null;
  if ((flags & 8) !== 0) body.u32();
  return { initial, maximum, isShared: (flags & 2) !== 0, isLong: (flags & 4) !== 0 };
}
