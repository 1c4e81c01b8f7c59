/** How plugins begin and end: starts, new configurations, listeners that go and come, the last words of a root. */
import type { ProbeCase, ProbeHost, ProbePlugin, ProbeSuite } from "../probe.ts";

const words = [
  "context_create: prop plugin_name; prop plugin_root_id; prop plugin_vm_id; get 6 0 100; get 7 0 500; bufstatus 6; bufstatus 7; tick 0",
  "start: get 6 0 100; get 7 0 500; prop xds,node,id; getstatus; done; value 0 :path; pairs 0; continue 0; reply 200 x; effective 0; effective 1; effective 2; effective 77",
  "configure: get 6 0 100; get 7 0 10; bufstatus 6; bufstatus 7; setprop a b; set 7 0 0 x; set 6 0 0 x",
  "done: get 6 0 100; get 7 0 10; prop plugin_name; sset last-words said 0; effective 1; done; getstatus",
].join("\n");

/** A plugin in VMs of its own. */
function alone(name: string, configuration: string, more: Partial<ProbePlugin> = {}): ProbePlugin {
  return { name, vmId: name, configuration, ...more };
}

const plugins: readonly ProbePlugin[] = [
  { name: "first", vmId: "shared", vmConfiguration: "of both", configuration: words },
  { name: "second", vmId: "shared", vmConfiguration: "of both", configuration: "# second" },
  alone("replaced", "one: x | done: sset bye old 0 | delete: prop plugin_name"),
  alone("equal", "same: x"),
  alone("picky", "configure: return 1"),
  alone("later", "done: tick 40; return 0 | tick: done; done; tick 0; prop plugin_name"),
  alone("later-by-stream", "done: return 0"),
  alone("swing", "one: x"),
  alone("open", "one: x"),
  alone("gone", ""),
  alone("stays", ""),
  alone("stays-too", "", { vmId: "stays", vmConfiguration: "other" }),
  alone("gone-later", "done: return 0; sset last gone-later 0; tick 20 | tick: done"),
  alone("caller", "done: call web :method=GET,:path=/bye,:authority=web ~ - 1000"),
  alone(
    "caller-waits",
    "done: call web :method=GET,:path=/bye,:authority=web ~ - 1000; return 0 | http_call_response: done; value 6 :status",
  ),
  alone(
    "ending",
    "done: done; effective 1; tick 20; qreg q; mdef 0 last.words; minc $last 1; level | tick#1: return 0",
  ),
];

const listeners = [
  { name: "pair", plugins: ["first", "second"] },
  ...plugins.slice(2).map(({ name }) => ({ name, plugins: [name] })),
  { name: "equal-too", plugins: ["equal"] },
  { name: "keeper", plugins: ["gone-later"] },
];

const script = (line: string): string => `request_headers: ${line}`;

const drained = async (host: ProbeHost, context: number, threads = 2): Promise<void> => {
  await host.untilLogged(`delete(ctx=${String(context)})`, threads);
};

const cases: readonly ProbeCase[] = [
  {
    id: "one-vm-two-plugins",
    what: "Two plugins of one VM configuration share VMs: contexts of both count from 1.",
    shows: [3, 4, 19, 26],
    run: async (host) => {
      await host.ask({
        listener: "pair",
        script: script("effective 1; prop plugin_name; get 6 0 100; get 7 0 10"),
      });
    },
  },
  {
    id: "stream-outlives-nothing",
    what: "A stream cannot be made to wait by its on_done.",
    shows: [2],
    run: async (host) => {
      await host.ask({
        listener: "pair",
        script: { first: "done: return 0; done; value 0 :path; pairs 2 | delete: done" },
      });
    },
  },
  {
    id: "two-listeners",
    what: "A plugin that stands alike in two listeners has one root on each thread.",
    run: async (host) => {
      await host.ask({ listener: "equal" });
      await host.ask({ listener: "equal-too" });
    },
  },
  {
    id: "replaced",
    what: "A new configuration gets a canary and a root beside the old one, which ends with the drain.",
    shows: [3],
    run: async (host) => {
      await host.reconfigure("replaced", "two: x");
      await host.ask({ listener: "replaced", script: script("sget bye") });
      await drained(host, 1);
      await host.ask({ listener: "replaced", script: script("sget bye") });
    },
  },
  {
    id: "equal-configuration",
    what: "A configuration equal to the present one changes nothing.",
    run: async (host) => {
      await host.reconfigure("equal", "same: x");
      await host.wait(200);
      await host.ask({ listener: "equal" });
    },
  },
  {
    id: "refused-configuration",
    what: "A configuration that the canary refuses changes nothing.",
    shows: [41],
    run: async (host) => {
      await host.reconfigure("picky", "configure: return 0");
      await host.ask({ listener: "picky" });
    },
  },
  {
    id: "accepted-after-refused",
    what: "The next one that it takes counts.",
    run: async (host) => {
      await host.reconfigure("picky", "configure: return 7");
      await drained(host, 1);
      await host.ask({ listener: "picky" });
    },
  },
  {
    id: "refused-by-start",
    what: "A configuration with which the canary does not start changes nothing.",
    run: async (host) => {
      await host.reconfigure("picky", "start: return 0");
      await host.ask({ listener: "picky" });
    },
  },
  {
    id: "refused-by-trap",
    what: "A configuration with which the canary traps changes nothing.",
    run: async (host) => {
      await host.reconfigure("picky", "configure: trap");
      await host.ask({ listener: "picky" });
    },
  },
];

