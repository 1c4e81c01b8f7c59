/** What compilers say of a module in its custom sections. A section that is damaged says nothing. */
import { MockHostError } from "../errors.ts";
import { ByteReader } from "./byte-reader.ts";
import type { Sections } from "./sections.ts";

export interface ModuleNames {
  /** The module's own; null when it has none. */
  readonly module: string | null;
  /** How many functions have a name. */
  readonly functions: number;
}

/** The name section; null without one. */
export function namesOf(bytes: Uint8Array, sections: Sections): ModuleNames | null {
  return read(bytes, sections, "name", (reader) => {
    let module: string | null = null;
    let functions = 0;
    while (!reader.isDone) {
      const id = reader.byte();
      const body = reader.part(reader.u32());
      if (id === 0) module = body.name();
      if (id === 1) functions = body.u32();
    }
    return { module, functions };
  });
}

/** Where the module says its source map is; null when it says nothing. */
export function sourceMapUrlOf(bytes: Uint8Array, sections: Sections): string | null {
  return read(bytes, sections, "sourceMappingURL", (reader) => reader.name());
}

/** What the compiler was allowed to use: `+simd128`; a `-` forbids a feature. */
export function declaredFeaturesOf(bytes: Uint8Array, sections: Sections): string[] {
  const declared = read(bytes, sections, "target_features", (reader) =>
    reader.list(() => String.fromCharCode(reader.byte()) + reader.name()),
  );
  return declared ?? [];
}

/** Who made the module: each field of the `producers` section with names and versions. */
export function producersOf(bytes: Uint8Array, sections: Sections): Record<string, string[]> {
  const fields = read(bytes, sections, "producers", (reader) =>
    reader.list((): [string, string[]] => {
      const field = reader.name();
      const values = reader.list(() => [reader.name(), reader.name()].join(" ").trimEnd());
      return [field, values];
    }),
  );
  return Object.fromEntries(fields ?? []);
}

function read<T>(
  bytes: Uint8Array,
  { customs }: Sections,
  name: string,
  decode: (reader: ByteReader) => T,
): T | null {
  const section = customs.find((custom) => custom.name === name);
  if (section === undefined) return null;
  try {
    return decode(new ByteReader(bytes, section.start, section.end));
  } catch (error) {
    if (error instanceof MockHostError) return null;
    throw error;
  }
}
