/** A request through a real Envoy, and what both its ends saw. */
import { setTimeout as sleep } from "node:timers/promises";
import { messageLine } from "../conformance/exchange-lines.ts";
import type { ProbeExchange } from "../conformance/probe.ts";
import type { ClientRequest } from "./http1-client.ts";
import { messageOf } from "./http-server.ts";
import type { Awaited, Upstream } from "./upstream.ts";

/** What of a request may still be on its way to the upstream when the client has its answer. */
const onTheWayMs = 30;

export interface ExchangeHost {
  note(line: string): void;
  until(what: string, condition: () => boolean): Promise<void>;
}

export class RealExchange implements ProbeExchange {
  readonly #client: ClientRequest;
  readonly #awaited: Awaited;
  readonly #upstream: Upstream;
  readonly #host: ExchangeHost;

  constructor(client: ClientRequest, awaited: Awaited, upstream: Upstream, host: ExchangeHost) {
    this.#client = client;
    this.#awaited = awaited;
    this.#upstream = upstream;
    this.#host = host;
  }

  get status(): number | null {
    return this.#client.status;
  }

  get body(): string {
    return this.#client.answer?.body ?? "";
  }

  async end(): Promise<void> {
    await this.#host.until("the answer", () => this.#client.isOver);
    this.#host.note(messageLine("client", this.#client.answer));
    await this.#noteUpstream();
  }

  async stillWaits(ms: number): Promise<void> {
    await sleep(ms);
    if (this.#client.isOver) throw new Error("the request did not wait");
    this.#host.note("client: nothing yet");
  }

  async abandon(): Promise<void> {
    this.#client.abandon();
    await sleep(onTheWayMs);
    this.#host.note("client: gone");
    await this.#noteUpstream();
  }

  async #noteUpstream(): Promise<void> {
    const { arrival } = this.#awaited;
    if (arrival !== undefined && !arrival.isOver) await sleep(onTheWayMs);
    this.#upstream.forget(this.#awaited);
    this.#host.note(messageLine("upstream", arrival === undefined ? null : messageOf(arrival)));
  }
}
