import { requireKeys } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { parseDuration } from "../time/duration.ts";
import type { TraceArgs } from "../trace/event.ts";
import type { FaultName } from "../trace/names.ts";
import { GuestHalted } from "../vm/trap.ts";
import type { AwaitedCall, WaitingFault } from "./call-points.ts";
import { requireCall, requireCount, requireStatus } from "./fault-checks.ts";
import type { Thread } from "./thread.ts";

/** A host call of a thread's VMs that is still to come. */
export interface CallPoint {
  /** Name of the host call. */
  readonly call: string;
  /** Calls of this plugin alone; of any when absent. */
  readonly plugin?: string;
  /** The first such call from now on (1, default), the second, … */
  readonly nth?: number;
  /** How long it is waited for; default: to the end of the run. */
  readonly within?: string;
}

/**
 * What can happen right before a host call is carried out. Each verb says whether it now waits for the call: not on a
 * dead thread. Its `fault` event comes with the call, and shows it; of a call that does not come, when the wait is
 * over.
 *
 *     envoy.thread("worker_0").before({ call: "proxy_set_shared_data", nth: 2 }).crash();
 */
export class BeforeCall {
  readonly #thread: Thread;
  readonly #at: AwaitedCall;
  readonly #where: TraceArgs;

  /** @internal E_UNKNOWN_NAME for a call or plugin that does not exist; E_OPTION. */
  constructor(thread: Thread, point: CallPoint) {
    requireKeys("before", point, ["call", "plugin", "nth", "within"]);
    const { call, plugin, nth, within } = point;
    requireCall(call);
    if (plugin !== undefined) thread.world.plugin(plugin);
    requireCount("before: nth", nth);
    const withinNs = within === undefined ? Infinity : parseDuration(within, "before: within");
    this.#thread = thread;
    this.#at = { call, plugin, nth: nth ?? 1, withinNs };
    this.#where = { thread: thread.name, before: call, nth: nth ?? 1 };
  }

  /** The thread crashes there: the guest never goes on, and nothing of it traps. The call is not made. */
  crash(options: { readonly restartAfter?: string } = {}, note?: TraceArgs): boolean {
    const { restartAfter } = options;
    const restartNs = restartAfter === undefined ? null : parseDuration(restartAfter, "crash");
    const given = restartAfter === undefined ? {} : { restart_after: restartAfter };
    return this.#wait("crash", note ?? { ...this.#where, ...given }, (_, shown) => {
      this.#thread.crash(shown, restartNs);
      throw new GuestHalted();
    });
  }

  /**
   * The thread stands still inside the callback, for so long; all others go on. Then the call is carried out and the
   * callback goes on. Only in callbacks of a root whose answer nobody waits for: proxy_on_tick,
   * proxy_on_http_call_response, proxy_on_queue_ready, proxy_on_redis_call_response, envoy_on_resolve_dns; elsewhere the
   * pause is not applied, and its event says why.
   *
   * E_OPTION unless the call is one of the option `pausePoints`.
   */
  pause(duration: string, note?: TraceArgs): boolean {
    const pauseNs = parseDuration(duration, "pause");
    requirePausePoint(this.#thread, this.#at.call);
    return this.#wait("pause", note ?? { ...this.#where, for: duration }, null, pauseNs);
  }

  /** That very call answers a status and touches no output. E_UNKNOWN_NAME for a status that does not exist. */
  refuse(status: string, note?: TraceArgs): boolean {
    const code = requireStatus(status);
    return this.#wait("refuse", note ?? { ...this.#where, status }, (_, shown) => {
      this.#record("refuse", shown);
      return code;
    });
  }

  /** The callback traps there. */
  trap(note?: TraceArgs): boolean {
    return this.#wait("trap", note ?? this.#where, (vm, shown) => {
      this.#record("trap", shown);
      return vm.trapHere();
    });
  }

  /** @internal Something else happens there, which records its own event. */
  run(name: FaultName, run: (note: TraceArgs) => void, note: TraceArgs): boolean {
    return this.#wait(name, note, (_, shown) => {
      run(shown);
      return undefined;
    });
  }

  #wait(name: FaultName, note: TraceArgs, strike: WaitingFault["strike"], pauseNs = 0): boolean {
    const { world } = this.#thread;
    world.open();
    if (!this.#thread.alive)
      return world.recordFault(name, note, this.#thread.name, "the thread is dead");
    this.#thread.points.add({ name, at: this.#at, note, strike, pauseNs });
    return true;
  }

  #record(name: FaultName, note: TraceArgs): void {
    this.#thread.world.recordFault(name, note, this.#thread.name, null);
  }
}

/** E_OPTION: the guests of this run are not made for it. */
function requirePausePoint({ world }: Thread, call: string): void {
  const { pausePoints } = world.options;
  if (pausePoints.has(`env.${call}`)) return;
  throw new MockHostError("E_OPTION", `a pause before ${call} is not prepared`, {
    remedy: `give MockEnvoy the option pausePoints: ["${call}"]`,
  });
}
