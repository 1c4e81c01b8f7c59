import type { HttpCall } from "../trace/http-calls.ts";
import { readable } from "../trace/values.ts";
import { always, both, sometimes, type Breach } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

export interface NoStaleEffectOptions {
  readonly cluster: string;
  /** The header that carries the fencing token; any case. */
  readonly header: string;
}

/**
 * In the order of arrival at the receiver (equal instants in the order of dispatch) the term never goes down, and two contexts
 * never share one. A call without the header, or with something else than one integer, is a violation. What the receiver's
 * fence refused had no effect and is not judged; if nothing is left to judge, the property fails.
 */
export function noStaleEffect(
  calls: readonly HttpCall[],
  options: NoStaleEffectOptions,
): Judgement {
  const effects = calls
    .filter((call) => call.cluster === options.cluster)
    .flatMap((call): HttpCall[] => [call, ...call.repeats.map((again) => ({ ...call, ...again }))])
    .filter((call) => call.arrivedNs !== null && !call.isRefused)
    .sort((one, other) => (one.arrivedNs ?? 0) - (other.arrivedNs ?? 0));
  const breaches: Breach[] = [];
  let highest: { readonly term: bigint; readonly call: HttpCall } | null = null;
  for (const call of effects) {
    const text = headerOf(call, options.header);
    const term = text === null ? null : integer(text);
    if (term === null) {
      const what =
        text === null
          ? `without ${options.header}`
          : `whose ${options.header} ${JSON.stringify(text)} is no integer`;
      breaches.push(breach(call, `a call of ${from(call)} arrives ${what}`));
    } else if (highest !== null && term < highest.term) {
      const before = `after term ${highest.term} of ${highest.call.vm}`;
      breaches.push(breach(call, `a call of ${from(call)} with term ${term} arrives ${before}`));
    } else if (highest !== null && term === highest.term && !isSameContext(call, highest.call)) {
      const other = `${highest.call.vm}, context ${highest.call.root}`;
      breaches.push(
        breach(
          call,
          `a call of ${from(call)}, context ${call.root}, arrives with term ${term}, which is ${other}'s`,
        ),
      );
    } else if (highest === null || term > highest.term) {
      highest = { term, call };
    }
  }
  const nothing = calls.some((call) => call.cluster === options.cluster)
    ? `no call to ${options.cluster} arrived and was accepted, so nothing was judged`
    : `no call to ${options.cluster}, so nothing was judged`;
  return both(always(breaches), sometimes(effects.length > 0, nothing));
}

function breach(call: HttpCall, what: string): Breach {
  const atNs = call.arrivedNs ?? call.atNs;
  const held = atNs > call.atNs ? ` (sent at ${time(call.atNs)})` : "";
  return { atNs, detail: `${what} at ${time(atNs)}${held}` };
}

function from(call: HttpCall): string {
  return call.vm;
}

function isSameContext(one: HttpCall, other: HttpCall): boolean {
  return one.vm === other.vm && one.plugin === other.plugin && one.root === other.root;
}

/** All values of a header, as HTTP joins them; null when there is none. */
export function headerOf(call: HttpCall, name: string): string | null {
  const wanted = name.toLowerCase();
  const values = call.headers
    .filter(([key]) => readable(key).toLowerCase() === wanted)
    .map(([, value]) => readable(value));
  return values.length === 0 ? null : values.join(", ");
}

function integer(text: string): bigint | null {
  return /^[+-]?\d+$/.test(text) ? BigInt(text) : null;
}
