/** Connections that a plugin, a trap, a drain or the process ends. The last case ends the run. */
import type { ProbeCase, ProbeHost, ProbeListener, ProbePlugin } from "../probe.ts";

const scripts: Readonly<Record<string, string>> = {
  "close-new": "new_connection: close 2",
  "close-data": "downstream_data: close 2; get 2 0 9",
  "close-upstream": "upstream_data: close 3",
  "close-twice": "downstream_data: close 2; close 3; continue 2",
  "close-tick":
    "new_connection: tick 60 | tick#1: tick 0; effective $stream; close 3; effective $stream; get 2 0 9",
  drained: "",
};

/** Plugins that trap, each in a VM of its own. */
const trapping: readonly ProbePlugin[] = [
  { name: "trap-new", configuration: "new_connection: trap" },
  { name: "trap-data", configuration: "downstream_data: continue 2; trap" },
  { name: "trap-upstream", configuration: "upstream_data: trap" },
  { name: "trap-close", configuration: "downstream_close: trap" },
  { name: "trap-open", configuration: "downstream_data: trap", failOpen: true },
  { name: "trap-policy", configuration: "downstream_data: trap", failurePolicy: "FAIL_OPEN" },
  { name: "trap-reload", configuration: "downstream_data: trap", failurePolicy: "FAIL_RELOAD" },
].map((plugin) => ({ ...plugin, kind: "network", vmId: plugin.name }) as ProbePlugin);

export const closingPlugins: readonly ProbePlugin[] = [
  ...Object.entries(scripts).map(([name, configuration]): ProbePlugin => ({
    name,
    kind: "network",
    configuration,
  })),
  ...trapping,
  { name: "behind-trap", kind: "network", configuration: "" },
];

export const closingListeners: readonly ProbeListener[] = [
  ...Object.keys(scripts).map((name) => ({ name, plugins: [name] })),
  ...trapping.map(({ name }) => ({
    name,
    plugins: name === "trap-data" ? [name, "behind-trap"] : [name],
  })),
];

/** Sends to an echo and waits for Envoy's end. */
async function untilEnded(host: ProbeHost, listener: string, bytes: string | null): Promise<void> {
  const connection = await host.connect({ listener, upstream: "echo" });
  if (bytes !== null) await connection.send(bytes);
  await connection.ended();
}

/** An echo comes back, and the client ends. */
async function passes(host: ProbeHost, listener: string, bytes: string): Promise<void> {
  const connection = await host.connect({ listener, upstream: "echo" });
  await connection.send(bytes);
  await connection.finish();
  await connection.ended();
}

export const closingCases: readonly ProbeCase[] = [
  {
    id: "close-new-connection",
    what: "A plugin closes a connection when it is new.",
    run: (host) => untilEnded(host, "close-new", null),
  },
  {
    id: "close-in-data",
    what: "A close in a data callback comes before the data goes on.",
    run: (host) => untilEnded(host, "close-data", "secret"),
  },
  {
    id: "close-upstream",
    what: "Closing the upstream closes the client's connection; what the callback was shown is lost.",
    run: (host) => untilEnded(host, "close-upstream", "echoed"),
  },
  {
    id: "close-twice-and-continue",
    what: "What is asked for after a close changes nothing.",
    run: (host) => untilEnded(host, "close-twice", "x"),
  },
  {
    id: "close-in-tick",
    what: "A tick closes a connection of a stream.",
    run: async (host) => {
      const connection = await host.connect({ listener: "close-tick", upstream: "echo" });
      await connection.send("x");
      await connection.ended();
    },
  },
  {
    id: "trap-in-new-connection",
    what: "A trap closes the connection, and every later one; nothing else is told.",
    shows: [40],
    run: async (host) => {
      await untilEnded(host, "trap-new", null);
      await untilEnded(host, "trap-new", null);
    },
  },
  {
    id: "trap-in-data",
    what: "A trap closes the connection before the data goes on; plugins of other VMs are told.",
    shows: [40, 42],
    run: (host) => untilEnded(host, "trap-data", "secret"),
  },
  {
    id: "trap-in-upstream-data",
    what: "A trap in the upstream's data.",
    run: (host) => untilEnded(host, "trap-upstream", "echoed"),
  },
  {
    id: "trap-in-close",
    what: "After a trap in the close neither done nor log nor delete come.",
    run: (host) => passes(host, "trap-close", "x"),
  },
  {
    id: "trap-with-fail-open",
    what: "With fail_open the data passes, and later connections do.",
    run: async (host) => {
      await passes(host, "trap-open", "one");
      await passes(host, "trap-open", "two");
    },
  },
  {
    id: "trap-with-policy-open",
    what: "With FAIL_OPEN the connection is closed all the same; later ones pass.",
    run: async (host) => {
      await untilEnded(host, "trap-policy", "one");
      await passes(host, "trap-policy", "two");
    },
  },
  {
    id: "trap-with-reload",
    what: "With FAIL_RELOAD a new connection gets a new VM, when the last load is long enough ago.",
    run: async (host) => {
      await untilEnded(host, "trap-reload", "one");
      await host.wait(1600);
      await untilEnded(host, "trap-reload", "two");
    },
  },
  {
    id: "drained",
    what: "An open connection of a replaced configuration is closed when the drain is over.",
    run: async (host) => {
      const connection = await host.connect({ listener: "drained", upstream: "echo" });
      await host.reconfigure("drained", "new_connection:");
      await connection.send("x");
      await connection.ended();
    },
  },
  {
    id: "shutdown",
    what: "The end of the process closes open connections before the plugins end.",
    run: async (host) => {
      const connection = await host.connect({ listener: "drained", upstream: "echo" });
      await connection.send("x");
      await connection.received(1);
      await host.shutdown();
    },
  },
];
