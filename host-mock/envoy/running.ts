import type { Context } from "./context.ts";

/** A callback under way. */
export interface Running {
  readonly context: Context;
  /** Set by the guest in it. */
  effective: Context | undefined;
  readonly callback: string;
  readonly isTraced: boolean;
  /** What comes after it; undefined where its caller cannot wait for its end. */
  readonly after: (() => void) | undefined;
  /** The one inside which it runs. */
  readonly outer: Running | undefined;
}

/** What comes after a callback that nothing follows. */
export const nothing = (): void => undefined;
