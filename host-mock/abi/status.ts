/** WasmResult, by wire value (proxy-wasm-cpp-host `proxy_wasm_common.h`). */
export const Status = {
  Ok: 0,
  NotFound: 1,
  BadArgument: 2,
  SerializationFailure: 3,
  ParseFailure: 4,
  BadExpression: 5,
  InvalidMemoryAccess: 6,
  Empty: 7,
  CasMismatch: 8,
  ResultMismatch: 9,
  InternalFailure: 10,
  BrokenConnection: 11,
  Unimplemented: 12,
} as const;

export type StatusName = keyof typeof Status;
export type StatusCode = (typeof Status)[StatusName];

const names = Object.keys(Status) as StatusName[];

/** The name of a wire value; unknown values are shown as numbers. */
export function statusName(code: number): string {
  return names[code] ?? String(code);
}

export function statusCode(name: string): StatusCode | undefined {
  return Object.hasOwn(Status, name) ? Status[name as StatusName] : undefined;
}
