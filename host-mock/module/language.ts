/** What a module was written in: best effort, from what compilers leave behind. */
import { Buffer } from "node:buffer";
import { ByteReader } from "./byte-reader.ts";
import type { Sections } from "./sections.ts";

export type Language = "assemblyscript" | "rust" | "go" | "cpp" | "unknown";

/** Languages by a word of the producers section's `language` and `processed-by` fields. */
const producers: readonly (readonly [RegExp, Language])[] = [
  [/^Rust$|^rustc$/i, "rust"],
  [/^Go$|^Go cmd\/compile$|^TinyGo$/i, "go"],
  [/^AssemblyScript$|^asc$/i, "assemblyscript"],
  [/^C_plus_plus|^C\d*$|^C99$|^clang/i, "cpp"],
];

/** Text in data or names that no other language has; AssemblyScript's is UTF-16. */
const traces: readonly (readonly [Buffer, Language])[] = [
  [Buffer.from("~lib/", "utf16le"), "assemblyscript"],
  [Buffer.from("~lib/"), "assemblyscript"],
  [Buffer.from("library/std/src/"), "rust"],
  [Buffer.from("library/core/src/"), "rust"],
  [Buffer.from("/rustc/"), "rust"],
  [Buffer.from("rust_panic"), "rust"],
  [Buffer.from("runtime.gopanic"), "go"],
  [Buffer.from("St9exception"), "cpp"],
  [Buffer.from("St9bad_alloc"), "cpp"],
  [Buffer.from("_ZNSt3__2"), "cpp"],
];

const assemblyScriptExports = new Set([
  "__new",
  "__pin",
  "__collect",
  "__rtti_base",
  "__setArgumentsLength",
]);
const emscriptenNames =
  /^emscripten_|^__errno_location$|^stack(?:Save|Restore|Alloc)$|^__wasm_call_ctors$/;

/** Custom sections and exports first, then the producers section, then text. */
export function languageOf(bytes: Uint8Array, sections: Sections): Language {
  const { customs, exports, imports } = sections;
  if (customs.some(({ name }) => name === "go:buildid" || name === "go.buildid")) return "go";
  if (exports.some(({ name }) => assemblyScriptExports.has(name))) return "assemblyscript";
  const produced = fromProducers(bytes, sections);
  if (produced !== "unknown" && produced !== "cpp") return produced;
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [text, language] of traces) if (whole.includes(text)) return language;
  if (produced === "cpp") return "cpp";
  const isEmscripten = [...imports, ...exports].some(({ name }) => emscriptenNames.test(name));
  if (isEmscripten) return "cpp";
  return isAssemblyScriptData(bytes, sections) ? "assemblyscript" : "unknown";
}

/**
 * `producers`: fields of (name, values of (name, version)). Rust's standard library brings parts
 * that clang made, so another language's entry wins over C++.
 */
function fromProducers(bytes: Uint8Array, { customs }: Sections): Language {
  const section = customs.find(({ name }) => name === "producers");
  if (section === undefined) return "unknown";
  const found = new Set<Language>();
  try {
    const reader = new ByteReader(bytes, section.start, section.end);
    reader.list(() => {
      reader.name();
      reader.list(() => {
        const value = reader.name();
        reader.name();
        for (const [pattern, language] of producers) if (pattern.test(value)) found.add(language);
      });
    });
  } catch {
    // A custom section may hold anything; a broken one says nothing.
    return "unknown";
  }
  for (const language of ["rust", "go", "assemblyscript", "cpp"] as const)
    if (found.has(language)) return language;
  return "unknown";
}

/**
 * asc's smallest output has no text of its own, but its first object: a header of 20 bytes before a
 * payload aligned to 16, so that the first segment lies at 12 modulo 16 and begins with the block's
 * size, 12 modulo 16 too.
 */
function isAssemblyScriptData(bytes: Uint8Array, { data }: Sections): boolean {
  if (data === undefined) return false;
  const reader = new ByteReader(bytes, data.start, data.end);
  try {
    const count = reader.u32();
    const isActive = reader.u32() === 0;
    const isConstant = reader.byte() === 0x41;
    const offset = reader.u32();
    const isEnd = reader.byte() === 0x0b;
    reader.u32();
    return (
      count > 0 &&
      isActive &&
      isConstant &&
      isEnd &&
      offset % 16 === 12 &&
      reader.byte() % 16 === 12
    );
  } catch {
    // Whatever this data section is, it is not one that asc wrote.
    return false;
  }
}
