import { MockHostError } from "../../errors.ts";
import type { Budget } from "./budget.ts";
import { arithmetic, compare, concatenated, lengthOf, named } from "./operators.ts";
import type { Block, Expression, FunctionBody, Statement } from "./syntax.ts";
import { LuaTable } from "./table.ts";
import { isTrue, LuaError, toNumber, type LuaFunction, type LuaValue } from "./value.ts";

/** Names of a block, and of those around it. */
class Scope {
  readonly #names = new Map<string, LuaValue>();
  readonly #outer: Scope | null;
  readonly varargs: readonly LuaValue[];

  constructor(outer: Scope | null, varargs: readonly LuaValue[]) {
    this.#outer = outer;
    this.varargs = varargs;
  }

  inner(): Scope {
    return new Scope(this, this.varargs);
  }

  declare(name: string, value: LuaValue): void {
    this.#names.set(name, value);
  }

  /** The innermost scope that declares the name. */
  holder(name: string): Scope | undefined {
    if (this.#names.has(name)) return this;
    let scope = this.#outer;
    while (scope !== null && !scope.#names.has(name)) scope = scope.#outer;
    return scope ?? undefined;
  }

  read(name: string): LuaValue {
    return this.#names.get(name)!;
  }
}

/** Globals that Redis has and these scripts do not. */
const unsupported: ReadonlySet<string> = new Set([
  ...["_G", "bit", "cjson", "cmsgpack", "collectgarbage", "coroutine", "gcinfo", "getmetatable"],
  ...["load", "loadstring", "setmetatable", "struct"],
]);

/** How a block ended, when not by its end. */
type Exit = "break" | { readonly values: readonly LuaValue[] } | undefined;

/**
 * Runs Lua 5.1 as Redis does: globals can be read and not made. Metatables and
 * coroutines are not there.
 *
 * Source: Lua 5.1 reference manual, section 2; Redis `script_lua.c`.
 */
export class Interpreter {
  readonly #globals: ReadonlyMap<string, LuaValue>;
  readonly #budget: Budget;

  constructor(globals: ReadonlyMap<string, LuaValue>, budget: Budget) {
    this.#globals = globals;
    this.#budget = budget;
  }

  run(block: Block): readonly LuaValue[] {
    const exit = this.#block(block, new Scope(null, []));
    return typeof exit === "object" ? exit.values : [];
  }

  #block(block: Block, scope: Scope): Exit {
    this.#budget.deepen();
    this.#budget.spend(1);
    let exit: Exit;
    for (const statement of block) {
      this.#budget.spend(1);
      exit = this.#statement(statement, scope);
      if (exit !== undefined) break;
    }
    this.#budget.depth--;
    return exit;
  }

  #statement(statement: Statement, scope: Scope): Exit {
    switch (statement.kind) {
      case "local": {
        const values = this.#values(statement.values, scope);
        for (const [at, name] of statement.names.entries()) scope.declare(name, values[at] ?? null);
        return undefined;
      }
      case "assign": {
        const values = this.#values(statement.values, scope);
        for (const [at, target] of statement.targets.entries())
          this.#assign(target, values[at] ?? null, scope);
        return undefined;
      }
      case "call":
        this.#multiple(statement.call, scope);
        return undefined;
      case "do":
        return this.#block(statement.block, scope.inner());
      case "localFunction":
        scope.declare(statement.name, null);
        scope.declare(statement.name, this.#function(statement.body, scope));
        return undefined;
      case "return":
        return { values: this.#values(statement.values, scope) };
      case "break":
        return "break";
      case "if":
        for (const { condition, block } of statement.branches)
          if (isTrue(this.#value(condition, scope))) return this.#block(block, scope.inner());
        return statement.otherwise === null
          ? undefined
          : this.#block(statement.otherwise, scope.inner());
      default:
        return this.#loop(statement, scope);
    }
  }

  #loop(
    statement: Extract<Statement, { kind: "while" | "repeat" | "count" | "each" }>,
    scope: Scope,
  ): Exit {
    switch (statement.kind) {
      case "while":
        while (isTrue(this.#value(statement.condition, scope))) {
          const exit = this.#block(statement.block, scope.inner());
          if (exit === "break") break;
          if (exit !== undefined) return exit;
        }
        return undefined;
      case "repeat":
        for (;;) {
          const inner = scope.inner();
          const exit = this.#block(statement.block, inner);
          if (exit === "break") return undefined;
          if (exit !== undefined) return exit;
          if (isTrue(this.#value(statement.condition, inner))) return undefined;
        }
      case "count":
        return this.#count(statement, scope);
      case "each":
        return this.#each(statement, scope);
    }
  }

  #count(statement: Extract<Statement, { kind: "count" }>, scope: Scope): Exit {
    const bound = (expression: Expression, what: string): number => {
      const value = toNumber(this.#value(expression, scope));
      if (value === undefined) throw LuaError.at(`'for' ${what} must be a number`, statement.line);
      return value;
    };
    const from = bound(statement.from, "initial value");
    const to = bound(statement.to, "limit");
    const step = statement.step === null ? 1 : bound(statement.step, "step");
    for (let at = from; step > 0 ? at <= to : at >= to; at += step) {
      const inner = scope.inner();
      inner.declare(statement.name, at);
      const exit = this.#block(statement.block, inner);
      if (exit === "break") return undefined;
      if (exit !== undefined) return exit;
    }
    return undefined;
  }

  #each(statement: Extract<Statement, { kind: "each" }>, scope: Scope): Exit {
    const [next = null, state = null, first = null] = this.#values(statement.values, scope);
    let control: LuaValue = first;
    for (;;) {
      const values = this.#call(next, [state, control], "", statement.line);
      control = values[0] ?? null;
      if (control === null) return undefined;
      const inner = scope.inner();
      for (const [at, name] of statement.names.entries()) inner.declare(name, values[at] ?? null);
      const exit = this.#block(statement.block, inner);
      if (exit === "break") return undefined;
      if (exit !== undefined) return exit;
    }
  }

  #assign(target: Expression, value: LuaValue, scope: Scope): void {
    if (target.kind === "name") {
      const holder = scope.holder(target.name);
      if (holder === undefined)
        throw LuaError.at("Attempt to modify a readonly table", target.line);
      holder.declare(target.name, value);
      return;
    }
    if (target.kind !== "index") throw new LuaError("syntax error");
    const table = this.#value(target.of, scope);
    const key = this.#value(target.key, scope);
    if (!(table instanceof LuaTable)) throw indexError(target.of, table, target.line);
    const refusal = table.refusal(key);
    if (refusal !== undefined) throw LuaError.at(refusal, target.line);
    table.set(key, value);
  }

  /** All values of a list: one of each expression, all of the last one. */
  #values(expressions: readonly Expression[], scope: Scope): LuaValue[] {
    const values: LuaValue[] = [];
    for (const [at, expression] of expressions.entries()) {
      if (at === expressions.length - 1) return values.concat(this.#multiple(expression, scope));
      values.push(this.#value(expression, scope));
    }
    return values;
  }

  #multiple(expression: Expression, scope: Scope): readonly LuaValue[] {
    switch (expression.kind) {
      case "varargs":
        return scope.varargs;
      case "call": {
        const callee = this.#value(expression.callee, scope);
        const args = this.#values(expression.args, scope);
        return this.#call(callee, args, described(expression.callee), expression.line);
      }
      case "method": {
        const self = this.#value(expression.of, scope);
        const callee = this.#index(self, expression.name, expression.of, expression.line);
        const args = this.#values(expression.args, scope);
        const what = `method '${expression.name}'`;
        return this.#call(callee, [self, ...args], what, expression.line);
      }
      default:
        return [this.#value(expression, scope)];
    }
  }

  #value(expression: Expression, scope: Scope): LuaValue {
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "name":
        return this.#name(expression.name, scope, expression.line);
      default: {
        this.#budget.deepen();
        const value = this.#compound(expression, scope);
        this.#budget.depth--;
        return value;
      }
    }
  }

  #compound(expression: Expression, scope: Scope): LuaValue {
    switch (expression.kind) {
      case "index": {
        const of = this.#value(expression.of, scope);
        return this.#index(of, this.#value(expression.key, scope), expression.of, expression.line);
      }
      case "function":
        return this.#function(expression.body, scope);
      case "single":
        return this.#value(expression.of, scope);
      case "table":
        return this.#table(expression, scope);
      case "unary":
        return this.#unary(expression, scope);
      case "binary":
        return this.#binary(expression, scope);
      default:
        return this.#multiple(expression, scope)[0] ?? null;
    }
  }

  #name(name: string, scope: Scope, line: number): LuaValue {
    const holder = scope.holder(name);
    if (holder !== undefined) return holder.read(name);
    const value = this.#globals.get(name);
    if (value !== undefined) return value;
    if (unsupported.has(name)) {
      throw new MockHostError("E_UNSUPPORTED", `${name} in a Lua script (line ${line})`, {
        remedy: "scripts have Lua's base functions, string, table, math and redis",
      });
    }
    throw LuaError.at(`Script attempted to access nonexistent global variable '${name}'`, line);
  }

  #index(of: LuaValue, key: LuaValue, expression: Expression, line: number): LuaValue {
    if (of instanceof LuaTable) return of.get(key);
    const library = this.#globals.get("string");
    if (typeof of === "string" && library instanceof LuaTable) return library.get(key);
    throw indexError(expression, of, line);
  }

