/** What the words of a fault must name, and what stands against a trap. */
import { MockHostError } from "../errors.ts";
import { callbackTypes } from "../abi/callbacks.ts";
import { hostSignatures } from "../abi/signatures.ts";
import { Status, statusCode, type StatusCode } from "../abi/status.ts";
import { requireFunction, requireKeys, requireText, shown, unknownName } from "../did-you-mean.ts";
import type { Profile } from "../profiles/index.ts";
import { parseDuration } from "../time/duration.ts";
import type { FaultName } from "../trace/names.ts";
import type { Refusal } from "./call-rule.ts";
import type { Interposition } from "./interpose.ts";
import type { Thread } from "./thread.ts";

/** A call to be refused, in the words of a test; for so long, or so many times, or to the end of the run. */
export type RefuseOptions = Readonly<{
  call: string;
  status: string;
  for?: string;
  count?: number;
}>;

/** Calls to a cluster that are dispatched within a time. */
export type AnswerOptions = Readonly<{ cluster: string; for: string }>;

/** The same, with what is so much later. */
export type DelayOptions = AnswerOptions & Readonly<{ by: string }>;

/** E_UNKNOWN_NAME for a call or status that does not exist, E_OPTION for a count or duration that is none. */
export function refusalOf(options: RefuseOptions, nowNs: number): Refusal {
  requireKeys("refuse", options, ["call", "status", "for", "count"]);
  const { call, status, count } = options;
  const code = requireStatus(status);
  requireCall(call);
  requireCount("refuse: count", count);
  if (options.for !== undefined && count !== undefined) {
    throw new MockHostError("E_OPTION", "refuse is given both for and count", {
      remedy: "give one of them: so long, or so many times",
    });
  }
  const untilNs =
    options.for === undefined ? Infinity : nowNs + parseDuration(options.for, "refuse");
  return { call, code, untilNs, count: count ?? Infinity };
}

/** E_UNKNOWN_NAME for a call or plugin that does not exist, E_OPTION for the rest. */
export function requireInterposition(thread: Thread, interposition: Interposition): void {
  requireKeys("interpose", interposition, ["call", "plugin", "nth", "run"]);
  requireCall(interposition.call);
  if (interposition.plugin !== undefined) thread.world.plugin(interposition.plugin);
  requireCount("interpose: nth", interposition.nth);
  const given: Readonly<{ run: unknown }> = interposition;
  requireFunction("interpose: run", given.run, "give a function: run: () => …");
}

/** In nanoseconds. E_UNKNOWN_NAME for a cluster that does not exist, E_OPTION for the rest. */
export function answersOf(
  fault: FaultName,
  { world }: Thread,
  options: AnswerOptions,
  keys: readonly string[] = ["cluster", "for"],
): { readonly cluster: string; readonly untilNs: number } {
  requireKeys(fault, options, keys);
  requireText(`${fault}: cluster`, options.cluster);
  world.requireCluster(options.cluster);
  return {
    cluster: options.cluster,
    untilNs: world.nowNs + parseDuration(options.for, `${fault}: for`),
  };
}

/** The same with what is later. */
export function delayOf(fault: FaultName, thread: Thread, options: DelayOptions) {
  const checked = answersOf(fault, thread, options, ["cluster", "by", "for"]);
  return { ...checked, byNs: parseDuration(options.by, `${fault}: by`) };
}

/** E_UNKNOWN_NAME for what is no status. */
export function requireStatus(name: string): StatusCode {
  const code = typeof (name as unknown) === "string" ? statusCode(name) : undefined;
  if (code !== undefined) return code;
  throw unknownName("status", name, Object.keys(Status));
}

/** E_OPTION for what is given and no whole number of 1 or more. */
export function requireCount(what: string, count: number | undefined): void {
  if (count === undefined || (Number.isSafeInteger(count) && count >= 1)) return;
  throw new MockHostError("E_OPTION", `${what} is ${shown(count)}`, { remedy: "give 1 or more" });
}

/** E_UNKNOWN_NAME for what is no host call of the ABI. */
export function requireCall(name: string): void {
  const names = hostSignatures
    .filter(({ module }) => module === "env")
    .map((signature) => signature.name);
  if (!names.includes(name)) throw unknownName("host call", name, names);
}

/** E_UNKNOWN_NAME for what the host of this profile never calls. */
export function requireCallback(name: string, profile: Profile): void {
  const names = [...callbackTypes("0.2.1", profile.groups).keys()];
  if (!names.includes(name)) throw unknownName("callback", name, names);
}

/** Why no trap of this callback can be waited for on a thread; null when one can. */
export function whyNoTrap(
  thread: Thread,
  callback: string,
  plugin: string | undefined,
): string | null {
  if (!thread.isUp && willExport(thread, callback, plugin)) return null;
  for (const handle of thread.handles.values()) {
    if (handle.root === null || handle.root.owner.isDead()) continue;
    if (plugin !== undefined && handle.plugin.name !== plugin) continue;
    if (handle.root.owner.instance.has(callback)) return null;
  }
  return `no living VM there exports ${callback}`;
}

/** Whether a VM that the thread's coming start-up makes has the callback. */
function willExport(thread: Thread, callback: string, wanted: string | undefined): boolean {
  return thread.world.plugins.some(
    (plugin) =>
      (wanted === undefined || plugin.name === wanted) &&
      thread.hasPlaceFor(plugin) &&
      plugin.group.has(callback),
  );
}
