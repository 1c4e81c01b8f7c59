import { Body } from "../state/body.ts";

export interface HeldBodyOptions {
  /** 0: any number. */
  readonly limitBytes: number;
  onTooMuch(): void;
  onPressure(isHigh: boolean): void;
}

/**
 * What the stopped filters of one direction hold of a body, and the limit on it.
 *
 * Above the limit, a filter that asked to buffer has asked for too much; one that asked for back pressure gets it until
 * no more than half the limit is left.
 *
 * Source: Envoy `source/common/http/filter_manager.cc` (commonHandleBufferData, requestDataTooLarge, responseDataTooLarge),
 * `source/common/buffer/watermark_buffer.cc`.
 */
export class HeldBody {
  /** Null before anything was held. Once made it stays, empty when all went on. */
  body: Body | null = null;
  /** Whoever holds asked for back pressure, not for a limit. */
  isStreaming = false;
  /** 0: any number. A plugin may ask for another one. */
  limitBytes: number;
  readonly #options: HeldBodyOptions;
  #isHigh = false;

  constructor(options: HeldBodyOptions) {
    this.#options = options;
    this.limitBytes = options.limitBytes;
  }

  make(): Body {
    this.body ??= new Body();
    return this.body;
  }

  /** What is held already stays as it is: the filter has changed it in place. */
  take(body: Body): void {
    const held = this.make();
    if (held === body) return;
    held.append(body.drain());
    this.check();
  }

  /** All of a body that goes on, which may be the one held here. */
  drain(body: Body): Uint8Array {
    const bytes = body.drain();
    if (body === this.body) this.#relieve();
    return bytes;
  }

  /** After a filter may have changed what is held. */
  check(): void {
    const { limitBytes } = this;
    if (limitBytes === 0 || this.body === null) return;
    if (this.#isHigh) {
      this.#relieve();
      return;
    }
    if (this.body.size <= limitBytes) return;
    this.#isHigh = true;
    if (this.isStreaming) this.#options.onPressure(true);
    else this.#options.onTooMuch();
  }

  #relieve(): void {
    if (!this.#isHigh || this.body!.size > this.limitBytes / 2) return;
    this.#isHigh = false;
    this.#options.onPressure(false);
  }
}
