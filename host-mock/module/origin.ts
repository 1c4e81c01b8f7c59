/**
 * Where bytes of a module were read. Whoever reads a file himself, to read it once for several runs,
 * says so here: a source map is then found from the bytes.
 */
const origins = new WeakMap<Uint8Array, string>();

/** Says that these bytes are the file's at `path`. */
export function rememberOrigin(bytes: Uint8Array, path: string): void {
  origins.set(bytes, path);
}

/** The file that the bytes were read from; null where nobody said. */
export function originOf(bytes: Uint8Array): string | null {
  return origins.get(bytes) ?? null;
}
