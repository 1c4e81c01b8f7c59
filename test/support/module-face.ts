/** What a module offers and asks, as V8 reads it; independent of the host's own section reader. */

interface Api {
  readonly Module: {
    new (bytes: Uint8Array<ArrayBuffer>): object;
    exports(module: object): { readonly name: string }[];
    imports(module: object): { readonly module: string; readonly name: string }[];
  };
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

// The compiler declares WebAssembly with the browser's library only.
const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly;

/** Names of the exports, in the order of the module. */
export function exportNames(bytes: Uint8Array<ArrayBuffer>): string[] {
  return Module.exports(new Module(bytes)).map((one) => one.name);
}

/** Imports as `module.name`. */
export function importNames(bytes: Uint8Array<ArrayBuffer>): string[] {
  return Module.imports(new Module(bytes)).map(({ module, name }) => `${module}.${name}`);
}

/**
 * Pages of 64 KiB that a VM has after `_initialize`, with host functions that answer 0 and do
 * nothing.
 */
export function pagesAfterStart(bytes: Uint8Array<ArrayBuffer>): number {
  const module = new Module(bytes);
  const imports: Record<string, Record<string, () => number>> = {};
  for (const one of Module.imports(module)) (imports[one.module] ??= {})[one.name] = () => 0;
  const { exports } = new Instance(module, imports);
  (exports["_initialize"] as () => void)();
  return (exports["memory"] as { readonly buffer: ArrayBuffer }).buffer.byteLength / 65_536;
}
