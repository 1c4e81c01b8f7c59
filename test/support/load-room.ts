/** Loads a guest that exports a room of the SDK as plain functions, without a host. */
import { instantiate } from "@assemblyscript/loader";
import { buildGuest } from "./build-guest.ts";

/** A guest's functions, called with and answering what JavaScript has; byte arrays are copied. */
export interface Room {
  /** Calls a function; strings and byte arrays are passed by copy. */
  call(name: string, ...args: readonly Argument[]): number;
  bigint(name: string, ...args: readonly Argument[]): bigint;
  text(name: string, ...args: readonly Argument[]): string | null;
  bytes(name: string, ...args: readonly Argument[]): Uint8Array | null;
  /** Pages of memory in use. */
  pages(): number;
  readonly memory: WebAssembly.Memory;
  /** The instance's exports as they are. */
  readonly exports: unknown;
}

export type Argument = number | bigint | boolean | string | Uint8Array;

type Exported = Record<string, (...args: never[]) => unknown>;

export interface RoomOptions {
  readonly imports?: WebAssembly.Imports;
  /** Default: `-O3`. */
  readonly args?: readonly string[];
  readonly runtime?: "incremental" | "minimal";
}

/** Compiles the guest with the collector exported and without the transform, and starts it. */
export async function loadRoom(entry: string, options: RoomOptions = {}): Promise<Room> {
  const runtime = options.runtime ?? "incremental";
  const args = ["--runtime", runtime, "--exportRuntime", ...(options.args ?? ["-O3"])];
  const built = await buildGuest({ entry, args, config: false });
  return startRoom(built.bytes, options.imports ?? {});
}

/** Starts a compiled guest once more: a room of its own, in a second. */
export async function startRoom(
  bytes: Uint8Array<ArrayBuffer>,
  imports: WebAssembly.Imports,
): Promise<Room> {
  const { exports } = await instantiate(bytes, imports as never);
  const guest = exports as unknown as Exported & {
    memory: WebAssembly.Memory;
    BYTES_ID: WebAssembly.Global;
    __pin(pointer: number): number;
    __unpin(pointer: number): void;
    __newString(text: string): number;
    __getString(pointer: number): string;
    __newArray(id: number, values: ArrayLike<number>): number;
    __getUint8Array(pointer: number): Uint8Array;
  };

  const invoke = (name: string, args: readonly Argument[]): unknown => {
    const pinned: number[] = [];
    const keep = (pointer: number): number => {
      pinned.push(guest.__pin(pointer));
      return pointer;
    };
    const passed = args.map((value) => {
      if (typeof value === "string") return keep(guest.__newString(value));
      if (value instanceof Uint8Array) return keep(guest.__newArray(guest.BYTES_ID.value, value));
      return value;
    });
    const run = guest[name] as ((...all: unknown[]) => unknown) | undefined;
    if (run === undefined) throw new Error(`the guest has no function ${name}`);
    const answer = run(...passed);
    for (const pointer of pinned) guest.__unpin(pointer);
    return answer;
  };
  return {
    memory: guest.memory,
    exports,
    call: (name, ...args) => invoke(name, args) as number,
    bigint: (name, ...args) => invoke(name, args) as bigint,
    text: (name, ...args) => {
      const pointer = invoke(name, args) as number;
      return pointer === 0 ? null : guest.__getString(pointer);
    },
    bytes: (name, ...args) => {
      const pointer = invoke(name, args) as number;
      return pointer === 0 ? null : guest.__getUint8Array(pointer).slice();
    },
    pages: () => guest.memory.buffer.byteLength / 65536,
  };
}
