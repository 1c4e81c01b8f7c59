/** Processes started by a check: none outlives it, whichever way the check ends. */
import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    killAll();
    process.exit(130);
  });
}
process.on("exit", killAll);

/** Kills the process when this one ends, unless it has ended before. */
export function adopt(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
}

function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
}
