import { MockHostError } from "../errors.ts";
import { ByteReader } from "./byte-reader.ts";
import { readSections } from "./sections.ts";

const functionNamesId = 1;

const known = new WeakMap<Uint8Array, ReadonlyMap<number, string>>();

/**
 * The functions' names by index, as the name section has them; empty without one, or with one that
 * is damaged.
 *
 * Source: proxy-wasm-cpp-host `src/bytecode_util.cc` (getFunctionNameIndex).
 */
export function functionNames(bytes: Uint8Array): ReadonlyMap<number, string> {
  let found = known.get(bytes);
  if (found === undefined) {
    found = readNames(bytes);
    known.set(bytes, found);
  }
  return found;
}

function readNames(bytes: Uint8Array): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const section = readSections(bytes).customs.find(({ name }) => name === "name");
  if (section === undefined) return names;
  const reader = new ByteReader(bytes, section.start, section.end);
  try {
    while (!reader.isDone) {
      const id = reader.byte();
      const body = reader.part(reader.u32());
      if (id !== functionNamesId) continue;
      for (let left = body.u32(); left > 0; left--) names.set(body.u32(), body.name());
    }
  } catch (error) {
    if (error instanceof MockHostError) return new Map();
    throw error;
  }
  return names;
}
