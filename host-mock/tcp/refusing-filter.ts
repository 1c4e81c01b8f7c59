import type { Connection } from "./connection.ts";
import type { TcpFilter } from "./tcp-filter.ts";

/**
 * A filter that stands in for a failed plugin: it closes the connection, no callback.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (failStream).
 */
export class RefusingTcpFilter implements TcpFilter {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  onNewConnection(): boolean {
    this.#connection.close();
    return false;
  }

  onDownstreamData(): boolean {
    return false;
  }

  onUpstreamData(): boolean {
    return true;
  }

  onClose(): void {
    // The plugin has no context in this connection.
  }
}
