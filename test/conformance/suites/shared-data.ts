/** Shared data call by call: statuses, outputs, and the version numbers that one counter gives to all. */
import type { ProbeCase, ProbeHost, ProbeListener, ProbePlugin, ProbeSuite } from "../probe.ts";

/** A and A2 share a vm_id and not a VM; so do E1 and E2, whose vm_id is empty; B stands alone. */
const plugins: readonly ProbePlugin[] = [
  { name: "A", vmId: "vm-a" },
  { name: "A2", vmId: "vm-a", vmConfiguration: "other" },
  { name: "B", vmId: "vm-b" },
  { name: "E1", vmId: "" },
  { name: "E2", vmId: "", vmConfiguration: "other" },
];

const listeners: readonly ProbeListener[] = plugins.map(({ name }) => {
  return { name, plugins: [name], directResponse: { status: 200, body: "" } };
});

const sentinel = "4294967294";
const highest = "4294967295";

/** One request to one plugin, which makes these calls. */
const at = (host: ProbeHost, plugin: string, ...calls: readonly string[]): Promise<unknown> =>
  host.ask({ listener: plugin, script: `request_headers: ${calls.join("; ")}` });

const onA = (id: string, what: string, ...calls: readonly string[]): ProbeCase => {
  return { id, what, run: async (host) => void (await at(host, "A", ...calls)) };
};

const calls: readonly ProbeCase[] = [
  {
    ...onA("absent", "A get of an absent key touches no output.", "sget k1"),
    shows: [28],
  },
  {
    ...onA(
      "cas-zero",
      "A set with cas 0 creates and overwrites; each set gets a version, an equal value too.",
      ...["sset k1 v 0", "sget k1", "sset k1 w 0", "sget k1", "sset k1 w 0", "sget k1"],
    ),
    shows: [27],
  },
  {
    ...onA(
      "cas-on-absent",
      "A set with a cas creates an absent key.",
      ...["sset k2 v 5", "sget k2"],
    ),
    shows: [27],
  },
  onA(
    "wrong-cas",
    "A set with a wrong cas changes nothing of a present key.",
    ...["sset k2 x 999", "sget k2"],
  ),
  onA(
    "sentinel",
    "A cas that is never given out creates an absent key and leaves a present one.",
    ...[`sset k3 v ${sentinel}`, "sget k3", `sset k3 w ${sentinel}`, "sget k3"],
    ...[`sset k4 v ${highest}`, `sset k4 w ${highest}`],
  ),
  {
    ...onA(
      "empty-value",
      "An empty value and a null one are values: null pointers with a version.",
      ...["sset k5 ~ 0", "sget k5", "sset k6 ^null 0", "sget k6"],
    ),
    shows: [28],
  },
  onA("empty-key", "An empty key is a key.", "sset ~ empty-key 0", "sget ~"),
  onA(
    "right-cas",
    "A set with the right cas is done once.",
    ...["sset k5 z 7", "sget k5", "sset k5 y 7"],
  ),
  onA("case-of-a-key", "A key of another case is another key.", "sget K5"),
  onA("large-value", "A large value comes back whole.", "sset k7 x*200000 0", "sget k7"),
];

const spaces: readonly ProbeCase[] = [
  {
    id: "other-vm-id",
    what: "A vm_id has keys of its own; one counter serves the whole process.",
    shows: [27],
    run: async (host) => {
      await at(host, "B", "sget k1", "sset k1 from-b 0", "sget k1");
      await at(host, "A", "sget k1");
    },
  },
  {
    id: "same-vm-id",
    what: "Another VM of the vm_id sees its keys, and sets them with their cas.",
    run: async (host) => {
      await at(host, "A2", "sget k1", "sset k1 from-a2 3");
      await at(host, "A", "sget k1");
    },
  },
  {
    id: "empty-vm-id",
    what: "An empty vm_id is one, shared by all that have none.",
    shows: [27],
    run: async (host) => {
      await at(host, "E1", "sset e 1 0");
      await at(host, "E2", "sget e");
    },
  },
  onA(
    "outside-the-memory",
    "Keys and values that lie outside the memory are refused, and nothing is stored.",
    ...["sset ^outside v 0", "sset k8 ^outside 0", "sget k8", "sget ^outside"],
  ),
  {
    id: "reconfigured",
    what: "A new configuration of the plugin leaves data and counter as they were.",
    run: async (host) => {
      await host.reconfigure("A", "# another one");
      await at(host, "A", "sget k1", "sset k1 after 0", "sget k1");
      await host.untilLogged("delete(ctx=1)", 2);
    },
  },
];

export const suite: ProbeSuite = {
  name: "shared-data",
  what: "Shared data, call by call.",
  plugins,
  listeners,
  cases: [...calls, ...spaces],
};
