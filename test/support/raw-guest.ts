/** Guests written in WebAssembly text, for what no compiler writes. */
import binaryen from "assemblyscript/binaryen";

/** The bytes of a module; names go into a name section when asked for. */
export function rawModule(
  text: string,
  options: { readonly names?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  const module = binaryen.parseText(text);
  const before = binaryen.getDebugInfo();
  const [optimizeLevel, shrinkLevel] = [binaryen.getOptimizeLevel(), binaryen.getShrinkLevel()];
  try {
    module.setFeatures(binaryen.Features.All);
    binaryen.setDebugInfo(options.names === true);
    // What asc has set in this process would change the bytes.
    binaryen.setOptimizeLevel(0);
    binaryen.setShrinkLevel(0);
    return new Uint8Array(module.emitBinary());
  } finally {
    binaryen.setDebugInfo(before);
    binaryen.setOptimizeLevel(optimizeLevel);
    binaryen.setShrinkLevel(shrinkLevel);
    module.dispose();
  }
}

/** A marker, a memory and a bump allocator: what every guest needs. Add fields to it. */
export function rawPlugin(
  fields: string,
  options: { readonly names?: boolean; readonly imports?: string } = {},
): Uint8Array<ArrayBuffer> {
  return rawModule(
    `(module
      ${options.imports ?? ""}
      (memory (export "memory") 1)
      (global $free (mut i32) (i32.const 4096))
      (func (export "proxy_abi_version_0_2_1"))
      (func $malloc (export "malloc") (param $size i32) (result i32)
        (global.get $free)
        (global.set $free (i32.add (global.get $free) (local.get $size))))
      ${fields})`,
    options,
  );
}
