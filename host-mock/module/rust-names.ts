/**
 * Function names of Rust as its author wrote them. Compilers put mangled ones into the name section.
 *
 * Source: Rust RFC 2603 (symbol name mangling v0); the older form is the one of Itanium C++ with a
 * hash as last part.
 */

/** The readable form; any other name, and one that is mangled in an unknown way, stays as it is. */
export function readableName(name: string): string {
  if (name.startsWith("_ZN")) return legacyName(name) ?? name;
  if (!name.startsWith("_R")) return name;
  try {
    return new SymbolReader(name.slice(2)).path();
  } catch (error) {
    if (error instanceof NotASymbol) return name;
    throw error;
  }
}

/** `_ZN4core9panicking5panic17h0123456789abcdefE` → `core::panicking::panic` */
function legacyName(name: string): string | undefined {
  const parts: string[] = [];
  let at = 3;
  while (name[at] !== "E") {
    const digits = /^\d{1,8}/.exec(name.slice(at))?.[0];
    if (digits === undefined) return undefined;
    at += digits.length + Number(digits);
    parts.push(name.slice(at - Number(digits), at));
  }
  if (/^h[0-9a-f]{16}$/.test(parts.at(-1) ?? "")) parts.pop();
  if (parts.length === 0) return undefined;
  return parts
    .join("::")
    .replaceAll("..", "::")
    .replace(/^_(?=\$)/, "")
    .replace(/\$(\w+)\$/g, escaped);
}

const escapes: Readonly<Record<string, string>> = {
  ...{ LT: "<", GT: ">", RF: "&", BP: "*", LP: "(", RP: ")", C: ",", SP: "@" },
};

const codePointMax = 0x10ffff;

function escaped(whole: string, code: string): string {
  if (/^u[0-9a-f]{1,6}$/.test(code)) {
    const point = Number.parseInt(code.slice(1), 16);
    return point > codePointMax ? whole : String.fromCodePoint(point);
  }
  return escapes[code] ?? whole;
}

class NotASymbol extends Error {}

const basicTypes: Readonly<Record<string, string>> = {
  ...{ a: "i8", b: "bool", c: "char", d: "f64", e: "str", f: "f32", h: "u8", i: "isize" },
  ...{ j: "usize", l: "i32", m: "u32", n: "i128", o: "u128", p: "_", s: "i16", t: "u16" },
  ...{ u: "()", v: "...", x: "i64", y: "u64", z: "!" },
};

const depthMax = 200;
/** Each part may stand for an earlier one: a short symbol can mean an endlessly long name. */
const partsMax = 2_000;

