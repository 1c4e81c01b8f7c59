import { HeadersAction } from "../abi/enums.ts";
import { noBytes } from "../state/bytes.ts";
import type { LocalReply } from "./local-reply.ts";
import { PassingFilter } from "./passing-filter.ts";
import type { HttpStream } from "./stream.ts";

/** Source: Envoy `context.cc` (failStream): 503, gRPC status Unavailable, no body. */
export const pluginFailed: LocalReply = {
  status: 503,
  body: noBytes,
  headers: [],
  grpcStatus: 14,
  details: "wasm_fail_stream",
};

/** A filter that stands in for a failed plugin: 503 without a body, no callback. */
export class RefusingFilter extends PassingFilter {
  readonly #stream: HttpStream;

  constructor(stream: HttpStream) {
    super();
    this.#stream = stream;
  }

  override onRequestHeaders(): number {
    this.#stream.sendLocalReply(pluginFailed);
    return HeadersAction.StopAllIterationAndWatermark;
  }
}
