import { Body } from "../state/body.ts";

/**
 * One direction of a connection before the filters: what the peer has sent, and what Envoy has read of it.
 *
 * Source: Envoy `source/common/network/connection_impl.cc` (onReadReady, onRead), `raw_buffer_socket.cc`.
 */
export class Incoming {
  /** Read, and not taken by anybody yet. */
  readonly buffer = new Body();
  /** The peer's end has been read. */
  isEnd = false;
  /** The peer has ended its side; what it sent before may not have been read yet. */
  hasFinished = false;
  /** How many bytes have been read so far. */
  readBytes = 0;
  readonly #arrived: Uint8Array[] = [];
  readonly #limitBytes: number;

  /** `limitBytes`: nothing more is read while the buffer holds that much. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#arrived.push(bytes);
  }

  finish(): void {
    this.hasFinished = true;
  }

  /** One read of all that has come and has room. Whether there is news, an end among it. */
  read(): boolean {
    let hasNews = false;
    while (this.#arrived.length > 0 && this.buffer.size < this.#limitBytes) {
      const [next] = this.#arrived as [Uint8Array];
      const room = this.#limitBytes - this.buffer.size;
      const part = next.subarray(0, room);
      this.buffer.append(part);
      this.readBytes += part.length;
      if (next.length > room) this.#arrived[0] = next.subarray(room);
      else this.#arrived.shift();
      hasNews = true;
    }
    if (this.hasFinished && !this.isEnd && this.#arrived.length === 0) {
      this.isEnd = true;
      hasNews = true;
    }
    return hasNews;
  }
}
