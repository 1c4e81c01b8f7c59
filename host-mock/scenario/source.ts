import {
  LineCounter,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type YAMLError,
} from "yaml";
import { MockHostError } from "../errors.ts";

/** Where a value stands in a scenario: keys and list positions from the top of the file. */
export type Path = readonly (string | number)[];

/** The parts of a problem found in a file, before it is known which of several is told. */
export interface Problem {
  readonly path: Path;
  /** Whether the key or its value is to blame. */
  readonly part: "key" | "value";
  readonly what: string;
  readonly remedy: string;
  /** Told only when nothing else is wrong: a misspelt key is a missing one too. */
  readonly isMissing?: boolean;
}

/** One scenario file: its text, the value it holds, and where each part of the value stands. */
export class Source {
  /** As the user named it. */
  readonly file: string;
  /**
   * Plain objects, lists and scalars. Integers that a JavaScript number cannot hold exactly are bigints, so that a
   * plugin's configuration reaches it digit for digit.
   */
  readonly value: unknown;
  readonly #document: Document;
  readonly #lines: LineCounter;

  /** Parses YAML 1.2, of which JSON is a part; throws `E_SCENARIO` at the first mistake by position. */
  constructor(file: string, text: string) {
    this.file = file;
    this.#lines = new LineCounter();
    try {
      this.#document = parseDocument(text, {
        lineCounter: this.#lines,
        prettyErrors: false,
        intAsBigInt: true,
        // What is wrong is told once, as our own error.
        logLevel: "error",
      });
    } catch (cause) {
      // The parser calls itself for each level: what exhausts the stack is depth.
      const what =
        cause instanceof RangeError ? tooDeep : `this cannot be parsed (${textOf(cause)})`;
      throw this.#fault(0, what, "nest it less deeply", cause);
    }
    this.#refuseSyntaxErrors();
    this.#refuseDepth();
    this.#refuseMergeKeys();
    this.#refuseUnresolvedAliases();
    this.value = this.#plainValue();
  }

  /** `FILE:LINE:COLUMN` of a key or a value; of the nearest part that exists when it does not. */
  place(path: Path, part: "key" | "value" = "value"): string {
    return this.#placeAt(this.offset(path, part));
  }

  /** The same as an offset in the text, by which problems are ordered. */
  offset(path: Path, part: "key" | "value" = "value"): number {
    let node: unknown = this.#document.contents;
    let offset = startOf(node) ?? 0;
    for (const [depth, key] of path.entries()) {
      const resolved = isAlias(node) ? node.resolve(this.#document) : node;
      const isLast = depth === path.length - 1;
      const step = stepInto(resolved, key);
      if (step === undefined) return offset;
      offset =
        (isLast && part === "key" ? step.keyStart : step.valueStart) ?? step.keyStart ?? offset;
      node = step.value;
    }
    return offset;
  }

  /** The error for the problem that stands first in the file. */
  firstOf(problems: readonly Problem[]): MockHostError | undefined {
    const present = problems.filter(({ isMissing }) => isMissing !== true);
    let first: Problem | undefined;
    let firstOffset = Infinity;
    for (const problem of present.length > 0 ? present : problems) {
      const offset = this.offset(problem.path, problem.part);
      if (offset < firstOffset) [first, firstOffset] = [problem, offset];
    }
    return first === undefined ? undefined : this.#fault(firstOffset, first.what, first.remedy);
  }

  #refuseSyntaxErrors(): void {
    const found: YAMLError[] = [...this.#document.errors, ...this.#document.warnings];
    found.sort((a, b) => a.pos[0] - b.pos[0]);
    const first = found[0];
    if (first === undefined) return;
    if (first.message.includes("Maximum call stack")) {
      throw this.#fault(first.pos[0], tooDeep, "nest it less deeply");
    }
    const what =
      first.code === "MULTIPLE_DOCS"
        ? "a file holds one scenario, and a second document begins here"
        : `the YAML is malformed: ${oneLine(first.message)}`;
    throw this.#fault(first.pos[0], what, remedyFor(first));
  }

  /** Walks without calling itself, so that no depth can exhaust the stack here. */
  #refuseDepth(): void {
    let level: unknown[] = [this.#document.contents];
    for (let depth = 0; level.length > 0; depth++) {
      const first = level[0];
      if (depth > depthMax) {
        const remedy = `nest it less deeply, at most ${depthMax} levels`;
        throw this.#fault(startOf(first) ?? 0, tooDeep, remedy);
      }
      level = level.flatMap(childrenOf);
    }
  }

  #refuseMergeKeys(): void {
    visit(this.#document, {
      Pair: (_, { key, value }) => {
        if (!isScalar(key) || key.value !== "<<" || key.type !== "PLAIN") return;
        if (!isAlias(value) && !isSeq(value) && !isMap(value)) return;
        const what = "merge keys (<<) are not read";
        throw this.#fault(startOf(key) ?? 0, what, "write the keys out");
      },
    });
  }

  #refuseUnresolvedAliases(): void {
    const unresolved: Alias[] = [];
    visit(this.#document, {
      Alias: (_, alias) => {
        if (alias.resolve(this.#document) === undefined) unresolved.push(alias);
      },
    });
    const first = unresolved[0];
    if (first === undefined) return;
    const what = `the alias *${first.source} names no anchor above it`;
    throw this.#fault(
      startOf(first) ?? 0,
      what,
      `put &${first.source} before the value it stands for`,
    );
  }

  #plainValue(): unknown {
    try {
      // The library counts aliases, whatever they stand for; here the values they make are counted.
      return new Plain().of(this.#document.toJS({ maxAliasCount: -1 }), []);
    } catch (cause) {
      if (cause instanceof MockHostError) throw cause;
      const what = `the aliases cannot be followed (${textOf(cause)})`;
      const path = cause instanceof NoPlainValue ? cause.path : [];
      throw this.#fault(this.#aliasOffset(path), what, "write the values out", cause);
    }
  }

  /** Where the first alias on a way stands. */
  #aliasOffset(path: Path): number {
    let node: unknown = this.#document.contents;
    for (const key of path) {
      const step = stepInto(node, key);
      if (step === undefined) break;
      node = step.value;
      if (isAlias(node)) break;
    }
    return startOf(node) ?? 0;
  }

  #placeAt(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.file}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  }

  #fault(offset: number, what: string, remedy: string, cause?: unknown): MockHostError {
    // Names of the file stand in messages, and a name may hold anything.
    return new MockHostError("E_SCENARIO", oneLine(what), {
      place: this.#placeAt(offset),
      remedy: oneLine(remedy),
      cause,
    });
  }
}

