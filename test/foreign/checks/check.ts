import type { ForeignName } from "../build.ts";

/** What is asserted of one foreign module, and how the page on compatibility tells it. */
export interface ModuleCheck {
  readonly module: ForeignName;
  /** One sentence without a full stop: what it was made to do. */
  readonly checked: string;
  /** Why the host does not run it as it is; absent: it does. */
  readonly unsupported?: string;
  /** Throws unless the module does it. */
  run(): void;
}
