import { Texts } from "./texts.ts";

/** A cluster that guests call, and how the effects of a call there are told apart. */
export interface ReceiverOptions {
  readonly cluster: string;
  /** The header with the term. */
  readonly header: string;
  /** The header with the caller's id; undefined: ids are not looked at. */
  readonly idHeader: string | undefined;
  /** It refuses what is stale, and then nothing has happened. */
  readonly hasFence: boolean;
}

/** What a call carries: term and id, as they stand. */
interface Stamp {
  readonly term: bigint | undefined;
  readonly id: string;
}

export type Reception = "accepted" | "refused" | "stale";

/**
 * The receivers of calls as numbers: the state of each is the highest stamp it has accepted, 0 before the first.
 */
export class Receivers {
  readonly options: readonly ReceiverOptions[];
  readonly #texts = new Texts();
  readonly #stamps: Stamp[] = [];

  constructor(options: readonly ReceiverOptions[]) {
    this.options = options;
    // Number 0 is taken by "nothing yet".
    this.stampOf("", "");
  }

  indexOf(cluster: string): number {
    return this.options.findIndex((receiver) => receiver.cluster === cluster);
  }

  stampOf(term: string, id: string): number {
    const number = this.#texts.numberOf(`${term}\n${id}`);
    if (this.#stamps[number] === undefined) {
      const isInteger = /^[+-]?\d+$/.test(term);
      this.#stamps[number] = { term: isInteger ? BigInt(term) : undefined, id };
    }
    return number;
  }

  /** The same stamp with other names of guests. */
  renamed(stamp: number, rename: (text: string) => string): number {
    if (stamp === 0) return 0;
    const [term, id] = this.#texts.textOf(stamp).split("\n") as [string, string];
    return this.stampOf(term, rename(id));
  }

  /** What becomes of a call with this stamp at a receiver that has accepted `last`. */
  receive(receiver: number, last: number, stamp: number): Reception {
    const { hasFence, idHeader } = this.options[receiver]!;
    const { term, id } = this.#stamps[stamp]!;
    if (term === undefined) return hasFence ? "refused" : "stale";
    if (last === 0) return "accepted";
    const before = this.#stamps[last]!;
    const isLower = term < before.term!;
    const isTied = term === before.term && idHeader !== undefined && id !== before.id;
    if (!isLower && !isTied) return "accepted";
    return hasFence ? "refused" : "stale";
  }
}
