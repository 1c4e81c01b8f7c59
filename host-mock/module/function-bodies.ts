import { ByteReader } from "./byte-reader.ts";
import type { ByteRange } from "./sections.ts";

const codeSection = 10;

/** Where the body of the function that contains this offset lies; undefined outside of the code. */
export function functionBodyAt(bytes: Uint8Array, offset: number): ByteRange | undefined {
  const reader = new ByteReader(bytes);
  reader.at = 8;
  while (!reader.isDone) {
    const id = reader.byte();
    const section = reader.part(reader.u32());
    if (id !== codeSection) continue;
    if (offset < section.at || offset >= section.end) return undefined;
    for (let left = section.u32(); left > 0; left--) {
      const { at, end } = section.part(section.u32());
      if (offset < end) return offset < at ? undefined : { start: at, end };
    }
  }
  return undefined;
}
