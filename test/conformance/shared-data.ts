/**
 * Shared data call by call, as steps that run on any host: the same requests to the guest `shared-data-probe` in a
 * real Envoy and in the mock, and a transcript of what it answered. A recorded transcript of a real Envoy stands in
 * `shared-data.transcript.txt`; version numbers are part of it.
 */
import type { BuildOptions } from "../support/build-guest.ts";

export const probe: BuildOptions = {
  entry: "test/guests/shared-data-probe/plugin.guest.ts",
  config: false,
  args: ["-O3", "--runtime", "incremental", "--exportStart", "_initialize", "--use", "abort="],
};

export interface ProbePlugin {
  readonly name: string;
  readonly vmId: string;
  /** Tells VMs of one vm_id apart. */
  readonly vmConfiguration: string;
}

/** A and A2 share a vm_id and not a VM; so do E1 and E2, whose vm_id is empty; B stands alone. */
export const plugins: readonly ProbePlugin[] = [
  { name: "A", vmId: "vm-a", vmConfiguration: "" },
  { name: "A2", vmId: "vm-a", vmConfiguration: "other" },
  { name: "B", vmId: "vm-b", vmConfiguration: "" },
  { name: "E1", vmId: "", vmConfiguration: "" },
  { name: "E2", vmId: "", vmConfiguration: "other" },
];

/** Answers a request to one plugin: the body of the local response. */
export type Ask = (plugin: string, path: string) => string | Promise<string>;

type Step = readonly [what: string, plugin: string, request: string];

const sentinel = "4294967294";
const highest = "4294967295";

const steps: readonly Step[] = [
  ["get of an absent key", "A", "get/k1"],
  ["set with cas 0, absent", "A", "set/k1/v/0"],
  ["the first version", "A", "get/k1"],
  ["set with cas 0, present: overwrites", "A", "set/k1/w/0"],
  ["the version after it", "A", "get/k1"],
  ["set of the same value", "A", "set/k1/w/0"],
  ["the version has grown all the same", "A", "get/k1"],
  ["set with a cas, absent: creates", "A", "set/k2/v/5"],
  ["it is there", "A", "get/k2"],
  ["set with a wrong cas, present", "A", "set/k2/x/999"],
  ["nothing has changed", "A", "get/k2"],
  ["set with the sentinel, absent: creates", "A", `set/k3/v/${sentinel}`],
  ["it is there", "A", "get/k3"],
  ["set with the sentinel, present", "A", `set/k3/w/${sentinel}`],
  ["nothing has changed", "A", "get/k3"],
  ["set with the highest cas, absent: creates", "A", `set/k4/v/${highest}`],
  ["set with the highest cas, present", "A", `set/k4/w/${highest}`],
  ["set of an empty value", "A", "set/k5/~/0"],
  ["an empty value is a null pointer", "A", "get/k5"],
  ["set of a null value", "A", "set-null/k6/~/0"],
  ["a null value is an empty value", "A", "get/k6"],
  ["an empty key is a key", "A", "set/~/empty-key/0"],
  ["it is there", "A", "get/~"],
  ["set with the right cas", "A", "set/k5/z/7"],
  ["it is there", "A", "get/k5"],
  ["the same cas again", "A", "set/k5/y/7"],
  ["a key of another case is another key", "A", "get/K5"],
  ["a large value", "A", "set-repeat/k7/200000/0"],
  ["all of it comes back", "A", "get/k7"],
  ["another vm_id does not see the key", "B", "get/k1"],
  ["it has a key of its own of that name", "B", "set/k1/from-b/0"],
  ["one counter serves the whole process", "B", "get/k1"],
  ["the first vm_id's key is as it was", "A", "get/k1"],
  ["another VM of the same vm_id sees it", "A2", "get/k1"],
  ["and may overwrite it with its cas", "A2", "set/k1/from-a2/3"],
  ["which the first one sees", "A", "get/k1"],
  ["an empty vm_id is a vm_id", "E1", "set/e/1/0"],
  ["which other VMs without one share", "E2", "get/e"],
  ["set with a key outside the memory", "A", "set-key-outside/~/v/0"],
  ["set with a value outside the memory", "A", "set-value-outside/k8/~/0"],
  ["nothing was stored", "A", "get/k8"],
  ["get with a key outside the memory", "A", "get-key-outside/~"],
];

/** What the steps after a change of A's plugin configuration ask: its VM and its data stay. */
const stepsAfterReconfigure: readonly Step[] = [
  ["plugin configuration replaced: data stays", "A", "get/k1"],
  ["and the counter goes on", "A", "set/k1/after/0"],
  ["from where it was", "A", "get/k1"],
];

/** Runs every step; `reconfigure` replaces A's plugin configuration in place. */
export async function transcript(
  ask: Ask,
  reconfigure: () => void | Promise<void>,
): Promise<string[]> {
  const lines: string[] = [];
  const run = async (some: readonly Step[]): Promise<void> => {
    for (const [what, plugin, request] of some) {
      const answer = await ask(plugin, `/${plugin}/${request}`);
      lines.push(`${what} | ${plugin} ${request} | ${answer}`);
    }
  };
  await run(steps);
  await reconfigure();
  await run(stepsAfterReconfigure);
  return lines;
}
