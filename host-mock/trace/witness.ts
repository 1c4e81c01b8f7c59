import type { TraceEvent } from "./event.ts";
import type {
  Leadership,
  LeadershipEnd,
  Turn,
  WitnessKind,
  WitnessStatement,
} from "./leadership.ts";
import { HostEvent } from "./names.ts";
import { concerns } from "./shared-vm.ts";
import { Roots } from "./roots.ts";
import { leaseClaim, logClaim, type WitnessReader } from "./witness-reader.ts";

/** A leadership while nobody knows yet how long it lasts. */
interface Reign extends Omit<Leadership, "untilNs" | "end"> {
  promiseNs: number;
  closed: { readonly atNs: number; readonly end: LeadershipEnd } | null;
}

export interface WitnessOptions {
  readonly plugin: string;
  readonly witness: WitnessKind;
}

/**
 * Follows one plugin's election, event by event in trace order. A leadership lasts from its claim to the earliest of
 * its last promise, its stop, a crash or trap of its VM, and the end of the run; a renewal extends it, a new term of
 * the same context opens a new one, a pause does not end it. A claim whose promise is already over when it is written
 * never was a leadership and is left out.
 *
 * Each event costs a constant time plus the number of contexts that lead at that moment.
 */
export class Witness {
  readonly #plugin: string;
  readonly #read: WitnessReader;
  readonly #roots = new Roots();
  readonly #reigns: Reign[] = [];
  /** Claims and stops in the order of their lines. A lease is claimed by each set and stopped by nobody: it has none. */
  readonly turns: Turn[] = [];
  /** Reigns that no event has closed yet, by context; some may have run out meanwhile. */
  readonly #open = new Map<string, Reign>();

  constructor(options: WitnessOptions) {
    this.#plugin = options.plugin;
    this.#read = options.witness === "log" ? logClaim : leaseClaim;
  }

  feed(event: TraceEvent): void {
    this.#roots.feed(event);
    const lost = endOfVm(event);
    if (lost !== null) this.#closeVm(event, lost);
    if (event.plugin !== this.#plugin || (event.event !== "log" && event.event !== "call")) return;
    const context = this.#roots.of(event);
    const key = `${event.vm} ${context}`;
    const statement = this.#read(event, this.#open.get(key)?.id);
    if (statement === null) return;
    const { kind, term } = statement;
    if (event.event === "log" && kind !== "renew")
      this.turns.push(turnOf(event, context, kind, term));
    if (statement.kind === "stop") this.#stop(key, event.atNs, statement);
    else this.#promise(key, context, event, statement);
  }

  /** @internal Reigns that are still followed: who leads, and who did a moment ago. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Who leads at this instant; of two, the one with the higher term. */
  leader(nowNs: number): Leadership | null {
    let best: Reign | null = null;
    for (const reign of this.#open.values()) {
      if (reign.promiseNs <= nowNs) continue;
      if (best === null || (reign.term ?? 0n) > (best.term ?? 0n)) best = reign;
    }
    return best === null ? null : settled(best, nowNs);
  }

  /** All leaderships in the order of their claims, as they stand at this instant. */
  history(nowNs: number): Leadership[] {
    return this.#reigns.map((reign) => settled(reign, nowNs));
  }

  #promise(
    key: string,
    context: number,
    event: TraceEvent,
    made: WitnessStatement & { kind: "claim" | "renew" },
  ): void {
    const open = this.#open.get(key);
    // A renewal begun inside the promise extends it even if a slow host call carried it past the promise's end.
    const isSame = open !== undefined && open.term === made.term && open.id === made.id;
    if (isSame && Math.min(made.sinceNs, event.atNs) < open.promiseNs) {
      open.promiseNs = Math.max(open.promiseNs, made.untilNs);
      return;
    }
    if (open !== undefined) this.#close(key, open, event.atNs, "replaced");
    if (made.untilNs <= event.atNs) return;
    this.#dropExpired(event.atNs);
    const reign: Reign = {
      thread: event.thread,
      vm: event.vm,
      plugin: event.plugin,
      context,
      id: made.id,
      term: made.term,
      fromNs: event.atNs,
      promiseNs: made.untilNs,
      closed: null,
    };
    this.#reigns.push(reign);
    this.#open.set(key, reign);
  }

  #stop(key: string, atNs: number, stop: WitnessStatement & { kind: "stop" }): void {
    const open = this.#open.get(key);
    if (open !== undefined && open.term === stop.term) this.#close(key, open, atNs, stop.reason);
  }

  #closeVm(event: TraceEvent, end: LeadershipEnd): void {
    for (const [key, reign] of this.#open) {
      const isHit = event.vm === "" ? reign.thread === event.thread : reign.vm === event.vm;
      if (isHit && concerns(event, reign.plugin)) this.#close(key, reign, event.atNs, end);
    }
  }

  #close(key: string, reign: Reign, atNs: number, end: LeadershipEnd): void {
    reign.closed =
      reign.promiseNs <= atNs ? { atNs: reign.promiseNs, end: "expired" } : { atNs, end };
    this.#open.delete(key);
  }

  #dropExpired(nowNs: number): void {
    for (const [key, reign] of this.#open) {
      // A slow renewal may still extend the newest reign of a context, so only long-gone promises are dropped.
      if (reign.promiseNs + forgetAfterNs <= nowNs) this.#close(key, reign, nowNs, "expired");
    }
  }
}

function turnOf(
  { thread, vm, plugin, atNs }: TraceEvent,
  context: number,
  kind: Turn["kind"],
  term: bigint | null,
): Turn {
  return { kind, thread, vm, plugin, context, term, atNs };
}

/** Longer than any callback: after it no renewal can have begun inside the promise. */
const forgetAfterNs = 60_000_000_000;

function settled(reign: Reign, nowNs: number): Leadership {
  const { thread, vm, plugin, context, id, term, fromNs, promiseNs, closed } = reign;
  const subject = { thread, vm, plugin, context, id, term, fromNs };
  if (closed !== null) return { ...subject, untilNs: closed.atNs, end: closed.end };
  if (promiseNs <= nowNs) return { ...subject, untilNs: promiseNs, end: "expired" };
  return { ...subject, untilNs: nowNs, end: "running" };
}

function endOfVm(event: TraceEvent): LeadershipEnd | null {
  if (event.event === "trap") return "trapped";
  if (event.event === "fault")
    return event.name === "crash" && event.status === "applied" ? "crashed" : null;
  if (event.event !== "timer" || event.name !== HostEvent.vmGone) return null;
  return event.args["reason"] === "crashed" ? "crashed" : null;
}

export interface LeadershipsOptions extends WitnessOptions {
  /** The end of the run. */
  readonly endNs: number;
}

/** The leaderships of one plugin in a whole trace, in the order of their claims. */
export function leaderships(
  events: Iterable<TraceEvent>,
  options: LeadershipsOptions,
): Leadership[] {
  const witness = new Witness(options);
  for (const event of events) witness.feed(event);
  return witness.history(options.endNs);
}
