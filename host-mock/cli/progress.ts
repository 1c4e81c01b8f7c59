import { formatDuration } from "../index.ts";
import type { OutputStream } from "./output.ts";

/** Events between two looks at the machine's clock, and milliseconds between two lines. */
const eventsBetweenLooks = 512;
const msBetweenLines = 200;

/** One line on a terminal, rewritten while a scenario runs; nothing anywhere else. */
export class Progress {
  readonly #stream: OutputStream;
  readonly #name: string;
  readonly #total: string;
  #events = 0;
  #lastMs: number;
  #isShown = false;

  constructor(stream: OutputStream, name: string, durationNs: number) {
    this.#stream = stream;
    this.#name = name;
    this.#total = formatDuration(durationNs);
    this.#lastMs = performance.now();
  }

  reached(atNs: number): void {
    if (this.#stream.isTTY !== true || ++this.#events % eventsBetweenLooks !== 0) return;
    const nowMs = performance.now();
    if (nowMs - this.#lastMs < msBetweenLines) return;
    this.#lastMs = nowMs;
    this.#isShown = true;
    const seconds = formatDuration(Math.floor(atNs / 1e9) * 1e9);
    this.#stream.write(`\r\u001b[2K${this.#name}: ${seconds} of ${this.#total}`);
  }

  end(): void {
    if (this.#isShown) this.#stream.write("\r\u001b[2K");
  }
}
