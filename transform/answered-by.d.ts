export declare const answeredBy: ReadonlyMap<string, readonly string[]>;
