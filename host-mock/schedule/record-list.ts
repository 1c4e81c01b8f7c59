const chunkShift = 16;
const chunkMask = (1 << chunkShift) - 1;

/** Numbers of records, appended and read in order; grows without moving what it has. */
export class RecordList {
  length = 0;
  readonly #chunks: Int32Array[] = [];

  push(record: number): void {
    const chunk = this.length >>> chunkShift;
    if (chunk === this.#chunks.length) this.#chunks.push(new Int32Array(1 << chunkShift));
    this.#chunks[chunk]![this.length++ & chunkMask] = record;
  }

  at(index: number): number {
    return this.#chunks[index >>> chunkShift]![index & chunkMask]!;
  }

  /** Keeps its room. */
  clear(): void {
    this.length = 0;
  }
}
