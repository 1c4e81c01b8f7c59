import { requireFlag } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import type { Capabilities } from "../abi/capabilities.ts";
import { requireCapabilities } from "./known-names.ts";
import { parseDuration } from "../time/duration.ts";
import type { FailurePolicy, PluginOptions } from "./options.ts";

/** What a plugin's options say about failing and about what it may do. */
export interface PluginPolicy {
  /** What a failed VM means for new streams. */
  readonly failurePolicy: FailurePolicy;
  /** The older switch, which alone decides for streams that are open when the VM fails. */
  readonly failOpen: boolean;
  /** Least time between two loads under FAIL_RELOAD, in milliseconds. */
  readonly reloadBaseMs: number;
  readonly allowedCapabilities: Capabilities;
}

const reloadBaseMsMin = 2;
const reloadBaseDefault = "1s";

/**
 * E_OPTION for values Envoy refuses as well.
 *
 * Source: Envoy `source/extensions/common/wasm/wasm.cc` (PluginConfig).
 */
export function resolvePolicy(
  { failurePolicy, failOpen, reload, allowedCapabilities }: PluginOptions,
  of: (field: string) => string,
): PluginPolicy {
  requireFlag(of("failOpen"), failOpen);
  if (failOpen === true && failurePolicy !== undefined) {
    throw new MockHostError("E_OPTION", `${of("failOpen")} stands beside a failurePolicy`, {
      remedy: "set only one of them, as Envoy demands",
    });
  }
  if (reload !== undefined && failurePolicy !== "FAIL_RELOAD") {
    throw new MockHostError("E_OPTION", `${of("reload")} stands without FAIL_RELOAD`, {
      remedy: 'set failurePolicy: "FAIL_RELOAD" too, or leave reload out',
    });
  }
  return {
    failurePolicy: failurePolicy ?? (failOpen === true ? "FAIL_OPEN" : "FAIL_CLOSED"),
    failOpen: failOpen ?? false,
    reloadBaseMs: reloadBaseMsOf(reload?.baseInterval, of("reload.baseInterval")),
    allowedCapabilities: capabilitiesOf(allowedCapabilities, of("allowedCapabilities")),
  };
}

function reloadBaseMsOf(given: string | undefined, field: string): number {
  const baseMs = Math.floor(parseDuration(given ?? reloadBaseDefault, field) / 1e6);
  if (baseMs >= reloadBaseMsMin) return baseMs;
  throw new MockHostError("E_OPTION", `${field} is ${String(given)}`, {
    remedy: `give at least ${reloadBaseMsMin}ms; with less a real Envoy divides by zero at the first failure`,
  });
}

/** An empty list restricts nothing, as an empty map does in Envoy. */
function capabilitiesOf(given: readonly string[] | undefined, field: string): Capabilities {
  if (given === undefined) return undefined;
  requireCapabilities(field, given);
  return given.length === 0 ? undefined : new Set(given);
}
