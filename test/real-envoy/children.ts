/** Processes started by a check: none outlives it, whichever way the check ends. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";

const running = new Set<ChildProcess>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    killAll();
    process.exit(130);
  });
}
process.on("exit", killAll);

/** A log that grows beyond this, in blocks of 512 bytes, ends whoever writes it: a GiB. */
const logBlocksMax = 2 ** 21;

export interface LoggedProcess {
  readonly command: string;
  readonly args: readonly string[];
  /** The file that takes what it writes; begun anew. */
  readonly log: string;
  readonly logBlocks?: number;
}

/** Starts a process that ends with this one, or by SIGXFSZ when its log is too large. The id is the command's own. */
export function startLogged(options: LoggedProcess): ChildProcess {
  const { command, args, logBlocks = logBlocksMax } = options;
  const log = openSync(options.log, "w");
  const limited = `ulimit -f ${String(logBlocks)} && exec "$0" "$@"`;
  const child = spawn("sh", ["-c", limited, command, ...args], { stdio: ["ignore", log, log] });
  closeSync(log);
  adopt(child);
  return child;
}

/** Kills the process when this one ends, unless it has ended before. */
function adopt(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
  if (child.pid !== undefined) guard(child);
}

/**
 * Starts a process that kills another one when its standard input ends: that is so when the process here is gone, by
 * SIGKILL too, which leaves no time for anything else. It ends with the one that it guards.
 */
export function guard(child: ChildProcess): ChildProcess {
  const script = `trap "" INT TERM HUP; read -r _; kill -KILL ${String(child.pid)}`;
  const guarding = spawn("sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
  guarding.unref();
  child.once("exit", () => guarding.kill("SIGKILL"));
  return guarding;
}

function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
}
