// What a compiled module asks of its host and offers it, read through asc's own Binaryen.

/**
 * @typedef {{ imports: import("./imports.js").Import[], exports: string[], hasStartSection: boolean }} ModuleFacts
 */

/**
 * @param {any} module as asc hands it to `afterCompile`
 * @param {any} binaryen
 * @returns {ModuleFacts}
 */
export function factsOf(module, binaryen) {
  /** @type {ModuleFacts["imports"]} */
  const imports = [];
  const add = (
    /** @type {import("./imports.js").Import["kind"]} */ kind,
    /** @type {any} */ info,
  ) => {
    if (info.module) imports.push({ kind, module: info.module, name: info.base });
  };
  for (let index = 0; index < module.getNumFunctions(); index++) {
    add("function", binaryen.getFunctionInfo(module.getFunctionByIndex(index)));
  }
  for (let index = 0; index < module.getNumGlobals(); index++) {
    add("global", binaryen.getGlobalInfo(module.getGlobalByIndex(index)));
  }
  for (let index = 0; index < module.getNumTables(); index++) {
    add("table", binaryen.getTableInfo(module.getTableByIndex(index)));
  }
  if (module.hasMemory()) add("memory", module.getMemoryInfo());
  const exports = [];
  for (let index = 0; index < module.getNumExports(); index++) {
    exports.push(binaryen.getExportInfo(module.getExportByIndex(index)).name);
  }
  return { imports, exports, hasStartSection: Boolean(module.getStart()) };
}
