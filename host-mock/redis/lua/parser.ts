import { tokensOf, type Token } from "./lexer.ts";
import type { Block, Expression, Field, FunctionBody, Statement } from "./syntax.ts";
import { LuaSyntaxError } from "./value.ts";

/** Precedence to the left and to the right; `..` and `^` bind to the right. */
const binaryOperators: Readonly<Record<string, readonly [number, number]>> = {
  or: [1, 1],
  and: [2, 2],
  "<": [3, 3],
  ">": [3, 3],
  "<=": [3, 3],
  ">=": [3, 3],
  "~=": [3, 3],
  "==": [3, 3],
  "..": [5, 4],
  "+": [6, 6],
  "-": [6, 6],
  "*": [7, 7],
  "/": [7, 7],
  "%": [7, 7],
  "^": [10, 9],
};
const unaryPrecedence = 8;
const depthMax = 200;

/** Reads a Lua 5.1 program. LuaSyntaxError names what stood in the way. Source: Lua 5.1 `lparser.c`. */
export function parseLua(source: string): Block {
  return new Parser(tokensOf(source)).program();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  /** Loops around this place, within the innermost function. */
  #loopDepth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  program(): Block {
    const block = this.#block();
    if (this.#token.kind !== "end") this.#fail("'<eof>' expected");
    return block;
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #fail(what: string): never {
    throw new LuaSyntaxError(`${what} near '${this.#token.source}'`, this.#token.line);
  }

  #is(text: string): boolean {
    const { kind, text: found } = this.#token;
    return found === text && (kind === "symbol" || kind === "keyword");
  }

  #accept(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) this.#fail(`'${text}' expected`);
  }

  #name(): string {
    if (this.#token.kind !== "name") this.#fail("<name> expected");
    return this.#tokens[this.#at++]!.text;
  }

  #block(): Block {
    const statements: Statement[] = [];
    for (;;) {
      if (["end", "else", "elseif", "until"].some((word) => this.#is(word))) return statements;
      if (this.#token.kind === "end") return statements;
      const statement = this.#statement();
      statements.push(statement);
      this.#accept(";");
      if (statement.kind === "return" || statement.kind === "break") return statements;
    }
  }

  #blockUntil(word: string): Block {
    const block = this.#block();
    this.#expect(word);
    return block;
  }

  #loopUntil(word: string): Block {
    this.#loopDepth++;
    const block = this.#blockUntil(word);
    this.#loopDepth--;
    return block;
  }

  #statement(): Statement {
    return this.#deeper(() => this.#anyStatement());
  }

  #anyStatement(): Statement {
    const { line } = this.#token;
    if (this.#accept("if")) return this.#if();
    if (this.#accept("for")) return this.#for(line);
    if (this.#accept("do")) return { kind: "do", block: this.#blockUntil("end") };
    if (this.#accept("break")) {
      if (this.#loopDepth === 0) this.#fail("no loop to break");
      return { kind: "break" };
    }
    if (this.#accept("return")) return this.#return();
    if (this.#accept("local")) return this.#local();
    if (this.#accept("function")) return this.#namedFunction();
    if (this.#accept("while")) {
      const condition = this.#expression();
      this.#expect("do");
      return { kind: "while", condition, block: this.#loopUntil("end") };
    }
    if (this.#accept("repeat")) {
      const block = this.#loopUntil("until");
      return { kind: "repeat", condition: this.#expression(), block };
    }
    return this.#callOrAssignment();
  }

  #if(): Statement {
    const branches: { condition: Expression; block: Block }[] = [];
    do {
      const condition = this.#expression();
      this.#expect("then");
      branches.push({ condition, block: this.#block() });
    } while (this.#accept("elseif"));
    const otherwise = this.#accept("else") ? this.#block() : null;
    this.#expect("end");
    return { kind: "if", branches, otherwise };
  }

  #for(line: number): Statement {
    const first = this.#name();
    if (this.#accept("=")) {
      const from = this.#expression();
      this.#expect(",");
      const to = this.#expression();
      const step = this.#accept(",") ? this.#expression() : null;
      this.#expect("do");
      return { kind: "count", name: first, from, to, step, block: this.#loopUntil("end"), line };
    }
    const names = [first];
    while (this.#accept(",")) names.push(this.#name());
    this.#expect("in");
    const values = this.#expressions();
    this.#expect("do");
    return { kind: "each", names, values, block: this.#loopUntil("end"), line };
  }

  #return(): Statement {
    const isEmpty =
      this.#token.kind === "end" ||
      ["end", "else", "elseif", "until", ";"].some((word) => this.#is(word));
    return { kind: "return", values: isEmpty ? [] : this.#expressions() };
  }

  #local(): Statement {
    if (this.#accept("function"))
      return { kind: "localFunction", name: this.#name(), body: this.#functionBody([]) };
    const names = [this.#name()];
    while (this.#accept(",")) names.push(this.#name());
    return { kind: "local", names, values: this.#accept("=") ? this.#expressions() : [] };
  }

  #namedFunction(): Statement {
    const { line } = this.#token;
    let target: Expression = { kind: "name", name: this.#name(), line };
    const isMember = () => this.#is(".") || this.#is(":");
    let self: string[] = [];
    while (isMember() && self.length === 0) {
      if (this.#accept(":")) self = ["self"];
      else this.#expect(".");
      target = { kind: "index", of: target, key: { kind: "literal", value: this.#name() }, line };
    }
    const body = this.#functionBody(self);
    return { kind: "assign", targets: [target], values: [{ kind: "function", body }] };
  }

  #functionBody(before: readonly string[]): FunctionBody {
    const parameters = [...before];
    let hasVarargs = false;
    this.#expect("(");
    while (!this.#is(")")) {
      if (this.#accept("...")) hasVarargs = true;
      else parameters.push(this.#name());
      if (hasVarargs || !this.#accept(",")) break;
    }
    this.#expect(")");
    const loopDepth = this.#loopDepth;
    this.#loopDepth = 0;
    const block = this.#blockUntil("end");
    this.#loopDepth = loopDepth;
    return { parameters, hasVarargs, block };
  }

  #callOrAssignment(): Statement {
    const first = this.#suffixed();
    if (!this.#is("=") && !this.#is(",")) {
      if (first.kind === "call" || first.kind === "method") return { kind: "call", call: first };
      this.#fail(isTarget(first) ? "'=' expected" : "syntax error");
    }
    const targets = [first];
    while (this.#accept(",")) targets.push(this.#suffixed());
    if (!targets.every(isTarget)) this.#fail("syntax error");
    this.#expect("=");
    return { kind: "assign", targets, values: this.#expressions() };
  }

  #expressions(): Expression[] {
    const all = [this.#expression()];
    while (this.#accept(",")) all.push(this.#expression());
    return all;
  }

  /** Blocks and expressions within each other; Lua's own limit. */
  #deeper<Part>(read: () => Part): Part {
    if (++this.#depth > depthMax) this.#fail("chunk has too many syntax levels");
    const part = read();
    this.#depth--;
    return part;
  }

  #expression(limit = 0): Expression {
    return this.#deeper(() => this.#operation(limit));
  }

  #operation(limit: number): Expression {
    let left = this.#unary();
    for (;;) {
      const { text: operator, kind, line } = this.#token;
      const precedence =
        kind === "symbol" || kind === "keyword" ? binaryOperators[operator] : undefined;
      if (precedence === undefined || precedence[0] <= limit) return left;
      this.#at++;
      left = { kind: "binary", operator, left, right: this.#expression(precedence[1]), line };
    }
  }

  #unary(): Expression {
    const { line } = this.#token;
    for (const operator of ["not", "-", "#"])
      if (this.#accept(operator))
        return { kind: "unary", operator, of: this.#expression(unaryPrecedence), line };
    return this.#simple();
  }

  #simple(): Expression {
    const { kind, text, number } = this.#token;
    if (kind === "number" || kind === "string") {
      this.#at++;
      return { kind: "literal", value: kind === "number" ? number : text };
    }
    if (this.#accept("nil")) return { kind: "literal", value: null };
    if (this.#accept("true")) return { kind: "literal", value: true };
    if (this.#accept("false")) return { kind: "literal", value: false };
    if (this.#accept("...")) return { kind: "varargs" };
    if (this.#accept("function")) return { kind: "function", body: this.#functionBody([]) };
    return this.#is("{") ? this.#table() : this.#suffixed();
  }

  #suffixed(): Expression {
    let expression = this.#primary();
    for (;;) {
      const { line } = this.#token;
      if (this.#accept(".")) {
        const key: Expression = { kind: "literal", value: this.#name() };
        expression = { kind: "index", of: expression, key, line };
      } else if (this.#accept("[")) {
        const key = this.#expression();
        this.#expect("]");
        expression = { kind: "index", of: expression, key, line };
      } else if (this.#accept(":")) {
        const name = this.#name();
        expression = { kind: "method", of: expression, name, args: this.#arguments(), line };
      } else if (this.#is("(") || this.#is("{") || this.#token.kind === "string") {
        expression = { kind: "call", callee: expression, args: this.#arguments(), line };
      } else return expression;
    }
  }

  #primary(): Expression {
    const { line, kind } = this.#token;
    if (this.#accept("(")) {
      const of = this.#expression();
      this.#expect(")");
      return { kind: "single", of };
    }
    if (kind !== "name") this.#fail("unexpected symbol");
    return { kind: "name", name: this.#name(), line };
  }

  #arguments(): readonly Expression[] {
    const { kind, text } = this.#token;
    if (kind === "string") {
      this.#at++;
      return [{ kind: "literal", value: text }];
    }
    if (this.#is("{")) return [this.#table()];
    this.#expect("(");
    const args = this.#is(")") ? [] : this.#expressions();
    this.#expect(")");
    return args;
  }

  #table(): Expression {
    const fields: Field[] = [];
    const { line } = this.#token;
    this.#expect("{");
    while (!this.#is("}")) {
      fields.push(this.#field());
      if (!this.#accept(",") && !this.#accept(";")) break;
    }
    this.#expect("}");
    return { kind: "table", fields, line };
  }

  #field(): Field {
    if (this.#accept("[")) {
      const key = this.#expression();
      this.#expect("]");
      this.#expect("=");
      return { key, value: this.#expression() };
    }
    const next = this.#tokens[this.#at + 1];
    if (this.#token.kind === "name" && next?.kind === "symbol" && next.text === "=") {
      const key: Expression = { kind: "literal", value: this.#name() };
      this.#at++;
      return { key, value: this.#expression() };
    }
    return { key: null, value: this.#expression() };
  }
}

function isTarget({ kind }: Expression): boolean {
  return kind === "name" || kind === "index";
}
