import { MockHostError } from "../errors.ts";

/** What the command writes to; `process.stdout` and `process.stderr` fit, and a test's collectors too. */
export interface OutputStream {
  write(text: string): boolean;
  once(event: "drain" | "close" | "error", listener: (error?: unknown) => void): unknown;
  off(event: "drain" | "close" | "error", listener: (error?: unknown) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** True once nothing more can be written. */
  readonly destroyed?: boolean;
}

export interface Streams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** Characters a write; a long document must not be held twice. */
const pieceLength = 64 * 1024;

/**
 * Writes all of a text, however slow its reader is. A reader that has gone away (`| head`) is no error: the rest is
 * dropped. `E_FILE` for any other failure, such as a full disk.
 */
export async function writeAll(stream: OutputStream, text: string): Promise<void> {
  let failure: Error | undefined;
  const onError = (error?: unknown): void => {
    failure ??= error instanceof Error ? error : new Error("the stream failed");
  };
  stream.once("error", onError);
  for (
    let at = 0;
    at < text.length && failure === undefined && stream.destroyed !== true;
    at += pieceLength
  ) {
    if (!stream.write(text.slice(at, at + pieceLength))) await roomIn(stream);
  }
  // A failed write is told after it has returned.
  await new Promise((resolve) => setImmediate(resolve));
  stream.off("error", onError);
  if (failure === undefined || isBrokenPipe(failure)) return;
  throw new MockHostError("E_FILE", `the output cannot be written (${failure.message})`, {
    place: "stdout",
    remedy: "make room, or send it elsewhere",
    cause: failure,
  });
}

function roomIn(stream: OutputStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of ["drain", "close", "error"] as const) stream.off(event, done);
      resolve();
    };
    for (const event of ["drain", "close", "error"] as const) stream.once(event, done);
  });
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}
