import { newBuffer } from "../memory/bytes";
import { hasEscape, unescape } from "./scan";

/** Where the content that `resolve` was asked for stands, until it is asked again. */
export let contentStart: usize = 0;
export let contentEnd: usize = 0;

// Keeps resolved content alive for as long as the words above point at it.
let resolved: ArrayBuffer | null = null;

/**
 * Resolves the escapes of the string between two addresses, which are those inside its quotes: in
 * place when it has none, else in a buffer. The text itself must be kept alive by the caller.
 */
export function resolve(start: usize, end: usize): void {
  contentStart = start;
  contentEnd = end;
  if (!hasEscape(start, end)) return;
  const buffer = newBuffer(end - start);
  resolved = buffer;
  contentStart = changetype<usize>(buffer);
  contentEnd = contentStart + unescape(start, end, contentStart);
}
