/** Names of host calls, WASI calls and callbacks that options may hold. */
import { callbackTypes } from "../abi/callbacks.ts";
import { hostSignatures, type HostGroup } from "../abi/signatures.ts";
import { nearestName, requireNames, unknownName } from "../did-you-mean.ts";
import { requireCall } from "./fault-checks.ts";

const groups: ReadonlySet<HostGroup> = new Set(["proxy-wasm", "envoy", "higress"]);

/** What a VM is started with and asked for memory by. */
const ofToolchains = [
  "_initialize",
  "_start",
  "main",
  "__main_void",
  "malloc",
  "proxy_on_memory_allocate",
];

/** What any module may import or export by name, whatever its version and profile. */
const known: readonly string[] = [
  ...new Set([
    ...hostSignatures.map(({ name }) => name),
    ...callbackTypes("0.1.0", groups).keys(),
    ...callbackTypes("0.2.1", groups).keys(),
    ...ofToolchains,
  ]),
];

/** Changed letters at which a name is a slip of the finger, and no name of another host's. */
const slipLetters = 2;

/** E_OPTION for no list of names, E_UNKNOWN_NAME for what the host never calls and nobody can call. */
export function requireTracedNames(called: string, names: readonly string[] | undefined): void {
  requireNames(called, names, 'give a list of names, as ["proxy_log", "proxy_on_tick"]');
  for (const name of names ?? []) {
    if (!known.includes(name)) throw unknownName("host call or callback", name, known);
  }
}

/** Host calls of plugins as imports; E_OPTION for no list of names, E_UNKNOWN_NAME for what is no host call. */
export function pausePointsOf(names: readonly string[] | undefined): ReadonlySet<string> {
  requireNames("pausePoints", names, 'give a list of names, as ["proxy_set_shared_data"]');
  for (const name of names ?? []) requireCall(name);
  return new Set((names ?? []).map((name) => `env.${name}`));
}

/**
 * E_OPTION for no list of names, E_UNKNOWN_NAME for a slip of the finger. Envoy takes any name, so one that is like no
 * other is let through: it allows nothing.
 */
export function requireCapabilities(called: string, names: readonly string[] | undefined): void {
  requireNames(
    called,
    names,
    'give a list of names of imports and exports, as ["proxy_log", "proxy_on_request_headers"]',
  );
  for (const name of names ?? []) {
    if (known.includes(name) || nearestName(name, known, slipLetters) === undefined) continue;
    throw unknownName("import or export", name, known);
  }
}
