import { proxywasm } from "proxy-wasm-as/assembly";

/** How one VM's attempt in one slot ended. */
export enum Outcome {
  /** There was a leader already. */
  Late,
  /** There was none when it looked, and it did not become one. */
  Lost,
  Won,
}

const NAMES: StaticArray<string> = ["late", "lost", "won"];

export function outcomeName(outcome: Outcome): string {
  return NAMES[outcome];
}

export function nowNs(): i64 {
  return proxywasm.GetMonotonicTimeNanoseconds();
}
