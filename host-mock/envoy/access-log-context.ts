import { HeaderMapType } from "../abi/enums.ts";
import type { PropertyAnswer } from "../abi/vm-host.ts";
import { PassingFilter } from "../http/passing-filter.ts";
import type { HttpStream } from "../http/stream.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { streamProperty } from "./attributes.ts";
import { placeFor } from "./failure-policy.ts";
import type { Plugin } from "./plugin.ts";
import type { RootContext } from "./root-context.ts";
import type { Thread } from "./thread.ts";

/** A finished request as the root of an access logger sees it while its `proxy_on_log` runs. */
export class LoggedRequest {
  readonly #root: RootContext;
  readonly #stream: HttpStream;

  constructor(root: RootContext, stream: HttpStream) {
    this.#root = root;
    this.#stream = stream;
  }

  /** Request trailers are never shown. */
  headerMap(type: number): HeaderMap | undefined {
    switch (type) {
      case HeaderMapType.RequestHeaders:
        return this.#stream.requestHeaders;
      case HeaderMapType.ResponseHeaders:
        return this.#stream.responseHeaders;
      case HeaderMapType.ResponseTrailers:
        return this.#stream.responseTrailers;
      default:
        return undefined;
    }
  }

  property(path: readonly Uint8Array[]): PropertyAnswer {
    const { requestHeaders, responseHeaders, responseTrailers } = this.#stream;
    const maps = { requestHeaders, responseHeaders, responseTrailers };
    return streamProperty(this.#root, this.#stream, maps, path);
  }
}

/**
 * An access logger's place in a stream: behind all filters, it lets everything pass and logs when the stream is complete,
 * after the filters' own `proxy_on_log`. There is no stream context: the callback is the root's, and neither creation nor
 * done nor delete are told.
 *
 * Source: Envoy `source/extensions/access_loggers/wasm/wasm_access_log_impl.h`, `source/extensions/common/wasm/wasm.cc`
 * (Wasm::log), `source/common/http/conn_manager_impl.cc` (ActiveStream::log).
 */
export class AccessLogFilter extends PassingFilter {
  readonly #thread: Thread;
  readonly #plugin: Plugin;
  readonly #stream: HttpStream;

  constructor(thread: Thread, plugin: Plugin, stream: HttpStream) {
    super();
    this.#thread = thread;
    this.#plugin = plugin;
    this.#stream = stream;
  }

  /** A logger without a living VM logs nothing, whatever its policy. */
  override onLog(): void {
    const place = placeFor(this.#thread, this.#plugin);
    if (typeof place === "string") return;
    const { root } = place;
    root.logged = new LoggedRequest(root, this.#stream);
    root.isLogPhase = true;
    root.owner.call(root, "proxy_on_log", [root.id]);
    root.isLogPhase = false;
    root.logged = undefined;
  }
}
