import { LuaError, type LuaFunction, type LuaValue } from "./value.ts";

/** A script that nobody would wait for any longer; `pcall` does not catch it. */
export class ScriptKilled extends Error {
  readonly line: number;

  constructor(line: number) {
    super("Script killed by user with SCRIPT KILL...");
    this.name = "ScriptKilled";
    this.line = line;
  }
}

const stepsMax = 5_000_000;
/** Two thirds of what Node's stack has room for: a script may run far down in a test's own calls. */
const depthMax = 800;
const callBackDepth = 2;
/** Bytes of all texts that a run makes. */
const textBytesMax = 2 ** 28;
/** A plain search looks at so many bytes in the time of a step. */
const bytesOfStep = 1024;

/**
 * What one run of a script may use up, counted and not timed, so that every run ends the same way: steps (statements,
 * entries of a table that are moved, places that a pattern is tried at, results of `unpack`), calls, blocks and expressions within
 * each other, and the bytes of the texts that it makes, those too that nothing holds any more.
 *
 * A real server runs on, tells everybody else that it is busy, and stops when it is told `SCRIPT KILL`.
 *
 * Source: Redis `script_lua.c` (luaMaskCountHook), Lua 5.1 `ldo.c` (luaD_growstack).
 */
export class Budget {
  #stepCount = 0;
  #textBytes = 0;
  /** Where it was when a call was made, to go back to when that call fails. */
  depth = 0;
  /** The line of what runs now, for errors that functions raise. */
  line = 1;

  /** ScriptKilled when it is used up. */
  spend(stepCount: number): void {
    this.#stepCount += stepCount;
    if (this.#stepCount > stepsMax) throw new ScriptKilled(this.line);
  }

  /** For a search through a text of that length. ScriptKilled as by `spend`. */
  scan(length: number): void {
    this.spend(Math.floor(length / bytesOfStep));
  }

  /** Before a text of that length is made. LuaError when all together are too long; what was refused does not count. */
  makeText(length: number): void {
    if (this.#textBytes + length > textBytesMax)
      throw new LuaError("not enough memory", { level: 0 });
    this.#textBytes += length;
  }

  /** One level deeper, until `depth` is set back. LuaError when there are too many. */
  deepen(): void {
    if (++this.depth > depthMax) throw LuaError.at("stack overflow", this.line);
  }

  /** Calls a script's function from a library's, which takes room of its own. */
  callBack(callee: LuaFunction, args: readonly LuaValue[]): readonly LuaValue[] {
    this.depth += callBackDepth;
    const results = callee(args);
    this.depth -= callBackDepth;
    return results;
  }
}
