import type { RunFacts } from "../../properties/facts.ts";
import type { Leadership } from "../../trace/leadership.ts";
import { TermNames } from "../term-names.ts";

/** The colour numbers and short names of leaderships: one for each term, or for each leadership without a term. */
export class Tones {
  readonly #tones = new Map<Leadership, number>();
  readonly #labels = new Map<Leadership, string>();
  readonly #holders = new Map<string, { readonly tone: number; readonly label: string }>();

  constructor(facts: RunFacts) {
    for (const all of facts.leaderships.values()) {
      const names = new TermNames(all);
      const tones = new Map<string, number>();
      for (const one of all) {
        const name = names.of(one);
        const key = name === "" ? `${one.vm} ${one.id}` : name;
        const tone = tones.get(key) ?? tones.size;
        tones.set(key, tone);
        this.#tones.set(one, tone);
        this.#labels.set(one, name === "" ? `L${tone + 1}` : name);
        const holder = { tone, label: `${one.thread} ${this.label(one)}` };
        this.#holders.set(holderKey(one.plugin, one.id, one.term), holder);
        this.#holders.set(holderKey(one.plugin, one.id, null), holder);
      }
    }
  }

  of(leadership: Leadership): number {
    return this.#tones.get(leadership) ?? -1;
  }

  /** `T1` */
  label(leadership: Leadership): string {
    return this.#labels.get(leadership) ?? "";
  }

  /** Whose record a value is: colour and `worker_0 T1`; undefined for what names no leader that there was. */
  holder(plugin: string, value: string): { tone: number; label: string } | undefined {
    const id = /"vmID":"([^"]*)"/.exec(value)?.[1] ?? /"by":"([^"]*)"/.exec(value)?.[1];
    if (id === undefined || id === "") return undefined;
    const term = /"term":(\d+)/.exec(value)?.[1];
    return (
      this.#holders.get(holderKey(plugin, id, term === undefined ? null : BigInt(term))) ??
      this.#holders.get(holderKey(plugin, id, null))
    );
  }
}

function holderKey(plugin: string, id: string, term: bigint | null): string {
  return `${plugin} ${id} ${term ?? ""}`;
}
