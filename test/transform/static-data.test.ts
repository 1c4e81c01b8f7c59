import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pack } from "../../transform/pack.js";
import { buildGuest } from "../support/build-guest.ts";

/** What the module does when `_initialize` begins, by the format's description. */
function unpack(packed: Uint8Array, size: number): Uint8Array {
  const units: number[] = [];
  const byte = (at: number) => packed[at] ?? Number.NaN;
  for (let at = 0; at < packed.length;) {
    const code = byte(at++);
    if (code === 0) {
      for (let n = byte(at++); n > 0; n--) units.push(0);
    } else if (code < 0x80) {
      units.push(code);
    } else {
      const word = byte(at) | (byte(at + 1) << 8);
      at += 2;
      if (code === 0xff) units.push(word);
      else units.push(...units.slice(units.length - word).slice(0, code - 0x80 + 4));
    }
  }
  const bytes = units.flatMap((unit) => [unit & 0xff, unit >> 8]);
  return Uint8Array.from(bytes.slice(0, size));
}

/** Texts as they stand in memory, with runs, repetitions and units of all sizes. */
const image = fc
  .array(
    fc.oneof(
      fc.constantFrom("LeaseDuration must be ", "RetryPeriod must be ", "\0".repeat(600)),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((texts) => new Uint8Array(Uint16Array.from(texts.join(""), (c) => c.charCodeAt(0)).buffer));

describe("packed static data", () => {
  it("comes back as it was, whatever it is", () => {
    fc.assert(
      fc.property(image, (bytes) => {
        expect(unpack(pack(bytes), bytes.length)).toEqual(bytes);
      }),
    );
  });

  it("takes less than half of the room of texts", () => {
    const text = "a value is expected|a quoted name is expected|";
    const bytes = new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer);

    expect(pack(bytes).length).toBeLessThan(bytes.length / 2);
  });

  it("stands in memory once `_initialize` has begun, and a second `_initialize` changes nothing", async () => {
    const { bytes } = await buildGuest({ entry: "test/guests/hello/plugin.guest.ts" });
    const module = new WebAssembly.Module(bytes);
    const imports: WebAssembly.Imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      imports[from] = { ...imports[from], [name]: () => 0 };
    }
    const { exports } = new WebAssembly.Instance(module, imports);
    const memory = exports["memory"] as WebAssembly.Memory;
    const initialize = exports["_initialize"] as () => void;
    const holds = (text: string) =>
      Buffer.from(memory.buffer).includes(Buffer.from(text, "utf16le"));

    const before = holds("value must not be empty");
    initialize();
    const after = new Uint8Array(memory.buffer).slice();
    initialize();

    expect(before).toBe(false);
    expect(holds("value must not be empty")).toBe(true);
    expect(new Uint8Array(memory.buffer)).toEqual(after);
  });
});
