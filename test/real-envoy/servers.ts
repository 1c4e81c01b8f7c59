/** The machines behind Envoy: an upstream that answers every request, and a collector that keeps them. */
import { createServer } from "node:http";
import type { IncomingHttpHeaders, Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a server saw it. */
export interface Seen {
  /** On the machine's monotonic clock, which the guests read too. */
  readonly atNs: bigint;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export class RecordingServer {
  readonly seen: Seen[] = [];
  readonly #server: Server;

  /** Answers every request with this status, after its body has arrived. */
  static async start(status: number): Promise<RecordingServer> {
    const server = new RecordingServer(status);
    await new Promise<void>((resolve, reject) => {
      server.#server.once("error", reject);
      server.#server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }

  private constructor(status: number) {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        this.seen.push({
          atNs: process.hrtime.bigint(),
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(parts).toString("utf8"),
        });
        response.writeHead(status).end();
      });
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
