import { wasm } from "../abi/wasm-api.ts";

/** A frame of the guest's stack at a trap, innermost first. */
export interface TrapFrame {
  readonly functionIndex: number;
  /** Offset in the module's bytes. */
  readonly offset: number;
  /** From the name section; null when the module has none. */
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

/** How a call into a guest ended that did not return. */
export class Trap {
  /** The export that was called from outside: `proxy_on_tick`, `malloc`. */
  readonly exportName: string;
  /** As Envoy prints it: `RuntimeError: unreachable`, `Error: restricted_callback`. */
  readonly message: string;
  readonly frames: readonly TrapFrame[];

  constructor(exportName: string, message: string, frames: readonly TrapFrame[] = []) {
    this.exportName = exportName;
    this.message = message;
    this.frames = frames;
  }

  /**
   * Envoy's log lines (level error): one, and the back trace where the module has a name section.
   */
  lines(): string[] {
    const lines = [`Function: ${this.exportName} failed: Uncaught ${this.message}`];
    if (!this.frames.some((frame) => frame.name !== null)) return lines;
    lines.push("Proxy-Wasm plugin in-VM backtrace:");
    this.frames.forEach((frame, index) => {
      const place = frame.name ?? `wasm-function[${frame.functionIndex}]`;
      lines.push(`${String(index).padStart(3)}:  0x${frame.offset.toString(16)} - ${place}`);
    });
    return lines;
  }

  /** The innermost function's name; null without a name section. */
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
export function trapOf(error: unknown, exportName: string): Trap | undefined {
  if (error instanceof RestrictedCallback)
    return new Trap(exportName, "Error: restricted_callback");
  if (error instanceof wasm.Exception) return new Trap(exportName, "#<Exception>");
  if (error instanceof wasm.RuntimeError || isStackOverflow(error)) {
    return new Trap(exportName, `${error.name}: ${error.message}`, framesOf(error.stack ?? ""));
  }
  return undefined;
}

function isStackOverflow(error: unknown): error is RangeError {
  return error instanceof RangeError && error.message === "Maximum call stack size exceeded";
}

const framePattern =
  /^\s+at (?:(.*) \()?wasm:\/\/wasm\/[^:]*:wasm-function\[(\d+)\]:0x([0-9a-f]+)\)?$/;

/** The wasm frames of V8's stack text. */
export function framesOf(stack: string): TrapFrame[] {
  const frames: TrapFrame[] = [];
  for (const line of stack.split("\n")) {
    const match = framePattern.exec(line);
    if (match === null) continue;
    const [, name, index, offset] = match;
    frames.push({
      functionIndex: Number(index),
      offset: Number.parseInt(offset ?? "0", 16),
      name: name ?? null,
    });
  }
  return frames;
}
