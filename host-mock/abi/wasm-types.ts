/** WebAssembly's own types, as far as a host compares or makes them. */

/**
 * As Envoy prints them: `i32`, `i64`, `f32`, `f64`, `v128`, `externref`, `funcref`; others by their
 * byte.
 */
export type ValueType = string;

export interface FunctionType {
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** `i32 i32 -> i32`, `void -> void`: the way Envoy writes a function's type. */
export function formatType(type: FunctionType): string {
  return `${listed(type.params)} -> ${listed(type.results)}`;
}

export function equalTypes(a: FunctionType, b: FunctionType): boolean {
  return formatType(a) === formatType(b);
}

function listed(types: readonly ValueType[]): string {
  return types.length === 0 ? "void" : types.join(" ");
}

/** Envoy's bound on a VM's memory, 1 GiB in pages of 64 KiB (proxy-wasm-cpp-host `limits.h`). */
export const memoryPagesMax = 16384;

/** Bounds of a memory (pages) or a table (elements). */
export interface Limits {
  readonly initial: number;
  /** Null: none declared. */
  readonly maximum: number | null;
  readonly isShared: boolean;
  /** Addresses have 64 bits. */
  readonly isLong: boolean;
}

export type ExternKind = "function" | "table" | "memory" | "global" | "tag";

export interface ImportEntry {
  readonly module: string;
  readonly name: string;
  readonly kind: ExternKind;
  /** Of a function. */
  readonly type?: FunctionType;
  /** Of a memory or table. */
  readonly limits?: Limits;
  /** Of a table. */
  readonly elementType?: ValueType;
}

export interface ExportEntry {
  readonly name: string;
  readonly kind: ExternKind;
  /** In the index space of its kind. */
  readonly index: number;
  /** Of a function. */
  readonly type?: FunctionType;
}
