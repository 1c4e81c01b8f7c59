import { wasm, type WasmExports, type WasmImports, type WasmMemory } from "../abi/wasm-api.ts";
import { MockHostError } from "../errors.ts";
import type { LoadedModule } from "../module/load.ts";
import { GuestMemory } from "./memory.ts";
import { Snapshots } from "./snapshots.ts";
import type { Suspension } from "./suspension.ts";
import { stackTraceLimit, Trap, trapOf } from "./trap.ts";

/**
 * What the guest is doing, which decides what its host calls may do: in "start" and "allocator"
 * most trap with `restricted_callback`.
 */
export type Phase = "idle" | "start" | "callback" | "allocator";

export type CallOutcome =
  | {
      readonly ok: true;
      readonly value: number;
      /** The guest was left in the middle of the callback: `resume` goes on with it. */
      readonly isSuspended?: true;
    }
  | { readonly ok: false; readonly trap: Trap };

/** What host functions need of a VM. */
export type GuestInstance = Pick<Instance, "memory" | "phase" | "allocate">;

type GuestFunction = (...args: readonly number[]) => number | bigint | undefined;

const startNames: ReadonlySet<string> = new Set(["_initialize", "_start", "main", "__main_void"]);

/** One VM: a fresh instance of a module. Nothing in it knows of contexts or threads. */
export class Instance {
  readonly loaded: LoadedModule;
  readonly memory: GuestMemory;
  /** Called once for each trap, in the allocator too, where the outer callback goes on. */
  onTrap: ((trap: Trap) => void) | undefined;
  readonly #exports: WasmExports;
  readonly #allocator: GuestFunction;
  readonly #suspension: Suspension | undefined;
  /** The callback in whose middle the guest was left. */
  #left: { readonly name: string; readonly args: readonly number[] } | undefined;
  #phase: Phase = "idle";
  #trap: Trap | undefined;

