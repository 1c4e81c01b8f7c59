import { MockEnvoy, type PluginOptions } from "../../../host-mock/index.ts";
import { Random } from "../../../host-mock/random.ts";
import { latin1 } from "../../../host-mock/state/bytes.ts";
import type { TraceEvent } from "../../../host-mock/trace/event.ts";
import { readable } from "../../../host-mock/trace/values.ts";
import { changedConfiguration } from "./configurations.ts";
import type { Bytes } from "./bytes-mutation.ts";
import { hangMsMax, within } from "./deadline.ts";
import { parsed } from "./json-mutation.ts";
import { checkAlive, pagesOf, vmsOf } from "./vital-signs.ts";

export interface ReconfigurationOptions {
  readonly plugin: PluginOptions;
  readonly seed: number;
  readonly pagesMax: number;
  readonly hangMs?: number;
}

export interface ReconfigurationTally {
  given: number;
  accepted: number;
  refused: number;
  /** Of the refused ones, those that are not JSON. */
  notJson: number;
  /** Different reasons of refusals, with what varies left out. */
  readonly reasons: Set<string>;
  pages: number;
}

const sound = { collector: "collector", leaseMs: 5_000, tickMs: 1_000, reportMs: 4_000 };
const batchSize = 500;
/** Old contexts are gone after this. */
const drainMs = 50;
/** As deep as the SDK's reader goes. JavaScript's goes deeper. */
const depthMax = 256;

/**
 * A live plugin on three threads that is given one configuration after the other. Throws at the
 * first thing that must not be: a trap, a hang, more memory than allowed; a refusal without exactly
 * one line at error; an acceptance with one; text that is not JSON accepted; JSON taken for none; a
 * thread that serves with another configuration than the one accepted last; contexts that stay.
 */
export class Reconfigurations {
  readonly envoy: MockEnvoy;
  readonly tally: ReconfigurationTally;
  readonly #options: ReconfigurationOptions;
  readonly #random: Random;
  /** Lines by configuration. */
  readonly #refusals = new Map<string, string>();
  #last: Uint8Array = new Uint8Array(0);
  #serving: Uint8Array = new Uint8Array(Buffer.from(JSON.stringify(sound)));

  constructor(options: ReconfigurationOptions) {
    this.#options = options;
    this.#random = new Random(options.seed, "configurations");
    this.tally = { given: 0, accepted: 0, refused: 0, notJson: 0, reasons: new Set(), pages: 0 };
    this.envoy = new MockEnvoy({
      concurrency: 2,
      seed: options.seed,
      drain: `${drainMs}ms`,
      plugins: [{ ...options.plugin, configuration: this.#serving }],
      clusters: { collector: { status: 204, delay: "5ms" } },
      undeclaredClusters: "allow",
    });
    this.envoy.advance("1s");
  }

  /** Gives so many configurations. */
  run(count: number): ReconfigurationTally {
    const { hangMs = hangMsMax, pagesMax } = this.#options;
    while (this.tally.given < count) {
      const wanted = Math.min(count, this.tally.given + batchSize);
      within(
        hangMs,
        () => this.#place(),
        () => this.#batch(wanted),
      );
      this.tally.pages = Math.max(this.tally.pages, ...pagesOf(this.envoy));
      if (this.tally.pages > pagesMax) {
        throw new Error(`${this.tally.pages} pages of memory: ${this.#place()}`);
      }
    }
    return this.tally;
  }

  #batch(wanted: number): void {
    while (this.tally.given < wanted) {
      this.#give(changedConfiguration(this.#random));
      // Old generations overlap with new ones, and now and then all of them are gone.
      if (this.#random.below(8) === 0) this.envoy.advance(`${this.#random.below(60)}ms`);
      if (this.#random.below(64) === 0) this.#serve();
    }
    this.envoy.advance(`${2 * drainMs}ms`);
    this.#serve();
    this.#checkContexts();
    checkAlive(this.envoy, () => this.#place());
  }

  #give(configuration: Bytes): void {
    this.#last = configuration;
    this.tally.given++;
    const since = this.envoy.trace.length;
    const isAccepted = this.envoy.reconfigure(this.#options.plugin.name, configuration, {});
    const events = this.envoy.trace.slice(since);
    const trap = events.find(({ event }) => event === "trap");
    if (trap !== undefined) throw new Error(`${trap.vm} trapped: ${this.#place()}`);
    const errors = errorLines(events);
    // One that was refused before is refused again without being tried.
    const known = this.#refusals.get(latin1(configuration));
    const isTried = !isAccepted && known === undefined;
    if (errors.length !== (isTried ? 1 : 0)) {
      const what = isAccepted ? "accepted" : "refused";
      throw new Error(`${what} with ${errors.length} error lines: ${this.#place()}`);
    }
    if (isAccepted) this.#accepted(configuration);
    else this.#refused(configuration, known ?? errors[0]!);
  }

  #accepted(configuration: Bytes): void {
    this.tally.accepted++;
    this.#serving = configuration;
    if (parsed(configuration) === undefined) {
      throw new Error(`accepted, and is not JSON: ${this.#place()}`);
    }
  }

  #refused(configuration: Bytes, line: string): void {
    this.tally.refused++;
    this.#refusals.set(latin1(configuration), line);
    this.tally.reasons.add(line.replaceAll(/\d+/g, "N"));
    const json = parsed(configuration);
    if (json === undefined) this.tally.notJson++;
    else if (/not JSON/.test(line) && !(/levels/.test(line) && isDeep(configuration))) {
      throw new Error(`taken for no JSON: ${line}: ${this.#place()}`);
    }
  }

  /** Every worker answers, through a context that has the configuration accepted last. */
  #serve(): void {
    for (const thread of this.envoy.threads.slice(1)) {
      this.envoy.advance("1ms");
      const exchange = thread.request({ path: "/" });
      if (exchange.done && exchange.status === 200) continue;
      throw new Error(`${thread.name} does not serve: ${this.#place()}`);
    }
    for (const { name, handles } of this.envoy.threads) {
      const [inUse] = [...handles.values()].map(({ root }) => root?.parts.configuration);
      if (inUse !== undefined && Buffer.from(inUse).equals(this.#serving)) continue;
      throw new Error(`${name} has another configuration: ${this.#place()}`);
    }
  }

  #checkContexts(): void {
    for (const { name, contexts } of vmsOf(this.envoy)) {
      if (contexts.size === 1) continue;
      throw new Error(`${contexts.size} contexts in ${name} after the drain: ${this.#place()}`);
    }
  }

  #place(): string {
    const text = readable(this.#last);
    return `configuration ${this.tally.given} of seed ${this.#options.seed}, ${text.slice(0, 300)}`;
  }
}

/** Lines at error of plugins; the host's own about a trap and a refusal are of that level, too. */
function errorLines(events: readonly TraceEvent[]): string[] {
  return events
    .filter(({ event, name }) => event === "log" && (name === "error" || name === "critical"))
    .filter(({ args }) => args["host"] !== true)
    .map(({ args }) => readable(args["message"]));
}

/** Whether more brackets are opened than the reader keeps: not all of them need be open at once. */
function isDeep(bytes: Uint8Array): boolean {
  return bytes.filter((byte) => byte === 0x5b || byte === 0x7b).length > depthMax;
}
