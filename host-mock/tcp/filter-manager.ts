import type { Body } from "../state/body.ts";
import type { Closer, TcpFilter } from "./tcp-filter.ts";

/** What a chain reads from, and whether it still may. */
export interface ReadSource {
  /** Read and not taken yet. */
  readonly buffer: Body;
  isOpen(): boolean;
  /** The client has ended its side, and that was read. */
  isEnd(): boolean;
}

/**
 * The filters of one connection. Reading begins at the first, or behind the one that asks to go on, and goes from filter
 * to filter with the same buffer, which only the last one empties: what a filter holds up grows. A filter learns of the
 * connection when reading first reaches it. Writes come from the last filter and go the other way; one that is held up
 * stays with the writer.
 *
 * Source: Envoy `source/common/network/filter_manager_impl.cc` (onContinueReading, onWrite).
 */
export class FilterManager {
  /** The proxy is the last. */
  readonly #readers: readonly TcpFilter[];
  readonly #writers: readonly TcpFilter[];
  readonly #source: ReadSource;
  readonly #initialized = new Set<TcpFilter>();

  constructor(filters: readonly TcpFilter[], proxy: TcpFilter, source: ReadSource) {
    this.#readers = [...filters, proxy];
    this.#writers = [...filters].reverse();
    this.#source = source;
  }

  /** Shows the filters what there is to read; `behind` has seen it already. */
  read(behind?: TcpFilter): void {
    const source = this.#source;
    if (!source.isOpen()) return;
    const first = behind === undefined ? 0 : this.#readers.indexOf(behind) + 1;
    for (const filter of this.#readers.slice(first)) {
      if (!this.#initialized.has(filter)) {
        this.#initialized.add(filter);
        if (!filter.onNewConnection() || !source.isOpen()) return;
      }
      if (source.buffer.size === 0 && !source.isEnd()) continue;
      if (!filter.onDownstreamData(source.buffer, source.isEnd()) || !source.isOpen()) return;
    }
  }

  /** Whether the write passes all filters. */
  write(data: Body, isEnd: boolean): boolean {
    return this.#writers.every(
      (filter) => filter.onUpstreamData(data, isEnd) && this.#source.isOpen(),
    );
  }

  /** Tells every filter, the first one first. */
  close(by: Closer): void {
    for (const filter of this.#readers) filter.onClose(by);
  }
}
