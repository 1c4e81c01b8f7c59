import { HeadersAction } from "../abi/enums.ts";
import { noBytes } from "../state/bytes.ts";
import type { LocalReply } from "./local-reply.ts";
import type { HttpStream } from "./stream.ts";
import type { StreamFilter } from "./stream-filter.ts";

/** Source: Envoy `context.cc` (failStream): 503, gRPC status Unavailable, no body. */
export const pluginFailed: LocalReply = { status: 503, body: noBytes, headers: [], grpcStatus: 14 };

/** A filter that stands in for a failed plugin: 503 without a body, no callback. */
export class RefusingFilter implements StreamFilter {
  readonly #stream: HttpStream;

  constructor(stream: HttpStream) {
    this.#stream = stream;
  }

  onRequestHeaders(): number {
    this.#stream.sendLocalReply(pluginFailed);
    return HeadersAction.StopAllIterationAndWatermark;
  }

  onRequestBody(): number {
    return 0;
  }

  onRequestTrailers(): number {
    return 0;
  }

  onResponseHeaders(): number {
    return 0;
  }

  onResponseBody(): number {
    return 0;
  }

  onResponseTrailers(): number {
    return 0;
  }

  onLog(): void {
    // The plugin has no context in this stream.
  }

  onDestroy(): void {
    // As above.
  }
}
