/**
 * Function names of C++ as Envoy's back traces show them. Only plain names with plain parameters
 * are turned back, and with them Rust's older names, which have the same form; a name with
 * templates, operators or classes as parameters stays as it is.
 *
 * Source: Itanium C++ ABI, section 5.1; proxy-wasm-cpp-host `src/bytecode_util.cc`.
 */

const builtins: Readonly<Record<string, string>> = {
  ...{ w: "wchar_t", b: "bool", c: "char", a: "signed char", h: "unsigned char" },
  ...{ s: "short", t: "unsigned short", i: "int", j: "unsigned int", l: "long" },
  ...{ m: "unsigned long", x: "long long", y: "unsigned long long", f: "float", d: "double" },
};

const wrappers: Readonly<Record<string, string>> = { P: "*", R: "&", K: " const" };

interface Read {
  readonly text: string;
  /** Where what follows begins. */
  readonly next: number;
}

/** `_ZN3foo3barEv` → `foo::bar()`; any other name as it is. */
export function cppName(name: string): string {
  const path = name.startsWith("_Z") ? readPath(name, 2) : undefined;
  if (path === undefined) return name;
  const parameters = readParameters(name, path.next);
  return parameters === undefined ? name : path.text + parameters;
}

/** `N3foo3barE` or `3foo`. */
function readPath(name: string, at: number): Read | undefined {
  if (name[at] !== "N") return readIdentifier(name, at);
  const parts: string[] = [];
  let next = at + 1;
  while (name[next] !== "E") {
    const part = readIdentifier(name, next);
    if (part === undefined) return undefined;
    parts.push(part.text);
    next = part.next;
  }
  return { text: parts.join("::"), next: next + 1 };
}

function readIdentifier(name: string, at: number): Read | undefined {
  const digits = /^[1-9]\d*/.exec(name.slice(at, at + 9))?.[0];
  if (digits === undefined) return undefined;
  const start = at + digits.length;
  const next = start + Number(digits);
  return next > name.length ? undefined : { text: name.slice(start, next), next };
}

/** Nothing for a name without types, `()` for `v`; undefined for what is not told here. */
function readParameters(name: string, at: number): string | undefined {
  if (at === name.length) return "";
  if (name.slice(at) === "v") return "()";
  const types: string[] = [];
  for (let next = at; next < name.length;) {
    const type = readType(name, next);
    if (type === undefined) return undefined;
    types.push(type.text);
    next = type.next;
  }
  return `(${types.join(", ")})`;
}

function readType(name: string, at: number): Read | undefined {
  let next = at;
  let tag = name[next] ?? "";
  let wrapped = "";
  // Without recursion: a name may be as long as a module.
  for (let wrapper = wrappers[tag]; wrapper !== undefined; wrapper = wrappers[tag]) {
    wrapped = wrapper + wrapped;
    tag = name[++next] ?? "";
  }
  const text = builtins[tag];
  return text === undefined ? undefined : { text: text + wrapped, next: next + 1 };
}
