import { Status, type StatusCode } from "../abi/status.ts";

/** Who is told of a queue's elements: the last registrant. */
export interface QueueTarget<Owner> {
  /** The VM that registered, as the host around the store knows it. */
  readonly owner: Owner;
  /** Its root context. */
  readonly rootId: number;
}

interface Queue<Owner> {
  readonly vmId: string;
  readonly key: string;
  readonly elements: Uint8Array[];
  /** Undefined once its VM is gone: nobody is told. */
  target: QueueTarget<Owner> | undefined;
}

/**
 * The shared queues of one process, named by (vm_id, name). Tokens are process-wide: 1, 2, …
 * Registering again keeps token and elements and only moves the notification to the caller.
 *
 * Source: proxy-wasm-cpp-host `src/shared_queue.cc`.
 */
export class SharedQueues<Owner = unknown> {
  /** Called once for each enqueue; the host posts `proxy_on_queue_ready` to the target's thread. */
  onReady: ((token: number, target: QueueTarget<Owner>) => void) | undefined;
  readonly #queues = new Map<number, Queue<Owner>>();
  readonly #tokens = new Map<string, number>();
  #nextToken = 1;

  /** Creates or opens a queue; its token. The name is a binary string. */
  register(vmId: string, name: string, target: QueueTarget<Owner>): number {
    const key = JSON.stringify([vmId, name]);
    const known = this.#tokens.get(key);
    if (known !== undefined) {
      this.#queues.get(known)!.target = target;
      return known;
    }
    const token = this.#nextToken++;
    this.#tokens.set(key, token);
    this.#queues.set(token, { vmId, key, elements: [], target });
    return token;
  }

  /** The token of a queue, whoever asks; undefined: nobody registered it yet. */
  resolve(vmId: string, name: string): number | undefined {
    return this.#tokens.get(JSON.stringify([vmId, name]));
  }

  /** Appends; NotFound for an unknown token. Takes the array as its own. */
  enqueue(token: number, value: Uint8Array): StatusCode {
    const queue = this.#queues.get(token);
    if (queue === undefined) return Status.NotFound;
    queue.elements.push(value);
    if (queue.target !== undefined) this.onReady?.(token, queue.target);
    return Status.Ok;
  }

  /** Takes the first element; NotFound for an unknown token, Empty when there is none. */
  dequeue(token: number): { readonly status: StatusCode; readonly value?: Uint8Array } {
    const queue = this.#queues.get(token);
    if (queue === undefined) return { status: Status.NotFound };
    const value = queue.elements.shift();
    return value === undefined ? { status: Status.Empty } : { status: Status.Ok, value };
  }

  /** The owner is gone and is told of nothing any more; its queues stay. */
  forget(owner: Owner): void {
    for (const queue of this.#queues.values())
      if (queue.target?.owner === owner) queue.target = undefined;
  }

  /** Deletes the queues of a vm_id; their tokens are unknown from then on. The number of queues. */
  wipe(vmId: string): number {
    let count = 0;
    for (const [token, queue] of this.#queues) {
      if (queue.vmId !== vmId) continue;
      this.#queues.delete(token);
      this.#tokens.delete(queue.key);
      count++;
    }
    return count;
  }
}
