/**
 * The components of a property path, which NUL separates. A trailing NUL is tolerated, a component
 * may be empty, a dot has no meaning; the empty path has no components. Copies.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (getProperty).
 */
export function splitPath(path: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let start = 0;
  while (start < path.length) {
    const found = path.indexOf(0, start);
    const end = found < 0 ? path.length : found;
    parts.push(path.slice(start, end));
    start = end + 1;
  }
  return parts;
}
