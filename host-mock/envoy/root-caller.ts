import type { Lane } from "../http/scheduler.ts";
import type { RootContext } from "./root-context.ts";

/** A plugin context as the far ends of its calls see it: where an answer goes, and whether anybody is there. */
export abstract class RootCaller {
  protected readonly root: RootContext;

  constructor(root: RootContext) {
    this.root = root;
  }

  get id(): number {
    return this.root.id;
  }

  get lane(): Lane {
    return this.root.owner.thread;
  }

  /** Why no answer can be told any more; null while one can. */
  get unreachable(): string | null {
    return this.root.owner.whyDead ?? (this.root.isDeleted ? "deleted" : null);
  }
}
