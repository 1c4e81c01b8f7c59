/** Reads a log that another process writes, piece by piece. */
import { closeSync, openSync, readSync } from "node:fs";
import { parseLogLine } from "./witness-log.ts";
import type { LogLine } from "./witness-log.ts";

const pieceSize = 1 << 20;

export class LogTail {
  readonly #file: number;
  readonly #piece = Buffer.alloc(pieceSize);
  #offset = 0;
  #partial = "";

  constructor(path: string) {
    this.#file = openSync(path, "r");
  }

  /** Whole lines written since the last call; one character a byte. */
  read(): LogLine[] {
    const lines: LogLine[] = [];
    for (;;) {
      const size = readSync(this.#file, this.#piece, 0, pieceSize, this.#offset);
      if (size === 0) return lines;
      this.#offset += size;
      const parts = (this.#partial + this.#piece.toString("latin1", 0, size)).split("\n");
      this.#partial = parts.pop() ?? "";
      lines.push(...parts.map(parseLogLine));
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
