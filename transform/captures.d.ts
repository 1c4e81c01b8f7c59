export interface Capture {
  readonly name: string;
  readonly what: "local" | "parameter" | "loop variable" | "this";
  readonly range: {
    readonly start: number;
    readonly end: number;
    readonly source: { lineAt(at: number): number };
  };
}

export declare function findCaptures(sources: readonly unknown[]): Capture[];
