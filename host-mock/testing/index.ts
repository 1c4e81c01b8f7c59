/** Vitest matchers: `import "proxy-wasm-as/testing"` in a test, or in vitest's `setupFiles`. */
import { expect } from "vitest";
import { matchers } from "./matchers.ts";

export type { ProxyWasmMatchers } from "./matcher-types.ts";
export { matchers, type CountRange, type Elections } from "./matchers.ts";

expect.extend(matchers);
