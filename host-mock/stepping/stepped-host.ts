import { CallRing } from "../abi/call-ring.ts";
import type { CallRule, ProcessState, VmHost } from "../abi/vm-host.ts";
import { MockHostError } from "../errors.ts";
import { Metrics } from "../state/metrics.ts";
import { SharedQueues } from "../state/shared-queue.ts";
import type { TraceSubject } from "../trace/event.ts";
import { Recorder } from "../trace/recorder.ts";
import type { Instance } from "../vm/instance.ts";
import type { AnsweredData } from "./answered-data.ts";
import { fillRandom } from "./identities.ts";
import type { SteppedClock } from "./stepped-clock.ts";
import { SteppedContext } from "./stepped-context.ts";
import type { SteppedPlugin } from "./stepped-plugin.ts";

/** Answered from what all guests of all branches of a search have left behind. */
const unsteppable: ReadonlySet<string> = new Set([
  "proxy_get_metric",
  "proxy_register_shared_queue",
  "proxy_resolve_shared_queue",
  "proxy_enqueue_shared_queue",
  "proxy_dequeue_shared_queue",
]);

/** debug: the witness lines are wanted. */
const logLevel = 1;

/** The host around one stepped guest: what `abi/` decodes and encodes goes to the answer that the search gives. */
export class SteppedHost implements VmHost {
  readonly process: ProcessState;
  readonly calls = new CallRing();
  readonly vmId: string;
  readonly vmConfiguration: Uint8Array;
  readonly environment: readonly (readonly [string, string])[];
  readonly rules: readonly CallRule[];
  readonly context: SteppedContext;
  readonly recorder: Recorder;
  /** The status of the next call, in its place. */
  refusedWith: number | undefined;
  /** It has drawn random bytes in which its names cannot be told from others. */
  hasOddNames = false;
  readonly #guest: number;
  readonly #subject: TraceSubject;
  #instance: Instance | undefined;

  constructor(
    plugin: SteppedPlugin,
    guest: number,
    name: string,
    parts: { readonly clock: SteppedClock; readonly data: AnsweredData },
  ) {
    const { clock, data } = parts;
    this.#guest = guest;
    this.vmId = plugin.vmId;
    this.vmConfiguration = plugin.vmConfiguration;
    this.environment = plugin.environment;
    this.context = new SteppedContext(plugin, `${plugin.name} on ${name}`);
    this.recorder = new Recorder(clock);
    this.process = {
      sharedData: data,
      sharedQueues: new SharedQueues(),
      metrics: new Metrics(() => clock.nowNs, 5e9),
      clock,
      recorder: this.recorder,
      logLevel,
      callCostNs: 0,
    };
    this.#subject = {
      thread: name,
      vm: `${name}#1`,
      plugin: plugin.name,
      context: this.context.id,
    };
    this.rules = [{ answer: (call) => this.#before(call, name) }];
  }

  get instance(): Instance {
    return this.#instance!;
  }

  set instance(instance: Instance) {
    this.#instance = instance;
  }

  randomBytes(into: Uint8Array): void {
    const isNamed = fillRandom(into, this.#guest, this.context.counters.drawCount++);
    if (!isNamed) this.hasOddNames = true;
  }

  actingContext(): SteppedContext {
    return this.context;
  }

  setEffectiveContext(id: number): boolean {
    return id === 0 || id === this.context.id;
  }

  subject(): TraceSubject {
    return this.#subject;
  }

  #before(call: string, name: string): number | undefined {
    if (unsteppable.has(call)) {
      throw new MockHostError("E_UNSUPPORTED", `a stepped guest calls ${call}`, {
        place: `${this.context.pluginName} on ${name}`,
        remedy: "its answer depends on what other guests did, which a search does not follow yet",
      });
    }
    const status = this.refusedWith;
    this.refusedWith = undefined;
    return status;
  }
}