interface Step {
  readonly value: unknown;
  readonly keyStart: number | undefined;
  readonly valueStart: number | undefined;
}

function stepInto(node: unknown, key: string | number): Step | undefined {
  if (isMap(node)) {
    const pair = node.items.find(
      ({ key: found }) => String(isScalar(found) ? found.value : found) === String(key),
    );
    if (pair === undefined) return undefined;
    return { value: pair.value, keyStart: startOf(pair.key), valueStart: startOf(pair.value) };
  }
  if (isSeq(node) && typeof key === "number") {
    const value = node.items[key];
    if (value === undefined) return undefined;
    return { value, keyStart: startOf(value), valueStart: startOf(value) };
  }
  return undefined;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

function childrenOf(node: unknown): unknown[] {
  if (isMap(node)) return node.items.flatMap(({ key, value }) => [key, value]);
  return isSeq(node) ? node.items : [];
}

const tooDeep = "the scenario is nested too deep";
const depthMax = 100;
/** More values than the longest file would hold without aliases, less than what exhausts the machine. */
const valueCountMax = 2_000_000;

class NoPlainValue extends Error {
  readonly path: Path;

  constructor(message: string, path: Path) {
    super(message);
    this.path = path;
  }
}

/** Copies of values: numbers in place of the integers they can hold, and nothing that contains itself. */
class Plain {
  #valueCount = 0;
  readonly #path: (string | number)[] = [];

  of(value: unknown, above: readonly unknown[]): unknown {
    if (++this.#valueCount > valueCountMax) {
      throw new NoPlainValue(`they stand for more than ${valueCountMax} values`, [...this.#path]);
    }
    if (typeof value === "bigint") {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : value;
    }
    if (typeof value !== "object" || value === null) return value;
    if (above.includes(value)) throw new NoPlainValue("a value contains itself", [...this.#path]);
    if (above.length > depthMax) {
      throw new NoPlainValue(`they nest deeper than ${depthMax} levels`, [...this.#path]);
    }
    const within = [...above, value];
    if (Array.isArray(value)) return value.map((item, index) => this.#at(index, item, within));
    const made: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      Object.defineProperty(made, key, {
        value: this.#at(key, item, within),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return made;
  }

  #at(key: string | number, item: unknown, within: readonly unknown[]): unknown {
    this.#path.push(key);
    const made = this.of(item, within);
    this.#path.pop();
    return made;
  }
}

function remedyFor(error: YAMLError): string {
  if (error.code === "DUPLICATE_KEY") return "keep one of the two keys";
  if (error.code === "TAB_AS_INDENT") return "indent with spaces";
  if (error.code === "MULTIPLE_DOCS") return "put each scenario into a file of its own";
  if (error.code === "TAG_RESOLVE_FAILED") return "leave the tag out";
  return "correct it at this place";
}

function textOf(cause: unknown): string {
  return oneLine(cause instanceof Error ? cause.message : String(cause));
}

function oneLine(text: string): string {
  return text.replace(/\s*[\n\r\u2028\u2029]\s*/g, " ").trim();
}
