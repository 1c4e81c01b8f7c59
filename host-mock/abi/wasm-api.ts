/**
 * The engine's WebAssembly API, as far as the host uses it. Declared here because the compiler's
 * own declarations come only with the browser's.
 */

/** A compiled module. */
export interface WasmModule {
  readonly [Symbol.toStringTag]?: string;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB; their number before. Throws when there is no more. */
  grow(pages: number): number;
}

export interface WasmTable {
  readonly length: number;
}

export type WasmImport = ((...args: never[]) => unknown) | WasmMemory | WasmTable;

/** Module name → import name → what is given for it. */
export type WasmImports = Readonly<Record<string, Readonly<Record<string, WasmImport>>>>;

export type WasmExports = Readonly<Record<string, unknown>>;

export interface WasmInstance {
  readonly exports: WasmExports;
}

interface WasmApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: WasmImports) => WasmInstance;
  readonly Memory: new (descriptor: {
    initial: number;
    maximum?: number;
    shared?: boolean;
  }) => WasmMemory;
  readonly Table: new (descriptor: {
    element: string;
    initial: number;
    maximum?: number;
  }) => WasmTable;
  readonly RuntimeError: new (message?: string) => Error;
  readonly Exception: new (...args: never[]) => object;
}

export const wasm: WasmApi = (globalThis as unknown as { readonly WebAssembly: WasmApi })
  .WebAssembly;
