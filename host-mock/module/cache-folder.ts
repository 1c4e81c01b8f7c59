import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cwd, pid } from "node:process";

/**
 * Where what is costly to make is kept: `node_modules/.cache/proxy-wasm-as` of the project around the working directory,
 * else the machine's folder for temporary files. May be deleted at any time.
 */
export function cacheFolder(): string {
  for (let folder = cwd(); ; folder = dirname(folder)) {
    const modules = join(folder, "node_modules");
    if (existsSync(modules)) return join(modules, ".cache", "proxy-wasm-as");
    if (dirname(folder) === folder) return join(tmpdir(), "proxy-wasm-as-cache");
  }
}

/** The bytes kept under that name; undefined when there are none. */
export function readCached(name: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(join(cacheFolder(), name)));
  } catch {
    // Absent or unreadable, it is made anew.
    return undefined;
  }
}

/** Keeps the bytes; without effect where nothing can be written, which only costs time. */
export function writeCached(name: string, bytes: Uint8Array): void {
  const path = join(cacheFolder(), name);
  const partial = `${path}.${pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(partial, bytes);
    // Another process that makes the same sees all of it or nothing.
    renameSync(partial, path);
  } catch {
    rmSync(partial, { force: true });
  }
}
