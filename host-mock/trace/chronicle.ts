/** Things of one kind in the order of their beginnings, numbered from 1. What is forgotten is not counted again. */
export class Chronicle<T> {
  readonly entries: T[] = [];
  #count = 0;

  /** The number of the next one. */
  nextId(): number {
    return ++this.#count;
  }

  add(entry: T): void {
    this.entries.push(entry);
  }

  /** Drops those that are over; the others stay in their order. */
  forget(isOver: (entry: T) => boolean): void {
    const going = this.entries.filter((entry) => !isOver(entry));
    this.entries.length = 0;
    this.entries.push(...going);
  }
}
