/** Requests at a steady pace, each on a connection of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import { get } from "./http-client.ts";

export class Traffic {
  /** How often each status came; a request without an answer counts under its error's text. */
  readonly outcomes = new Map<string, number>();
  readonly #running: Promise<void>;
  #isStopping = false;

  constructor(port: () => number, everyMs: number) {
    this.#running = this.#send(port, everyMs);
  }

  /** Requests that were answered or failed. */
  get count(): number {
    return [...this.outcomes.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Stops sending; resolves when the last answer is in. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  async #send(port: () => number, everyMs: number): Promise<void> {
    const open = new Set<Promise<void>>();
    while (!this.#isStopping) {
      const one = this.#one(port()).finally(() => open.delete(one));
      open.add(one);
      await sleep(everyMs);
    }
    await Promise.all(open);
  }

  async #one(port: number): Promise<void> {
    const outcome = await get(port, "/shop").then(
      ({ status }) => String(status),
      (error: unknown) => String(error),
    );
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }
}
