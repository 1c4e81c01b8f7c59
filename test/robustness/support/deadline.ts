import { Script } from "node:vm";

/** Far more than a batch takes on a busy machine: some hundred milliseconds. */
export const hangMsMax = 20_000;

/** For a guest with that fault: one that hangs need not be waited for so long. */
export function hangMsFor(fault: string): number {
  return fault.startsWith("hang") ? 1_000 : hangMsMax;
}

/**
 * Runs what may never return. A test's time limit is of no use against a loop in wasm, which leaves
 * no turn to the timer; the engine's own interrupt, which `node:vm` sets, ends it. No `catch` and no
 * `finally` on the way runs then, so whatever took part is done for.
 */
export function within<T>(ms: number, where: () => string, run: () => T): T {
  try {
    return new Script("run()").runInNewContext({ run }, { timeout: ms }) as T;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new Error(`hung for ${ms} ms: ${where()}`, { cause: error });
  }
}
