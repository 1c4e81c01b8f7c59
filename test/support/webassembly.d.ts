/** The part of the WebAssembly JavaScript API that tests use; TypeScript has it only in its browser library. */
declare namespace WebAssembly {
  type ImportValue = ((...args: never[]) => unknown) | Memory | Global;
  type ModuleImports = Record<string, ImportValue>;
  type Imports = Record<string, ModuleImports>;
  // Exported functions take and give what their wasm type says; a test knows it, a type cannot.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  type Exports = Record<string, any>;

  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Global {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    value: any;
  }
  class Module {
    constructor(bytes: Uint8Array | ArrayBuffer);
    static exports(module: Module): { name: string; kind: string }[];
    static imports(module: Module): { module: string; name: string; kind: string }[];
    static customSections(module: Module, name: string): ArrayBuffer[];
  }
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Exports;
  }
  class RuntimeError extends Error {}
  class CompileError extends Error {}
  class LinkError extends Error {}
  function validate(bytes: Uint8Array | ArrayBuffer): boolean;
}
