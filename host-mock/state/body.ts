import { Status, type StatusCode } from "../abi/status.ts";
import { noBytes } from "./bytes.ts";

/**
 * A body or other buffer. Edits follow Envoy:
 *
 * | start             | length            | effect                               | status      |
 * | ----------------- | ----------------- | ------------------------------------ | ----------- |
 * | 0                 | 0                 | prepended                            | Ok          |
 * | 0                 | 0 < length < size | the first `length` bytes are replaced | Ok          |
 * | 0                 | ≥ size            | all is replaced                      | Ok          |
 * | ≥ size, > 0       | any               | appended                             | Ok          |
 * | 0 < start < size  | any               | nothing                              | BadArgument |
 *
 * Source: proxy-wasm-cpp-host `src/exports.cc`, Envoy `source/extensions/common/wasm/context.cc`
 * (Buffer).
 */
export class Body {
  /**
   * A buffer that plugins cannot change (configuration, answers), or a body that is not there:
   * edits are BadArgument.
   */
  readonly isReadOnly: boolean;
  #chunks: Uint8Array[];
  #size: number;

  /** Takes the array as its own. */
  constructor(bytes: Uint8Array = noBytes, isReadOnly = false) {
    this.#chunks = [bytes];
    this.#size = bytes.length;
    this.isReadOnly = isReadOnly;
  }

  get size(): number {
    return this.#size;
  }

  /** All of it; not to be changed. */
  bytes(): Uint8Array {
    if (this.#chunks.length !== 1) this.#chunks = [joined(this.#chunks, this.#size)];
    return this.#chunks[0]!;
  }

  /** The part of [start, start + length) that exists; empty when start lies beyond the end. */
  slice(start: number, length: number): Uint8Array {
    return this.bytes().subarray(start, Math.min(this.#size, start + length));
  }

  /** A plugin's edit, by the table above. Takes the array as its own. */
  edit(start: number, length: number, data: Uint8Array): StatusCode {
    if (this.isReadOnly) return Status.BadArgument;
    if (start === 0) {
      const kept = this.bytes().subarray(Math.min(length, this.#size));
      this.#chunks = [data, kept];
      this.#size = data.length + kept.length;
      return Status.Ok;
    }
    if (start < this.#size) return Status.BadArgument;
    this.append(data);
    return Status.Ok;
  }

  /** The host's own append, whether plugins may edit or not. Takes the array as its own. */
  append(data: Uint8Array): void {
    this.#chunks.push(data);
    this.#size += data.length;
  }

  /** Takes everything out. */
  drain(): Uint8Array {
    const all = this.bytes();
    this.#chunks = [noBytes];
    this.#size = 0;
    return all;
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
