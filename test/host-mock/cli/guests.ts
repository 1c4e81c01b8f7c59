import { writeFileSync } from "node:fs";
import { buildGuest } from "../../support/build-guest.ts";
import { rawModule } from "../../support/raw-guest.ts";

/** The guest `beacon`, see its source: the module's path. */
export async function beacon(): Promise<string> {
  const args = [
    "--exportStart",
    "_initialize",
    "--runtime",
    "stub",
    "--optimizeLevel",
    "3",
    "--use",
    "abort=",
  ];
  const { path } = await buildGuest({
    entry: "test/guests/beacon/plugin.guest.ts",
    config: false,
    args,
  });
  return path;
}

/** Writes a module of these parts that does nothing. */
export function writeModule(
  path: string,
  parts: { readonly exports?: readonly string[]; readonly imports?: string },
): void {
  const exported = (parts.exports ?? []).map((name) => `(func (export "${name}"))`).join(" ");
  const bytes = rawModule(`(module
    ${parts.imports ?? ""}
    (memory (export "memory") 1)
    (func (export "malloc") (param i32) (result i32) (i32.const 8))
    ${exported})`);
  writeFileSync(path, bytes);
}