const swings: readonly ProbeCase[] = [
  {
    id: "refused-again",
    what: "A configuration that was refused once is refused again without a canary.",
    run: async (host) => {
      await host.reconfigure("picky", "configure: return 0");
    },
  },
  {
    id: "back-within-the-drain",
    what: "A configuration that comes back while its roots drain takes them back into use.",
    run: async (host) => {
      await host.reconfigure("swing", "two: x");
      await host.ask({ listener: "swing" });
      await host.reconfigure("swing", "one: x");
      await host.ask({ listener: "swing" });
      await drained(host, 2, 1);
      await host.wait(200);
    },
  },
  {
    id: "back-after-the-drain",
    what: "One that comes back later gets new roots and no canary: it has passed one.",
    run: async (host) => {
      await host.reconfigure("swing", "two: x");
      await host.ask({ listener: "swing" });
      await drained(host, 1);
    },
  },
  {
    id: "open-at-the-drains-end",
    what: "A request under way belongs to the old root; when the drain is over its connection is closed.",
    run: async (host) => {
      const exchange = host.request({
        listener: "open",
        script: "log: prop response,code_details; prop response,flags; prop response,code",
        upstream: { never: true },
      });
      await exchange.stillWaits(30);
      await host.reconfigure("open", "two: x");
      await host.ask({ listener: "open" });
      await exchange.stillWaits(30);
      await exchange.end();
      await drained(host, 1);
    },
  },
];

const endings: readonly ProbeCase[] = [
  {
    id: "done-in-a-tick",
    what: "A root that answers 0 goes on in its VM until it says that it is done, in a tick.",
    shows: [2],
    run: async (host) => {
      await host.reconfigure("later", "new: x");
      await drained(host, 1);
      await host.wait(100);
    },
  },
  {
    id: "done-by-a-stream",
    what: "A stream of another root in the VM cannot end it but by acting as it.",
    shows: [5],
    run: async (host) => {
      await host.reconfigure("later-by-stream", "new: x");
      await host.untilLogged("done(ctx=1)", 2);
      const listener = "later-by-stream";
      await host.ask({
        listener,
        script: script("done; effective 1; done; done; prop plugin_name; effective 0; effective 1"),
      });
      await host.ask({ listener, script: script("effective 1; done") });
    },
  },
  {
    id: "call-in-on-done",
    what: "A call made in the last callback is cancelled with its root.",
    run: async (host) => {
      await host.reconfigure("caller", "new: x");
      await drained(host, 1);
      await host.wait(50);
      await host.called("web");
    },
  },
  {
    id: "call-in-on-done-that-waits",
    what: "A root that answers 0 in a VM that stays gets the answer of its last call.",
    run: async (host) => {
      await host.reconfigure("caller-waits", "new: x");
      await drained(host, 1);
      await host.called("web");
    },
  },
  {
    id: "listener-removed",
    what: "With its listener the plugin ends on every thread, and with the last plugin of a vm_id its data.",
    run: async (host) => {
      await host.ask({
        listener: "gone",
        script: script(
          "sset key v 0; sget key; qreg q; qput $last x; mdef 0 gone.count; minc $last 5",
        ),
      });
      const exchange = host.request({
        listener: "gone",
        script: "log: prop response,code_details; prop response,flags; prop response,code",
        upstream: { never: true },
      });
      await exchange.stillWaits(30);
      await host.remove("gone");
      await exchange.end();
    },
  },
  {
    id: "listener-added",
    what: "A listener that comes back starts anew: contexts from 1, no data and queues; metrics are still there.",
    shows: [30],
    run: async (host) => {
      await host.add("gone");
      await host.ask({
        listener: "gone",
        script: script(
          "sget key; sset key w 0; sget key; qres ~ q; qreg q; qget $last; mdef 0 gone.count; mget $last",
        ),
      });
    },
  },
  {
    id: "data-of-others-stays",
    what: "A vm_id's data lives as long as any of its VMs.",
    run: async (host) => {
      await host.ask({ listener: "stays", script: script("sset key v 0; qreg q") });
      await host.remove("stays");
      await host.ask({ listener: "stays-too", script: script("sget key; qres ~ q") });
      await host.add("stays");
      await host.ask({ listener: "stays", script: script("sget key; qres ~ q") });
    },
  },
  {
    id: "one-of-two-listeners-removed",
    what: "A plugin that another listener still has goes on.",
    run: async (host) => {
      await host.remove("keeper");
      await host.ask({ listener: "gone-later" });
    },
  },
  {
    id: "last-user-answers-zero",
    what: "The VM's last root is not waited for: no tick, no on_delete comes after its 0.",
    shows: [2],
    run: async (host) => {
      await host.remove("gone-later");
      await host.wait(200);
    },
  },
  {
    id: "two-plugins-removed",
    what: "With a listener of two plugins both end.",
    run: async (host) => {
      await host.remove("pair");
    },
  },
  {
    id: "shutdown",
    what: "The end of the process: each thread's roots in the reverse order of their places.",
    run: async (host) => {
      await host.shutdown();
    },
  },
];

export const suite: ProbeSuite = {
  name: "life-cycle",
  what: "Starts, new configurations, removals, and the end.",
  plugins,
  listeners,
  clusters: [{ name: "web", protocol: "http" }],
  cases: [...cases, ...swings, ...endings],
};
