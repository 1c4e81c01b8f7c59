/** The parts of a Lua 5.1 program. Source: Lua 5.1 reference manual, section 8. */
export type Expression =
  | { readonly kind: "literal"; readonly value: null | boolean | number | string }
  | { readonly kind: "varargs" }
  | { readonly kind: "function"; readonly body: FunctionBody }
  | { readonly kind: "name"; readonly name: string; readonly line: number }
  | {
      readonly kind: "index";
      readonly of: Expression;
      readonly key: Expression;
      readonly line: number;
    }
  | {
      readonly kind: "call";
      readonly callee: Expression;
      readonly args: readonly Expression[];
      readonly line: number;
    }
  | {
      readonly kind: "method";
      readonly of: Expression;
      readonly name: string;
      readonly args: readonly Expression[];
      readonly line: number;
    }
  | { readonly kind: "table"; readonly fields: readonly Field[]; readonly line: number }
  | {
      readonly kind: "unary";
      readonly operator: string;
      readonly of: Expression;
      readonly line: number;
    }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  /** Parentheses: one value of several. */
  | { readonly kind: "single"; readonly of: Expression };

/** `value` alone comes at the next index; all values of the last one do. */
export interface Field {
  readonly key: Expression | null;
  readonly value: Expression;
}

export interface FunctionBody {
  readonly parameters: readonly string[];
  readonly hasVarargs: boolean;
  readonly block: Block;
}

export type Block = readonly Statement[];

export type Statement =
  | {
      readonly kind: "local";
      readonly names: readonly string[];
      readonly values: readonly Expression[];
    }
  | {
      readonly kind: "assign";
      readonly targets: readonly Expression[];
      readonly values: readonly Expression[];
    }
  | { readonly kind: "call"; readonly call: Expression }
  | { readonly kind: "do"; readonly block: Block }
  | { readonly kind: "while"; readonly condition: Expression; readonly block: Block }
  | { readonly kind: "repeat"; readonly condition: Expression; readonly block: Block }
  | {
      readonly kind: "if";
      readonly branches: readonly { readonly condition: Expression; readonly block: Block }[];
      readonly otherwise: Block | null;
    }
  | {
      readonly kind: "count";
      readonly name: string;
      readonly from: Expression;
      readonly to: Expression;
      readonly step: Expression | null;
      readonly block: Block;
      readonly line: number;
    }
  | {
      readonly kind: "each";
      readonly names: readonly string[];
      readonly values: readonly Expression[];
      readonly block: Block;
      readonly line: number;
    }
  | { readonly kind: "localFunction"; readonly name: string; readonly body: FunctionBody }
  | { readonly kind: "return"; readonly values: readonly Expression[] }
  | { readonly kind: "break" };
