/** The upstream of all HTTP listeners: knows which exchange a request belongs to, and does what that one says. */
import type { ProbeAnswer } from "../conformance/probe.ts";
import { HttpServer } from "./http-server.ts";
import type { Arrival } from "./http-server.ts";

/** An exchange that may reach the upstream. */
export interface Awaited {
  readonly method: string;
  readonly path: string;
  readonly answer: ProbeAnswer;
  arrival: Arrival | undefined;
}

export class Upstream {
  readonly #awaited: Awaited[] = [];
  #server: HttpServer | undefined;

  static async start(): Promise<Upstream> {
    const upstream = new Upstream();
    upstream.#server = await HttpServer.start((arrival, method, path) =>
      upstream.#choose(arrival, method, path),
    );
    return upstream;
  }

  get port(): number {
    return this.#server?.port ?? 0;
  }

  await(request: { method: string; path: string; answer: ProbeAnswer }): Awaited {
    const awaited: Awaited = { ...request, arrival: undefined };
    this.#awaited.push(awaited);
    return awaited;
  }

  /** The exchange is over: what arrives now is not its. */
  forget(awaited: Awaited): void {
    const at = this.#awaited.indexOf(awaited);
    if (at >= 0) this.#awaited.splice(at, 1);
  }

  stop(): void {
    this.#server?.stop();
  }

  /** The one that asked for this path; a plugin may have changed it, then the oldest one. */
  #choose(arrival: Arrival, method: string, path: string): ProbeAnswer | undefined {
    const open = this.#awaited.filter((one) => one.arrival === undefined);
    const chosen =
      open.find((one) => one.path === path && one.method === method) ??
      open.find((one) => one.path === path) ??
      open[0];
    if (chosen === undefined) return undefined;
    chosen.arrival = arrival;
    return chosen.answer;
  }
}
