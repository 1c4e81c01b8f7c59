interface Wish {
  readonly callback: string;
  readonly plugin: string | undefined;
}

/** Callbacks of a thread that are to trap when they come. */
export class TrapWishes {
  #wishes: Wish[] = [];

  /** Without a plugin: of any. */
  add(callback: string, plugin: string | undefined): void {
    this.#wishes.push({ callback, plugin });
  }

  /** Whether this callback is to trap; the wish is used up then. */
  take(callback: string, plugin: string): boolean {
    if (this.#wishes.length === 0) return false;
    const at = this.#wishes.findIndex(
      (wish) => wish.callback === callback && (wish.plugin === undefined || wish.plugin === plugin),
    );
    if (at < 0) return false;
    this.#wishes.splice(at, 1);
    return true;
  }

  clear(): void {
    this.#wishes = [];
  }
}
