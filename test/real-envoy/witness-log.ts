/**
 * Reads Envoy's log, and the election witness in it, back into leaderships.
 *
 * Log lines have the form `[time][thread id][level][logger] text`; a plugin's text follows the prefix
 * `wasm log ROOT_ID VM_ID: `. The witness lines are those that docs/reference/witness.md fixes.
 */

export interface LogLine {
  /** 0 for a line without Envoy's head (a continuation). */
  readonly thread: number;
  readonly level: string;
  readonly logger: string;
  readonly text: string;
}

export function parseLogLine(line: string): LogLine {
  const head = /^\[[\d:.]+\]\[(\d+)\]\[(\w+)\]\[(\w+)\] ([^]*)$/.exec(line);
  const [, thread, level, logger, text] = head ?? [];
  if (thread === undefined || level === undefined || logger === undefined || text === undefined) {
    return { thread: 0, level: "", logger: "", text: line };
  }
  return { thread: Number(thread), level, logger, text };
}

interface WitnessBase {
  readonly thread: number;
  /** What Envoy put before the line: `wasm log ROOT_ID VM_ID: `. */
  readonly prefix: string;
  readonly term: bigint;
  readonly atNs: bigint;
  readonly id: string;
  readonly key: string;
}

export type WitnessLine =
  | (WitnessBase & { readonly verb: "claim" | "renew"; readonly untilNs: bigint })
  | (WitnessBase & { readonly verb: "stop"; readonly reason: string });

const marker = "proxy-wasm-as.election ";
const grammar =
  /^(?:(claim|renew) term=(\d+) at_ns=(\d+) until_ns=(\d+)|stop term=(\d+) at_ns=(\d+) reason=([\w-]+)) id=(\S+) key=([^]*)$/;

/** The witness lines in log order; a line that carries the marker and does not parse is an error. */
export function witnessLines(log: readonly LogLine[]): WitnessLine[] {
  return log.flatMap(({ text, thread }) => {
    const at = text.indexOf(marker);
    return at < 0
      ? []
      : [parseWitness(text.slice(at + marker.length), { thread, prefix: text.slice(0, at) })];
  });
}

function parseWitness(text: string, origin: { thread: number; prefix: string }): WitnessLine {
  const [, verb, term, atNs, untilNs, stopTerm, stopAtNs, reason, id, key] =
    grammar.exec(text) ?? [];
  if (id === undefined || key === undefined)
    throw new Error(`not a witness line: ${JSON.stringify(text)}`);
  if (term !== undefined && atNs !== undefined && untilNs !== undefined) {
    const kind = verb === "claim" ? "claim" : "renew";
    return {
      verb: kind,
      ...origin,
      term: BigInt(term),
      atNs: BigInt(atNs),
      untilNs: BigInt(untilNs),
      id,
      key,
    };
  }
  if (stopTerm === undefined || stopAtNs === undefined || reason === undefined) {
    throw new Error(`not a witness line: ${JSON.stringify(text)}`);
  }
  return {
    verb: "stop",
    ...origin,
    term: BigInt(stopTerm),
    atNs: BigInt(stopAtNs),
    reason,
    id,
    key,
  };
}

/** Half-open: from the claim to the earliest of stop line and last promise. */
export interface ObservedLeadership {
  readonly thread: number;
  readonly prefix: string;
  readonly id: string;
  readonly term: bigint;
  readonly key: string;
  readonly fromNs: bigint;
  readonly untilNs: bigint;
  /** The stop line's reason; null while it runs, or when it was never stopped. */
  readonly reason: string | null;
  /** Instants of the claim and every renewal. */
  readonly passesNs: readonly bigint[];
}

/**
 * Leaderships by context and term. A renewal of a leadership that was never claimed, or that comes after its
 * promise has ended or its stop line, is an error: the witness itself would be wrong.
 */
export function leaderships(lines: readonly WitnessLine[]): ObservedLeadership[] {
  const found = new Map<string, ObservedLeadership>();
  for (const line of lines) {
    const name = `${line.id} ${String(line.term)}`;
    const known = found.get(name);
    if (line.verb === "claim") {
      if (known !== undefined) throw new Error(`claimed twice: ${name}`);
      const { thread, prefix, id, term, key, atNs, untilNs } = line;
      const origin = { thread, prefix, id, term, key };
      found.set(name, { ...origin, fromNs: atNs, untilNs, reason: null, passesNs: [atNs] });
    } else {
      if (known === undefined) throw new Error(`${line.verb} without a claim: ${name}`);
      if (known.reason !== null) throw new Error(`${line.verb} after the stop: ${name}`);
      found.set(name, extend(known, line));
    }
  }
  return [...found.values()];
}

function extend(known: ObservedLeadership, line: WitnessLine): ObservedLeadership {
  if (line.verb === "stop") {
    const untilNs = line.atNs < known.untilNs ? line.atNs : known.untilNs;
    return { ...known, untilNs, reason: line.reason };
  }
  if (line.atNs >= known.untilNs)
    throw new Error(`renewed after its promise: ${known.id} ${String(known.term)}`);
  return {
    ...known,
    untilNs: line.untilNs,
    passesNs: [...known.passesNs, line.atNs],
  };
}

/** Pairs of leaderships of one key and different contexts that share an instant; none is what must hold. */
export function overlaps(
  all: readonly ObservedLeadership[],
): [ObservedLeadership, ObservedLeadership][] {
  const found: [ObservedLeadership, ObservedLeadership][] = [];
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      if (one.key !== other.key || one.id === other.id) continue;
      if (one.fromNs < other.untilNs && other.fromNs < one.untilNs) found.push([one, other]);
    }
  }
  return found;
}

/**
 * How much later than asked a tick may come on this machine: twice the worst lateness seen between the passes of a
 * leadership, and a fifth of a tick. A busy machine is late everywhere, so the run measures its own allowance.
 */
export function tickSlackNs(leadership: ObservedLeadership, tickNs: bigint): bigint {
  const { passesNs } = leadership;
  let worst = 0n;
  for (const [index, atNs] of passesNs.entries()) {
    const late = atNs - (passesNs[index - 1] ?? atNs) - tickNs;
    if (late > worst) worst = late;
  }
  return 2n * worst + tickNs / 5n;
}
