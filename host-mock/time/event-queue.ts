/** What is due at one instant runs in this order: events of the file, start-up, answers, timers. */
export const EventClass = { file: 0, startUp: 1, answer: 2, timer: 3 } as const;

export type EventClassCode = (typeof EventClass)[keyof typeof EventClass];

export interface QueuedEvent<T> {
  /** Nanoseconds since the start of the run. */
  readonly dueNs: number;
  readonly class: EventClassCode;
  /** Order within one instant and class; drawn by the seed where the file does not say. */
  readonly tie: number;
  readonly run: T;
}

/** An event in the queue; what `push` gives and `cancel` takes. */
export interface EventHandle<T> extends QueuedEvent<T> {
  /** Order of `push`, the last word between equals. */
  readonly seq: number;
  /** False once it was taken out or cancelled. */
  readonly isQueued: boolean;
}

type Entry<T> = { -readonly [Field in keyof EventHandle<T>]: EventHandle<T>[Field] };

/**
 * A binary heap ordered by (dueNs, class, tie, seq). A cancelled event stays in the heap until it
 * reaches the top or more than half of the heap is cancelled.
 */
export class EventQueue<T> {
  #heap: Entry<T>[] = [];
  #size = 0;
  #seq = 0;

  /** Number of events that will still come. */
  get size(): number {
    return this.#size;
  }

  push(event: QueuedEvent<T>): EventHandle<T> {
    const { dueNs, tie, run } = event;
    const seq = this.#seq++;
    const entry: Entry<T> = { dueNs, class: event.class, tie, run, seq, isQueued: true };
    this.#size++;
    this.#heap.push(entry);
    this.#up(this.#heap.length - 1);
    return entry;
  }

  /** The next event, left in the queue. */
  peek(): EventHandle<T> | undefined {
    return this.#top();
  }

  /** Takes the next event out. */
  pop(): EventHandle<T> | undefined {
    const top = this.#top();
    if (top === undefined) return undefined;
    this.#removeTop();
    top.isQueued = false;
    this.#size--;
    return top;
  }

  /** False when the event has run, or was cancelled before. */
  cancel(handle: EventHandle<T>): boolean {
    if (!handle.isQueued) return false;
    (handle as Entry<T>).isQueued = false;
    this.#size--;
    if (this.#heap.length > 32 && this.#heap.length > 2 * this.#size) this.#rebuild();
    return true;
  }

  #top(): Entry<T> | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined || top.isQueued) return top;
      this.#removeTop();
    }
  }

  #rebuild(): void {
    this.#heap = this.#heap
      .filter(({ isQueued }) => isQueued)
      .sort((a, b) => (before(a, b) ? -1 : 1));
  }

  #removeTop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#down(0);
  }

  #up(from: number): void {
    const heap = this.#heap;
    const moved = heap[from]!;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!before(moved, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = moved;
  }

  #down(from: number): void {
    const heap = this.#heap;
    const moved = heap[from]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, moved)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }
}

function before<T>(a: EventHandle<T>, b: EventHandle<T>): boolean {
  if (a.dueNs !== b.dueNs) return a.dueNs < b.dueNs;
  if (a.class !== b.class) return a.class < b.class;
  if (a.tie !== b.tie) return a.tie < b.tie;
  return a.seq < b.seq;
}
