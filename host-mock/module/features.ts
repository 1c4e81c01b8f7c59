import { MockHostError } from "../errors.ts";
import { ByteReader } from "./byte-reader.ts";
import {
  UnknownInstruction,
  walkCode,
  walkConstant,
  walkValueType,
  type Feature,
  type OnFeature,
} from "./instructions.ts";
import type { Sections } from "./sections.ts";
import { readTypes } from "./type-section.ts";

/** In the order in which they came into WebAssembly, more or less. */
const order: readonly Feature[] = [
  ...(["mutable-globals", "sign-extension", "saturating-conversion", "multi-value"] as const),
  ...(["bulk-memory", "reference-types", "simd", "relaxed-simd", "threads", "tail-calls"] as const),
  ...(["extended-const", "exceptions-legacy", "exceptions"] as const),
  ...(["typed-function-references", "gc", "multi-memory", "memory64", "wide-arithmetic"] as const),
  ...(["unknown-instructions"] as const),
];

/**
 * The proposals beyond WebAssembly 1.0 that a module really uses, found by reading its types,
 * memories, globals and code. `unknown-instructions`: some function could not be read to its end.
 */
export function featuresOf(bytes: Uint8Array, sections: Sections): Feature[] {
  const scan = new FeatureScan(sections);
  const reader = new ByteReader(bytes, 8);
  while (!reader.isDone) {
    const id = reader.byte();
    scan.section(id, reader.part(reader.u32()));
  }
  return scan.found();
}

class FeatureScan {
  readonly #found = new Set<Feature>();
  readonly #sections: Sections;
  #hasTags: boolean;

  constructor(sections: Sections) {
    this.#sections = sections;
    this.#hasTags = sections.imports.some(({ kind }) => kind === "tag");
    this.#memories();
  }

  found(): Feature[] {
    const isEither = this.#found.has("exceptions") || this.#found.has("exceptions-legacy");
    if (this.#hasTags && !isEither) this.#found.add("exceptions");
    return order.filter((feature) => this.#found.has(feature));
  }

  section(id: number, body: ByteReader): void {
    const read = this.#readers[id];
    if (read === undefined) return;
    try {
      read(body);
    } catch (error) {
      // Sections that hosts do not read may hold anything; the engine judges them.
      if (!(error instanceof MockHostError) && !(error instanceof UnknownInstruction)) throw error;
      this.#found.add("unknown-instructions");
    }
  }

  readonly #on: OnFeature = (feature) => void this.#found.add(feature);

  /** By the section's number. */
  readonly #readers: Readonly<Record<number, (body: ByteReader) => void>> = {
    1: (body) => this.#types(body),
    4: (body) => this.#tables(body),
    6: (body) => this.#globals(body),
    10: (body) => this.#code(body),
    11: (body) => this.#data(body),
    12: () => this.#on("bulk-memory"),
    13: () => (this.#hasTags = true),
  };

  #memories(): void {
    const { memories } = this.#sections;
    if (memories.length > 1) this.#on("multi-memory");
    for (const { isShared, isLong } of memories) {
      if (isShared) this.#on("threads");
      if (isLong) this.#on("memory64");
    }
  }

  #types(body: ByteReader): void {
    for (const type of readTypes(body)) {
      if (type === undefined) {
        this.#on("gc");
        continue;
      }
      if (type.results.length > 1) this.#on("multi-value");
      for (const value of [...type.params, ...type.results]) this.#value(value);
    }
  }

  #value(type: string): void {
    if (type === "v128") this.#on("simd");
    else if (type === "externref" || type === "funcref") this.#on("reference-types");
    else if (type.startsWith("ref")) this.#on("typed-function-references");
    else if (type.startsWith("0x")) this.#on("gc");
  }

  #tables(body: ByteReader): void {
    const { imports } = this.#sections;
    const count = body.u32() + imports.filter(({ kind }) => kind === "table").length;
    if (count > 1) this.#on("reference-types");
    // A table of functions is as old as WebAssembly; with an initial value it begins with 0x40.
    if (body.isDone || body.bytes[body.at] === 0x70 || body.bytes[body.at] === 0x40) return;
    walkValueType(body, this.#on);
  }

  #globals(body: ByteReader): void {
    const { imports, exports } = this.#sections;
    const first = imports.filter(({ kind }) => kind === "global").length;
    const exported = new Set(
      exports.filter(({ kind }) => kind === "global").map(({ index }) => index),
    );
    const count = body.u32();
    for (let index = first; index < first + count; index++) {
      walkValueType(body, this.#on);
      const isMutable = body.byte() === 1;
      if (isMutable && exported.has(index)) this.#on("mutable-globals");
      walkConstant(body, this.#on);
    }
  }

  #data(body: ByteReader): void {
    for (let left = body.u32(); left > 0; left--) {
      const flags = body.u32();
      if (flags === 1) this.#on("bulk-memory");
      if (flags === 2 && body.u32() !== 0) this.#on("multi-memory");
      if (flags !== 1) walkConstant(body, this.#on);
      body.skip(body.u32());
    }
  }

  #code(body: ByteReader): void {
    for (let left = body.u32(); left > 0; left--) this.#function(body.part(body.u32()));
  }

  #function(body: ByteReader): void {
    try {
      body.list(() => {
        body.u32();
        walkValueType(body, this.#on);
      });
      walkCode(body, this.#on);
    } catch (error) {
      if (!(error instanceof MockHostError) && !(error instanceof UnknownInstruction)) throw error;
      this.#on("unknown-instructions");
    }
  }
}
