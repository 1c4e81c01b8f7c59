import { MockHostError } from "../errors.ts";
import { printable } from "./printable.ts";

/** What the command's exit says. */
export const ExitCode = {
  /** Every verdict is as expected. */
  fine: 0,
  /** A verdict is not. */
  unexpected: 1,
  /** Bad input or wrong use. */
  badInput: 2,
  /** A limit cut the work off before the answer was known. */
  cutOff: 3,
  /** A fault of ours. */
  ours: 70,
} as const;

export type ExitCodeValue = (typeof ExitCode)[keyof typeof ExitCode];

const gravest = [ExitCode.ours, ExitCode.badInput, ExitCode.unexpected, ExitCode.cutOff];

/** Of several files: 70 before 2 before 1 before 3. */
export function gravestOf(codes: Iterable<ExitCodeValue>): ExitCodeValue {
  const found = new Set(codes);
  return gravest.find((code) => found.has(code)) ?? ExitCode.fine;
}

export function exitCodeOf(error: unknown): ExitCodeValue {
  return error instanceof MockHostError && !error.isOurs ? ExitCode.badInput : ExitCode.ours;
}

/** One line for a mistake of the user's; what a report needs for one of ours. */
export function told(error: unknown): string {
  if (exitCodeOf(error) === ExitCode.badInput)
    return `${printable((error as Error).message.replace(/\s*\n\s*/g, " "))}\n`;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return (
    "proxy-wasm-as: a fault of its own, not of your files; please report it with the command line, the files and " +
    `these lines:\n${stack}\n`
  );
}
