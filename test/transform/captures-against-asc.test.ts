import { rmSync, writeFileSync, mkdirSync, mkdtempSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { compile, root } from "../support/build-guest.ts";
import { capturesIn } from "./parse.ts";

mkdirSync(join(root, ".cache"), { recursive: true });
const folder = mkdtempSync(join(root, ".cache/captures-"));
afterAll(() => rmSync(folder, { recursive: true }));

// Few names, so that they hide one another often. None is a global: where there is one of that
// name, asc may quietly take it in place of the captured variable, and compile a program that
// means something else.
const names = ["a", "b", "c"] as const;
const head =
  "let total = 0; function g(): i32 { return total; } " +
  "function run(f: () => i32): i32 { return f(); } function use(n: i32): void { total += n; }\n";

type Statement =
  | {
      readonly do: "declare";
      readonly name: string;
      readonly how: "let" | "const";
      readonly value: number;
    }
  | { readonly do: "use"; readonly pick: number }
  | { readonly do: "call"; readonly body: readonly Statement[]; readonly pick: number }
  | { readonly do: "block" | "loop"; readonly body: readonly Statement[] };

const name = fc.constantFrom(...names);
const pick = fc.nat(30);
const { body } = fc.letrec<{ statement: Statement; body: Statement[] }>((tie) => ({
  statement: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ do: fc.constant("use" as const), pick }),
    fc.record({
      do: fc.constant("declare" as const),
      name,
      how: fc.constantFrom("let" as const, "const" as const),
      value: pick,
    }),
    fc.record({ do: fc.constant("call" as const), body: tie("body"), pick }),
    fc.record({ do: fc.constantFrom("block" as const, "loop" as const), body: tie("body") }),
  ),
  body: fc.array(tie("statement"), { maxLength: 4 }),
}));

/**
 * Prints one function's body in one line.
 *
 * @param visible the locals in sight, of this function and of those around it
 * @param own the names this block has; asc refuses to declare one again
 */
function print(
  statements: readonly Statement[],
  visible: readonly string[],
  own: readonly string[] = [],
): string {
  const seen = [...visible];
  const taken = new Set(own);
  const any = (at: number) => seen[at % seen.length]!;
  const parts = statements.map((statement) => {
    switch (statement.do) {
      case "use":
        return `use(${any(statement.pick)});`;
      case "declare": {
        const values = ["7", "-1", "2 * 3", "g()", ...seen.filter((one) => one !== statement.name)];
        if (taken.has(statement.name)) return "";
        // Of a const that hides a local, asc may take the local.
        const how = seen.includes(statement.name) ? "let" : statement.how;
        taken.add(statement.name);
        seen.push(statement.name);
        return `${how} ${statement.name}: i32 = ${values[statement.value % values.length]};`;
      }
      case "call":
        return `run((): i32 => { ${print(statement.body, seen)} return ${any(statement.pick)}; });`;
      case "block":
        return `{ ${print(statement.body, seen)} }`;
      case "loop": {
        const counter = `i${seen.length}`;
        const inside = print(statement.body, [...seen, counter]);
        return `for (let ${counter} = 0; ${counter} < 2; ${counter}++) { ${inside} }`;
      }
    }
  });
  return parts.join(" ");
}

it("asc stumbles over a closure in exactly the functions that the check names", async () => {
  const functions = fc.sample(body, { numRuns: 600, seed: 3 }).map((statements, index) => {
    const parameter = names[index % 3]!;
    const printed = print(statements, [parameter], [parameter]);
    return `export function f${index}(${parameter}: i32): void { ${printed} }`;
  });
  const text = head + functions.join("\n");
  const entry = join(folder, "captures.ts");
  writeFileSync(entry, text);

  const asc = await compile(
    { entry: relative(root, entry), config: false, args: ["--noEmit"] },
    join(folder, "out"),
  );
  const ours = new Set(capturesIn(text).map(({ range }) => range.source.lineAt(range.start)));

  // Two functions further out asc does not even look.
  const closures = linesOf(
    asc.stderr,
    /^ERROR (AS100: Not implemented: Closures|TS2304: Cannot find name)/,
  );
  expect(linesOf(asc.stderr, /^ERROR (?!AS100|TS2454|TS2304)/)).toEqual(new Set());
  expect(closures.size).toBeGreaterThan(100);
  expect(closures.size).toBeLessThan(500);
  expect([...ours].sort()).toEqual([...closures].sort());
});

/** The lines of the source at which asc reports an error of that kind. */
function linesOf(stderr: string, kind: RegExp): Set<number> {
  const reports = stderr.split("\n\n").filter((report) => kind.test(report));
  return new Set(reports.map((report) => Number(/\((\d+),\d+\)/.exec(report)?.[1])));
}