/** Reads a v0 symbol behind its `_R`; throws NotASymbol for what is none. */
class SymbolReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #partCount = 0;

  constructor(text: string) {
    this.#text = text;
  }

  path(): string {
    return this.#nested(() => this.#path(this.#next()));
  }

  #path(tag: string): string {
    switch (tag) {
      case "C":
        return this.#identifier();
      case "M":
        this.#implPath();
        return `<${this.#type()}>`;
      case "X":
        this.#implPath();
        return `<${this.#type()} as ${this.path()}>`;
      case "Y":
        return `<${this.#type()} as ${this.path()}>`;
      case "N":
        return this.#member(this.#next());
      case "I":
        return `${this.path()}<${this.#until("E", () => this.#argument()).join(", ")}>`;
      case "B":
        return this.#back(() => this.path());
      default:
        throw new NotASymbol();
    }
  }

  /** Upper case namespaces are the compiler's own: closures and shims. */
  #member(namespace: string): string {
    const parent = this.path();
    const name = this.#identifier();
    if (/[a-z]/.test(namespace)) return `${parent}::${name}`;
    const kind = namespace === "C" ? "closure" : namespace === "S" ? "shim" : namespace;
    return `${parent}::{${kind}${name === "" ? "" : `:${name}`}}`;
  }

  #implPath(): void {
    this.#skipDisambiguator();
    this.path();
  }

  #argument(): string {
    if (this.#take("L")) return this.#lifetime();
    return this.#take("K") ? this.#constant() : this.#type();
  }

  #type(): string {
    return this.#nested(() => {
      const tag = this.#next();
      const basic = basicTypes[tag];
      return basic ?? this.#compound(tag);
    });
  }

  #compound(tag: string): string {
    switch (tag) {
      case "A":
        return `[${this.#type()}; ${this.#constant()}]`;
      case "S":
        return `[${this.#type()}]`;
      case "T":
        return `(${this.#until("E", () => this.#type()).join(", ")})`;
      case "R":
      case "Q":
        if (this.#take("L")) this.#lifetime();
        return `&${tag === "Q" ? "mut " : ""}${this.#type()}`;
      case "P":
        return `*const ${this.#type()}`;
      case "O":
        return `*mut ${this.#type()}`;
      case "F":
        return this.#functionType();
      case "D":
        return this.#dynamicType();
      case "B":
        return this.#back(() => this.#type());
      default:
        return this.#path(tag);
    }
  }

  #functionType(): string {
    if (this.#take("G")) this.#base62();
    this.#take("U");
    if (this.#take("K") && !this.#take("C")) this.#identifier();
    const parameters = this.#until("E", () => this.#type());
    const result = this.#type();
    return `fn(${parameters.join(", ")})${result === "()" ? "" : ` -> ${result}`}`;
  }

  #dynamicType(): string {
    if (this.#take("G")) this.#base62();
    const bounds = this.#until("E", () => {
      const trait = this.path();
      while (this.#take("p")) {
        this.#identifier();
        this.#type();
      }
      return trait;
    });
    if (!this.#take("L")) throw new NotASymbol();
    this.#lifetime();
    return `dyn ${bounds.join(" + ")}`;
  }

  #constant(): string {
    if (this.#take("p")) return "_";
    if (this.#take("B")) return this.#back(() => this.#constant());
    this.#type();
    const sign = this.#take("n") ? "-" : "";
    const digits = this.#match(/[0-9a-f]*_/y);
    return sign + BigInt(`0x0${digits.slice(0, -1)}`).toString();
  }

  #lifetime(): string {
    this.#base62();
    return "'_";
  }

  #identifier(): string {
    this.#skipDisambiguator();
    const isPunycode = this.#take("u");
    const size = Number(this.#match(/0|[1-9]\d*/y));
    this.#take("_");
    const text = this.#text.slice(this.#at, this.#at + size);
    if (text.length < size) throw new NotASymbol();
    this.#at += size;
    return isPunycode ? `punycode{${text}}` : text;
  }

  #skipDisambiguator(): void {
    if (this.#take("s")) this.#base62();
  }

  /** `_` is 0, `0_` is 1, and so on. */
  #base62(): number {
    const digits = this.#match(/[0-9a-zA-Z]*_/y).slice(0, -1);
    if (digits === "") return 0;
    let value = 0;
    for (const digit of digits) {
      const base = digit <= "9" ? 48 : digit >= "a" ? 97 - 10 : 65 - 36;
      value = value * 62 + digit.charCodeAt(0) - base;
    }
    return value + 1;
  }

  /** What stands at an earlier place, read again. */
  #back(read: () => string): string {
    const start = this.#at;
    const target = this.#base62();
    if (target >= start) throw new NotASymbol();
    const after = this.#at;
    this.#at = target;
    const found = this.#nested(read);
    this.#at = after;
    return found;
  }

  #until(end: string, read: () => string): string[] {
    const found: string[] = [];
    while (!this.#take(end)) found.push(read());
    return found;
  }

  #nested(read: () => string): string {
    if (++this.#depth > depthMax || ++this.#partCount > partsMax) throw new NotASymbol();
    const found = read();
    this.#depth--;
    return found;
  }

  #next(): string {
    const char = this.#text[this.#at++];
    if (char === undefined) throw new NotASymbol();
    return char;
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new NotASymbol();
    this.#at += found.length;
    return found;
  }
}
