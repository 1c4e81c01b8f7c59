/** Requests whose path is a command to the candidate on that thread, and pauses inside its passes. */
import type { MockEnvoy } from "../../../host-mock/index.ts";

export interface State {
  readonly leads: boolean;
  readonly term: number;
  readonly remaining: number;
  readonly id: string;
}

/** What a candidate with work says of itself besides. */
export interface WorkState extends State {
  readonly mayGoOn: boolean;
  readonly workRemaining: number;
}

/** Sends a command; the thread must be able to answer now. */
export function command(envoy: MockEnvoy, thread: string, path: string): unknown {
  const exchange = envoy.thread(thread).request({ path });
  if (!exchange.done) throw new Error(`${thread} does not answer ${path}`);
  return JSON.parse(exchange.text());
}

/** One pass more; answers what the candidate says of itself then. */
export function pass(envoy: MockEnvoy, thread: string): State {
  return command(envoy, thread, "/pass") as State;
}

/** What the candidate says of itself. */
export function stateOf(envoy: MockEnvoy, thread: string): State {
  return command(envoy, thread, "/state") as State;
}

/** Asks a thread that stands still: the answer is there once it moves again, before its ticks are. */
export function askLater(envoy: MockEnvoy, thread: string): () => State {
  const exchange = envoy.thread(thread).request({ path: "/state" });
  return () => JSON.parse(exchange.text()) as State;
}

export const FencedOutcome = { Ok: 0, Fenced: 1, NotLeader: 2, Busy: 3 } as const;

/** Asks whether it leads and then writes the cell; an outcome, or "does not lead". */
export function fencedSet(envoy: MockEnvoy, thread: string, data: string): unknown {
  return command(envoy, thread, `/fenced-set?${data}`);
}

/** A host call of a thread, from now on: the `nth` of that name, or whatever comes right after that one. */
export interface Moment {
  readonly thread: string;
  readonly call: string;
  readonly nth?: number;
  readonly isAfter?: boolean;
}

/**
 * Does something right before a host call is carried out, once. Commands run outside the loop of the mock, so time may
 * pass meanwhile and other threads may run: the call waits. An answer is given in the call's place.
 */
export function before(envoy: MockEnvoy, at: Moment, run: () => number | undefined): void {
  let left = at.nth ?? 1;
  let isOver = false;
  envoy.thread(at.thread).rules.push({
    answer: (call) => {
      if (isOver || (left > 0 && call !== at.call)) return undefined;
      if (left > 0 && (--left > 0 || at.isAfter === true)) return undefined;
      isOver = true;
      return run();
    },
  });
}

/** The thread stands still right before that call, for so long; the others go on. */
export function stopBefore(
  envoy: MockEnvoy,
  at: Moment,
  duration: string,
  meanwhile: () => void = () => undefined,
): void {
  before(envoy, at, () => {
    envoy.thread(at.thread).pause(duration);
    envoy.advance(duration);
    meanwhile();
    return undefined;
  });
}

export const get = "proxy_get_shared_data";
export const set = "proxy_set_shared_data";
