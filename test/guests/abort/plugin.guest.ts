// Ways to end a VM.
export * from "proxy-wasm-as/assembly/abi";

export function outOfBounds(index: i32): i32 {
  return [1, 2][index];
}

export function say(kind: i32): void {
  if (kind == 0) throw new Error("grüße");
  if (kind == 1) assert(false);
  throw new Error("long ".repeat(300));
}
