/**
 * Where in the sources an instruction stands. A module says by the custom section `sourceMappingURL`
 * that it has a source map, and where: in the section itself, in the file it names, or beside the
 * module as `PLUGIN.wasm.map`. In the map the whole module is one line, and the column is the offset
 * in bytes. A map beside a module without the section is an older build's, and names wrong lines.
 *
 * Source: WebAssembly tool conventions, `Debugging.md`; ECMA-426.
 */
import { existsSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, resolve } from "node:path";
import { ByteReader } from "./byte-reader.ts";
import { functionBodyAt } from "./function-bodies.ts";
import type { LoadedModule } from "./load.ts";
import { readSections } from "./sections.ts";

type Mapped = Pick<LoadedModule, "bytes" | "path">;

/** A map read once; `problem` says why there is none though the module has one. */
type Known = { readonly map: SourceMap | null; readonly problem: string | null };

const known = new WeakMap<Uint8Array, Known>();

/**
 * `assembly/plugin.ts:12:5` (line and column from 1) of the instruction at an offset of the module,
 * or of the nearest one before it in the same function that the map knows. Null without a map, and
 * where the map says nothing.
 */
export function sourcePositionAt(loaded: Mapped, offset: number): string | null {
  const { map } = sourceMapOf(loaded);
  if (map === null) return null;
  const first = functionBodyAt(loaded.bytes, offset)?.start ?? offset;
  for (let at = offset; at >= first;) {
    // An entry without a source is one that the compiler made for code of its own.
    const entry = map.findEntry(0, at);
    if (!("generatedColumn" in entry) || entry.generatedColumn < first) return null;
    if (typeof entry.originalSource === "string") {
      return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    }
    at = entry.generatedColumn - 1;
  }
  return null;
}

/** Why the module's source map cannot be used; null when it can, or when there is none. */
export function sourceMapProblem(loaded: Mapped): string | null {
  return sourceMapOf(loaded).problem;
}

function sourceMapOf(loaded: Mapped): Known {
  let found = known.get(loaded.bytes);
  if (found === undefined) {
    found = readMap(loaded);
    known.set(loaded.bytes, found);
  }
  return found;
}

function readMap({ bytes, path }: Mapped): Known {
  let shown = "its source map";
  try {
    const place = placeOf(bytes, path);
    if (place === null) return { map: null, problem: null };
    if ("missing" in place) return { map: null, problem: place.missing };
    if ("file" in place) shown = place.file;
    const text = "file" in place ? readFileSync(place.file, "utf8") : place.text;
    return { map: new SourceMap(JSON.parse(text) as SourceMapPayload), problem: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { map: null, problem: `${shown} cannot be used: ${reason}` };
  }
}

type Place = { readonly file: string } | { readonly text: string } | { readonly missing: string };

/** What the section names, else the file beside the module; null for a module without the section. */
function placeOf(bytes: Uint8Array, path: string | null): Place | null {
  const url = mappingUrl(bytes);
  if (url === undefined) return null;
  const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(url);
  if (inline !== null) {
    const [, isBase64, content = ""] = inline;
    return { text: isBase64 === undefined ? decodeURIComponent(content) : ofBase64(content) };
  }
  if (path === null) {
    return { missing: `its source map ${url} cannot be found: only the module's bytes were given` };
  }
  const named = /^[a-z][a-z+.-]+:/i.test(url) ? null : url;
  const candidates = [...(named === null ? [] : [resolve(dirname(path), named)]), `${path}.map`];
  const file = candidates.find((candidate) => existsSync(candidate));
  return file === undefined
    ? { missing: `its source map cannot be found: no ${candidates.join(", no ")}` }
    : { file };
}

function ofBase64(content: string): string {
  return Buffer.from(content, "base64").toString("utf8");
}

function mappingUrl(bytes: Uint8Array): string | undefined {
  const section = readSections(bytes).customs.find(({ name }) => name === "sourceMappingURL");
  return section === undefined
    ? undefined
    : new ByteReader(bytes, section.start, section.end).name();
}
