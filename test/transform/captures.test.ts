import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/build-guest.ts";
import { capturesIn } from "./parse.ts";

/** What is said of a text: each capture by name, in the order of the text. */
function said(text: string): string[] {
  return capturesIn(text).map((capture) =>
    capture.what === "this" ? "this" : `${capture.what} ${capture.name}`,
  );
}

describe("a variable of the code around a function is named", () => {
  it.each([
    ["a local", "function f(): void { let n = g(); run(() => n); }", ["local n"]],
    ["a parameter", "function f(n: i32): void { run(() => n); }", ["parameter n"]],
    ["the parameter of an arrow function", "run((n) => { run(() => n); });", ["parameter n"]],
    [
      "a loop variable",
      "function f(): void { for (let i = 0; i < 3; i++) run(() => i); }",
      ["loop variable i"],
    ],
    [
      "a loop variable of a file's own code",
      "for (let i = 0; i < 3; i++) { run(() => i); }",
      ["loop variable i"],
    ],
    ["a local of a file's own block", "{ let n = g(); run(() => n); }", ["local n"]],
    [
      "a variable that is only written",
      "function f(): void { let n = 0; run(() => { n = 1; }); }",
      ["local n"],
    ],
    [
      "a const that is computed at run time",
      "function f(): void { const n = g(); run(() => n); }",
      ["local n"],
    ],
    [
      "a const made from a parameter",
      "function f(p: i32): void { const n = p + 1; run(() => n); }",
      ["local n"],
    ],
    [
      "a const made from a field",
      "function f(p: P): void { const n = p.Size; run(() => n); }",
      ["local n"],
    ],
    [
      "through two functions",
      "function f(n: i32): void { run(() => { run(() => n); }); }",
      ["parameter n"],
    ],
    [
      "in an argument's default",
      "function f(n: i32): void { run((m: i32 = n) => m); }",
      ["parameter n"],
    ],
    [
      "in a function expression",
      "function f(n: i32): void { run(function (): i32 { return n; }); }",
      ["parameter n"],
    ],
    ["in a method", "class A { m(n: i32): void { run(() => n); } }", ["parameter n"]],
    [
      "in an object literal",
      "function f(n: i32): void { run(() => make({ size: n })); }",
      ["parameter n"],
    ],
    ["in a template", "function f(n: i32): void { run(() => `${n}`); }", ["parameter n"]],
    [
      "as the object of a call",
      "function f(ctx: C): void { run(() => ctx.resume()); }",
      ["parameter ctx"],
    ],
    ["as an index", "function f(n: i32): void { run(() => all[n]); }", ["parameter n"]],
    [
      "in a namespace",
      "namespace N { export function f(n: i32): void { run(() => n); } }",
      ["parameter n"],
    ],
    [
      "in a switch",
      "function f(n: i32): void { switch (n) { case 1: run(() => n); } }",
      ["parameter n"],
    ],
    [
      "this, in an arrow function",
      "class A { n: i32 = 0; m(): void { run(() => this.n); } }",
      ["this"],
    ],
    [
      "this, two arrow functions deep",
      "class A { m(): void { run(() => { run(() => this); }); } }",
      ["this"],
    ],
    [
      "this, in a field's initialiser",
      "class A { n: i32 = 0; f: () => i32 = () => this.n; }",
      ["this"],
    ],
  ])("%s", (_, text, names) => {
    expect(said(text)).toEqual(names);
  });

  it("once for each function and name, at its first use", () => {
    const text = "function f(a: i32, b: i32): void {\n run(() => b + a + b);\n run(() => a);\n}";

    const captures = capturesIn(text);

    expect(captures.map(({ name, range }) => [name, range.source.lineAt(range.start)])).toEqual([
      ["b", 2],
      ["a", 2],
      ["a", 3],
    ]);
  });
});

describe("nothing is said of", () => {
  it.each([
    ["a function's own variables", "function f(): void { run(() => { let n = 1; return n; }); }"],
    ["its own parameter of the same name", "function f(n: i32): void { run((n) => n); }"],
    ["a global", "let n = 0; function f(): void { run(() => n); }"],
    [
      "a global that a later local of the function hides",
      "let n = 0; function f(): void { run(() => n); let n = 1; }",
    ],
    [
      "a global that a block's local hid before",
      "let n = 0; function f(): void { { let n = 1; } run(() => n); }",
    ],
    [
      "a variable of a namespace",
      "namespace N { let n = 0; function f(): void { run(() => n); } }",
    ],
    ["a const that asc knows", "function f(): void { const n = 5 * 60; run(() => n); }"],
    ["a const string", 'function f(): void { const n = "a"; run(() => n); }'],
    ["a const of an enum", "function f(): void { const n = wrapper.Action.Pause; run(() => n); }"],
    [
      "a const of another const",
      "function f(): void { const m = -1; const n = <i64>m + 1; run(() => n); }",
    ],
    ["a const size", "function f(): void { const n = sizeof<i32>(); run(() => n); }"],
    ["a property of the same name", "function f(n: i32): void { run((a: A) => a.n); }"],
    ["a field of an object literal", "function f(n: i32): void { run(() => make({ n: 1 })); }"],
    ["a type of the same name", "function f(Config: i32): void { run((c: Config) => <Config>c); }"],
    ["this in a method", "class A { n: i32 = 0; m(): i32 { return this.n; } }"],
    [
      "this of a function's own",
      "class A { m(): void { run(function (this: A): i32 { return this.n; }); } }",
    ],
  ])("%s", (_, text) => {
    expect(said(text)).toEqual([]);
  });
});

describe("no false report in code that compiles:", () => {
  const corpora: Readonly<Record<string, string>> = {
    "the SDK": "assembly",
    "the test guests": "test/guests",
    "the examples": "examples",
    "the standard library": "node_modules/assemblyscript/std/assembly",
    "json-as": "node_modules/json-as/assembly",
  };

  it.each(Object.entries(corpora))("%s", (_, folder) => {
    const files = sourcesBelow(join(root, folder));

    const reports = files.flatMap((file) => {
      return said(readFileSync(file, "utf8")).map((what) => `${file}: ${what}`);
    });

    expect(files.length).toBeGreaterThan(0);
    expect(reports).toEqual([]);
  });
});

/** Every AssemblyScript source; not the tests in TypeScript that stand beside some. */
function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : sourcesBelow(path);
    return entry.name.endsWith(".ts") && !/\.(d|test|spec)\.ts$/.test(entry.name) ? [path] : [];
  });
}