  #table({ fields, line }: Extract<Expression, { kind: "table" }>, scope: Scope): LuaTable {
    const table = new LuaTable(fields.filter(({ key }) => key !== null).length);
    const items: LuaValue[] = [];
    for (const [at, field] of fields.entries()) {
      if (field.key !== null) {
        const key = this.#value(field.key, scope);
        const refusal = table.refusal(key);
        if (refusal !== undefined) throw LuaError.at(refusal, line);
        table.set(key, this.#value(field.value, scope));
      } else if (at === fields.length - 1) items.push(...this.#multiple(field.value, scope));
      else items.push(this.#value(field.value, scope));
    }
    table.setItems(items);
    return table;
  }

  #unary(expression: Extract<Expression, { kind: "unary" }>, scope: Scope): LuaValue {
    const value = this.#value(expression.of, scope);
    if (expression.operator === "not") return !isTrue(value);
    const what = described(expression.of);
    if (expression.operator === "#") return lengthOf(value, what, expression.line);
    return -arithmetic("+", value, 0, [what, ""], expression.line);
  }

  #binary(expression: Extract<Expression, { kind: "binary" }>, scope: Scope): LuaValue {
    const { operator, line } = expression;
    const left = this.#value(expression.left, scope);
    if (operator === "and") return isTrue(left) ? this.#value(expression.right, scope) : left;
    if (operator === "or") return isTrue(left) ? left : this.#value(expression.right, scope);
    const right = this.#value(expression.right, scope);
    const names = [described(expression.left), described(expression.right)] as const;
    if (operator === "==") return left === right;
    if (operator === "~=") return left !== right;
    if (operator === "..") return concatenated(left, right, names, line, this.#budget);
    if (["<", ">", "<=", ">="].includes(operator)) return compare(operator, left, right, line);
    return arithmetic(operator, left, right, names, line);
  }

  #function({ parameters, hasVarargs, block }: FunctionBody, scope: Scope): LuaFunction {
    return (args) => {
      const inner = new Scope(scope, hasVarargs ? args.slice(parameters.length) : []);
      for (const [at, name] of parameters.entries()) inner.declare(name, args[at] ?? null);
      const exit = this.#block(block, inner);
      return typeof exit === "object" ? exit.values : [];
    };
  }

  #call(
    callee: LuaValue,
    args: readonly LuaValue[],
    what: string,
    line: number,
  ): readonly LuaValue[] {
    if (typeof callee !== "function")
      throw LuaError.at(`attempt to call ${named(callee, what)}`, line);
    this.#budget.line = line;
    this.#budget.deepen();
    try {
      const results = callee(args);
      this.#budget.depth--;
      return results;
    } catch (error) {
      throw error instanceof LuaError ? error.leaves(line) : error;
    }
  }
}

/** How an error names what an expression reads; "" for other expressions. */
function described(expression: Expression): string {
  if (expression.kind === "name") return `local '${expression.name}'`;
  if (expression.kind !== "index") return "";
  const { key } = expression;
  return `field '${key.kind === "literal" && typeof key.value === "string" ? key.value : "?"}'`;
}

function indexError(expression: Expression, value: LuaValue, line: number): LuaError {
  return LuaError.at(`attempt to index ${named(value, described(expression))}`, line);
}