  /**
   * Hidden exports are as good as absent.
   * E_INTERNAL when the imports do not fit; a module that `loadModule` took always instantiates.
   */
  constructor(
    loaded: LoadedModule,
    imports: WasmImports,
    isHidden: (exportName: string) => boolean = () => false,
    suspension?: Suspension,
  ) {
    this.loaded = loaded;
    const { exports } = new wasm.Instance(loaded.module, imports);
    this.memory = new GuestMemory(findMemory(loaded, exports, imports));
    this.#suspension = suspension;
    suspension?.attach(exports, this.memory);
    const names = Object.keys(exports);
    this.#exports = names.some(isHidden)
      ? Object.fromEntries(
          names.filter((name) => !isHidden(name)).map((name) => [name, exports[name]]),
        )
      : exports;
    const allocator = this.#function("malloc") ?? this.#function("proxy_on_memory_allocate");
    if (allocator === undefined)
      throw new MockHostError("E_INTERNAL", "an instance without an allocator");
    this.#allocator = allocator;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** The first trap; after it the host calls nothing in this VM any more. */
  get trap(): Trap | undefined {
    return this.#trap;
  }

  /** Whether the module exports a function of that name. */
  has(name: string): boolean {
    return this.#function(name) !== undefined;
  }

  /**
   * Runs what a fresh VM runs first: `_initialize` and then `main(0, 0)` or `__main_void()`;
   * without `_initialize`, `_start`. Their results are ignored. The outcome is the trapping one, if
   * any.
   *
   * Source: proxy-wasm-cpp-host `src/wasm.cc` (startVm).
   */
  start(): CallOutcome {
    if (!this.has("_initialize")) return this.call("_start", []);
    const initialized = this.call("_initialize", []);
    if (!initialized.ok) return initialized;
    return this.has("main") ? this.call("main", [0, 0]) : this.call("__main_void", []);
  }

  /** Goes on with the callback that was left; E_INTERNAL when none was. */
  resume(): CallOutcome {
    const left = this.#left;
    if (left === undefined) throw new MockHostError("E_INTERNAL", "no callback was left here");
    this.#left = undefined;
    this.#suspension!.enter();
    return this.#enter(left.name, this.#function(left.name)!, left.args, "callback");
  }

  /** Whether it stands in the middle of a callback. */
  get isLeft(): boolean {
    return this.#left !== undefined;
  }

  /** Forgets the callback that was left; whoever calls this puts the guest's memory back. */
  abandon(): void {
    this.#left = undefined;
    this.#suspension?.reset(null);
  }

  /** Copies of the guest's whole state, of a module that `module/asyncify.ts` has rewritten. */
  snapshots(): Snapshots {
    return new Snapshots(this.#exports, this.memory);
  }

  /** Calls an export; one that does not exist answers 0. A trap fails the VM. */
  call(name: string, args: readonly number[]): CallOutcome {
    const called = this.#function(name);
    if (called === undefined) return { ok: true, value: 0 };
    return this.#enter(name, called, args, startNames.has(name) ? "start" : "callback");
  }

  /**
   * Memory of the guest's own for `size` bytes; 0 when the allocator gives none, traps (the VM has
   * failed then) or answers a range out of bounds. Never called for size 0.
   *
   * Source: proxy-wasm-cpp-host `include/proxy-wasm/wasm.h` (allocMemory).
   */
  allocate(size: number): number {
    const outer = this.#phase;
    this.#phase = "allocator";
    try {
      const ptr = Number(this.#allocator(size)) >>> 0;
      return ptr !== 0 && this.memory.isRange(ptr, size) ? ptr : 0;
    } catch (error) {
      this.#fail(this.loaded.allocator, error);
      return 0;
    } finally {
      this.#phase = outer;
    }
  }

  #enter(name: string, called: GuestFunction, args: readonly number[], phase: Phase): CallOutcome {
    const outer = this.#phase;
    const outerLimit = Error.stackTraceLimit;
    this.#phase = phase;
    Error.stackTraceLimit = stackTraceLimit;
    try {
      const value = Number(entered(called, args) ?? 0);
      if (this.#suspension?.leave() !== true) return { ok: true, value };
      this.#left = { name, args };
      return { ok: true, value: 0, isSuspended: true };
    } catch (error) {
      return { ok: false, trap: this.#fail(name, error) };
    } finally {
      this.#phase = outer;
      Error.stackTraceLimit = outerLimit;
    }
  }

  /**
   * The guest's trap. An error of the host that went through the guest goes on: the guest's stack
   * pointer is not put back, so that VM is done for as well.
   */
  #fail(name: string, error: unknown): Trap {
    const trap = trapOf(error, name, this.loaded);
    if (trap === undefined) {
      this.#trap ??= new Trap(
        name,
        `Error: ${error instanceof Error ? error.message : String(error)}`,
      );
      throw error;
    }
    this.#trap ??= trap;
    this.onTrap?.(trap);
    return trap;
  }

  #function(name: string): GuestFunction | undefined {
    const found = this.#exports[name];
    return typeof found === "function" ? (found as GuestFunction) : undefined;
  }
}

/** A list that is spread costs more than the call: callbacks have one to three arguments. */
function entered(called: GuestFunction, args: readonly number[]): ReturnType<GuestFunction> {
  switch (args.length) {
    case 1:
      return called(args[0]!);
    case 2:
      return called(args[0]!, args[1]!);
    case 3:
      return called(args[0]!, args[1]!, args[2]!);
    default:
      return called(...args);
  }
}

/**
 * The last exported memory, else the imported one, as Envoy finds it. A module may hide its memory as
 * long as it imports no function: nobody asks for it then.
 *
 * Source: proxy-wasm-cpp-host `src/v8/v8.cc` (link).
 */
function findMemory(loaded: LoadedModule, exports: WasmExports, imports: WasmImports): WasmMemory {
  const exported = loaded.exports.findLast(({ kind }) => kind === "memory");
  if (exported !== undefined) return exports[exported.name] as WasmMemory;
  for (const { module, name, kind } of loaded.imports) {
    if (kind === "memory") return imports[module]![name] as WasmMemory;
  }
  return new wasm.Memory({ initial: 0 });
}
