export declare const abiFunctions: ReadonlySet<string>;
export declare const higressFunctions: ReadonlySet<string>;
export declare const wasiModules: ReadonlySet<string>;
export declare const wasiFunctions: ReadonlySet<string>;
