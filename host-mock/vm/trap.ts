import { wasm } from "../abi/wasm-api.ts";
import { cppName } from "../module/cpp-names.ts";
import { functionNames } from "../module/function-names.ts";
import type { LoadedModule } from "../module/load.ts";

/** A frame of the guest's stack at a trap. */
export interface TrapFrame {
  readonly functionIndex: number;
  /** Offset in the module's bytes. */
  readonly offset: number;
  /** From the name section; null where it has none for this function. */
  readonly name: string | null;
}

/** What a host function throws where Envoy throws into the guest; it fails the VM. */
export class RestrictedCallback extends Error {
  /** The import that was called, `env.proxy_get_log_level`. */
  readonly importName: string;

  constructor(importName: string) {
    super("restricted_callback");
    this.importName = importName;
  }
}

/** What a host function throws through a guest that must not go on: its thread has crashed, say. It is no trap. */
export class GuestHalted extends Error {
  constructor() {
    super("the guest was stopped");
  }
}

/** What a trap asks of a module. */
export type TrappedModule = Pick<LoadedModule, "bytes" | "originalOffset">;

/**
 * What a host function throws where the process of a real Envoy would crash, all its VMs with it. Here it fails the one VM,
 * so that the run goes on and says what happened.
 */
export class EnvoyCrash extends Error {
  constructor(what: string) {
    super(`a real Envoy crashes here: ${what}`);
  }
}

/** How a call into a guest ended that did not return. */
export class Trap {
  /** The export that was called from outside: `proxy_on_tick`, `malloc`. */
  readonly exportName: string;
  /** As Envoy prints it: `RuntimeError: unreachable`, `Error: restricted_callback`. */
  readonly message: string;
  /** Innermost first; at most twenty. Those around a host call that came to trap are among them. */
  readonly frames: readonly TrapFrame[];
  /** Whether the module has a name section: Envoy then logs a back trace. */
  readonly hasNames: boolean;

  constructor(
    exportName: string,
    message: string,
    frames: readonly TrapFrame[] = [],
    hasNames = false,
  ) {
    this.exportName = exportName;
    this.message = message;
    this.frames = frames;
    this.hasNames = hasNames;
  }

  /**
   * What Envoy logs in one piece, at level error: a line, and the back trace where the module has a
   * name section.
   *
   * Source: proxy-wasm-cpp-host `src/v8/v8.cc` (getFailMessage).
   */
  text(): string {
    const lines = [`Function: ${this.exportName} failed: Uncaught ${this.message}`];
    if (!this.hasNames) return lines[0]!;
    lines.push("Proxy-Wasm plugin in-VM backtrace:");
    for (const [index, { name, functionIndex, offset }] of this.frames.entries()) {
      const who = name === null ? `unknown(function index:${functionIndex})` : cppName(name);
      lines.push(`${String(index).padStart(3)}:  0x${offset.toString(16)} - ${who}`);
    }
    return lines.join("\n");
  }

  /** The innermost function's name; null without one. */
  get functionName(): string | null {
    return this.frames[0]?.name ?? null;
  }

  get functionIndex(): number | null {
    return this.frames[0]?.functionIndex ?? null;
  }
}

/**
 * The trap that an exception out of a guest stands for; undefined when it is none (an error of the
 * host itself, which must not be taken for the guest's).
 */
export function trapOf(
  error: unknown,
  exportName: string,
  module: TrappedModule,
): Trap | undefined {
  const message = messageOf(error);
  if (message === undefined) return undefined;
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frames = framesOf(stack, module);
  return new Trap(exportName, message, frames, functionNames(module.bytes).size > 0);
}

/** Undefined for what is no trap. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof RestrictedCallback) return "Error: restricted_callback";
  if (error instanceof EnvoyCrash) return `Error: ${error.message}`;
  if (error instanceof wasm.Exception) return "#<Exception>";
  if (error instanceof wasm.RuntimeError || isStackOverflow(error))
    return `${error.name}: ${envoyWords[error.message] ?? error.message}`;
  return undefined;
}

/** Where the engine of Node has other words than Envoy's. */
const envoyWords: Readonly<Record<string, string>> = {
  "null function or function signature mismatch": "function signature mismatch",
};

function isStackOverflow(error: unknown): error is RangeError {
  return error instanceof RangeError && error.message === "Maximum call stack size exceeded";
}

const frameCountMax = 20;

/**
 * `Error.stackTraceLimit` while a guest runs: between its frames there may be some of the host, and
 * a program can have set the limit to anything.
 */
export const stackTraceLimit = 100;

const framePattern =
  /^\s+at (?:.* \()?wasm:\/\/wasm\/[^:]*:wasm-function\[(\d+)\]:0x([0-9a-f]+)\)?$/;

/** The wasm frames of V8's stack text. */
export function framesOf(stack: string, { bytes, originalOffset }: TrappedModule): TrapFrame[] {
  const names = functionNames(bytes);
  const frames: TrapFrame[] = [];
  for (const line of stack.split("\n")) {
    const match = framePattern.exec(line);
    if (match === null) continue;
    if (frames.length === frameCountMax) break;
    const functionIndex = Number(match[1]);
    const offset = originalOffset(Number.parseInt(match[2] ?? "0", 16));
    frames.push({ functionIndex, offset, name: names.get(functionIndex) ?? null });
  }
  return frames;
}
