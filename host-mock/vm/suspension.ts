import type { WasmExports, WasmImport, WasmImports } from "../abi/wasm-api.ts";
import { MockHostError } from "../errors.ts";
import type { GuestMemory } from "./memory.ts";

type Raw = number | bigint;
type HostFunction = (...args: Raw[]) => Raw | undefined;

/** Asked at each call of a suspension point; true: the guest is left here, before the call is carried out. */
export type WantsToSuspend = (call: string, args: readonly Raw[]) => boolean;

/** The five functions of a module that `module/asyncify.ts` has rewritten. */
interface Asyncified {
  asyncify_start_unwind(data: number): void;
  asyncify_stop_unwind(): void;
  asyncify_start_rewind(data: number): void;
  asyncify_stop_rewind(): void;
}

/**
 * Leaves a guest in the middle of a callback, at a host call, and goes on with it later.
 *
 *     running ──wants──▶ unwinding ──callback returns──▶ suspended ──resume──▶ rewinding ──same call──▶ running
 *
 * Asyncify keeps the guest's frames in its memory: two pointers (the next free byte, the end), then the frames. Any
 * bytes do, since no guest code runs between the first and the last of them; they are borrowed from the end of memory
 * and put back at once, so nothing is asked of the guest's allocator.
 *
 * Source: binaryen `src/passes/Asyncify.cpp`.
 */
export class Suspension {
  readonly #wants: WantsToSuspend;
  #exports: Asyncified | undefined;
  #memory: GuestMemory | undefined;
  #state: "running" | "unwinding" | "suspended" | "rewinding" = "running";
  /** What stood where the frames are while the guest is being left or entered. */
  #borrowed = new Uint8Array(0);
  #at = 0;
  #frames: Uint8Array = new Uint8Array(0);

  constructor(wants: WantsToSuspend) {
    this.#wants = wants;
  }

  /** The import object with the points (`MODULE.NAME`) in their suspendable form. */
  wrap(imports: WasmImports, points: ReadonlySet<string>): WasmImports {
    const wrapped: Record<string, Record<string, WasmImport>> = {};
    for (const [module, names] of Object.entries(imports)) {
      const own: Record<string, WasmImport> = (wrapped[module] = { ...names });
      for (const [name, given] of Object.entries(names)) {
        const isPoint = points.has(`${module}.${name}`) && typeof given === "function";
        if (isPoint) own[name] = this.#point(name, given as HostFunction);
      }
    }
    return wrapped;
  }

  /** E_INTERNAL for a module that was not rewritten. */
  attach(exports: WasmExports, memory: GuestMemory): void {
    if (typeof exports["asyncify_start_unwind"] !== "function")
      throw new MockHostError("E_INTERNAL", "a module that is not asyncified cannot be suspended");
    this.#exports = exports as unknown as Asyncified;
    this.#memory = memory;
  }

  get isSuspended(): boolean {
    return this.#state === "suspended";
  }

  /** To be asked when a callback has returned: whether it was left rather than done. */
  leave(): boolean {
    if (this.#state !== "unwinding") return false;
    this.#exports!.asyncify_stop_unwind();
    const size = this.#memory!.readU32(this.#at)! - this.#at;
    this.#frames = this.#memory!.readBytes(this.#at, size)!.slice();
    this.#giveBack();
    this.#state = "suspended";
    return true;
  }

  /** Before the same callback is called again, with any arguments: it goes on where it was left. */
  enter(): void {
    if (this.#state !== "suspended")
      throw new MockHostError("E_INTERNAL", "a guest that is not suspended cannot go on");
    this.#borrow();
    this.#memory!.writeBytes(this.#at, this.#frames);
    this.#state = "rewinding";
    this.#exports!.asyncify_start_rewind(this.#at);
  }

  /** The frames of a suspended guest: with its memory and globals they are all of its state. */
  get frames(): Uint8Array {
    return this.#frames;
  }

  /** Makes it a guest that is suspended with these frames, or one that runs nothing. */
  reset(frames: Uint8Array | null): void {
    this.#state = frames === null ? "running" : "suspended";
    this.#frames = frames ?? new Uint8Array(0);
  }

  #point(name: string, carryOut: HostFunction): WasmImport {
    return (...args: Raw[]) => {
      if (this.#state === "rewinding") {
        this.#exports!.asyncify_stop_rewind();
        this.#giveBack();
        this.#state = "running";
        return carryOut(...args);
      }
      if (this.#state !== "running" || !this.#wants(name, args)) return carryOut(...args);
      this.#borrow();
      this.#memory!.writeU32(this.#at, this.#at + 8);
      this.#memory!.writeU32(this.#at + 4, this.#at + this.#borrowed.length);
      this.#state = "unwinding";
      this.#exports!.asyncify_start_unwind(this.#at);
      return 0;
    };
  }

  #borrow(): void {
    const memory = this.#memory!;
    const size = framesBytes(memory.sizeBytes);
    this.#at = memory.sizeBytes - size;
    this.#borrowed = memory.readBytes(this.#at, size)!.slice();
  }

  #giveBack(): void {
    this.#memory!.writeBytes(this.#at, this.#borrowed);
  }
}

/** A small guest needs some dozens of bytes, one compiled by Go some thousands. */
function framesBytes(memoryBytes: number): number {
  return Math.min(65_536, Math.max(4096, memoryBytes >>> 5)) & ~15;
}
