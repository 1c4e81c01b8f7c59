/** Ticks: who gets them, from when, and what sets, moves and ends them. */
import type { ProbeCase, ProbeHost, ProbePlugin, ProbeSuite } from "../probe.ts";

/** A plugin in VMs of its own. */
function alone(name: string, ...configuration: readonly string[]): ProbePlugin {
  return { name, vmId: name, configuration: configuration.join("\n") };
}

const plugins: readonly ProbePlugin[] = [
  alone("three"),
  alone("created"),
  alone("started"),
  alone("twice"),
  alone("stopped", "configure: tick 30; tick 0", "tick: log 3 never"),
  alone("far", "configure: tick 4294967295", "tick: log 3 never"),
  alone("silent", "tick: log 3 unasked"),
  alone("faster", "tick#1: tick 15", "tick#4: tick 0"),
  alone("from-stream", "tick#1: effective $stream; tick 0"),
  alone(
    "hands-on",
    "tick#1: effective $stream; prop plugin_name; value 0 :path; continue 0; tick 0",
  ),
  alone("without-effect", "tick#1: continue 0; value 0 :path; tick 0"),
  alone("replies", "tick#1: effective $stream; reply 418 tea; tick 0"),
  alone("closes", "tick#1: effective $stream; close 0; tick 0"),
  alone("calls", "tick#1: tick 0; call web :method=GET,:path=/,:authority=web ~ - 1000"),
  alone("slow", "tick#1: tick 500; tick 20", "tick#2: tick 0"),
  {
    name: "left",
    vmId: "both",
    configuration: "tick#1: effective 2; prop plugin_name; tick 20; effective 0; tick 0",
  },
  {
    name: "right",
    vmId: "both",
    configuration: "tick#1: effective 1; prop plugin_name; tick 0; effective 0; tick 0",
  },
];

const alike = (name: string): string => `request_headers: ${name}`;

/** A request that sets the root's timer, and waits for it or not. */
function asking(id: string, what: string, plugin: string, line: string, logged: string): ProbeCase {
  return {
    id,
    what,
    shows: [32],
    run: async (host) => {
      await host.ask({ listener: plugin, script: alike(line) });
      await host.untilLogged(logged);
      await host.wait(100);
    },
  };
}

/** A new configuration whose ticks come, before the old one ends with its drain. */
async function started(host: ProbeHost, plugin: string, script: string): Promise<void> {
  await host.reconfigure(plugin, script);
  await host.wait(200);
  await host.untilLogged("delete(ctx=1)", 2);
}

async function paused(host: ProbeHost, listener: string): Promise<void> {
  const exchange = host.request({ listener, script: alike("tick 60; return 1") });
  await exchange.stillWaits(20);
  await exchange.end();
}

const cases: readonly ProbeCase[] = [
  {
    id: "three-and-no-more",
    what: "Main and worker tick by themselves, each until it says 0; little else can be read in a tick.",
    shows: [32],
    run: async (host) => {
      const first =
        "prop plugin_name; value 0 :path; pairs 0; get 7 0 9; get 6 0 9; effective 2; done; getstatus";
      const script = `configure: tick 20 | tick#1: ${first} | tick#2: log 2 second | tick#3: tick 0`;
      await started(host, "three", script);
    },
  },
  {
    id: "from-the-creation",
    what: "A root that is being created can set its timer.",
    run: (host) => started(host, "created", "context_create: tick 30 | tick#1: tick 0"),
  },
  {
    id: "from-the-start",
    what: "So can one that starts.",
    run: (host) => started(host, "started", "start: tick 30 | tick#1: tick 0"),
  },
  {
    id: "the-last-period-counts",
    what: "A period that is set again replaces the one before, and the timer begins anew.",
    run: (host) =>
      started(host, "twice", "configure: tick 10; tick 60000; tick 40 | tick#1: tick 0"),
  },
  {
    id: "never",
    what: "Neither a period of 0 nor one of 49 days nor none at all ticks.",
    shows: [32],
    run: async (host) => {
      await host.wait(100);
    },
  },
  asking("set-by-a-stream", "A stream sets its root's timer.", "from-stream", "tick 20", "tick("),
  asking(
    "moved-in-a-tick",
    "A period that a tick sets counts from then on.",
    "faster",
    "tick 30",
    "tick(ctx=1)",
  ),
  asking(
    "set-twice-in-a-tick",
    "Of two periods that a tick sets the later counts.",
    "slow",
    "tick 20",
    "tick(ctx=1)",
  ),
  {
    id: "hands-on-a-stream",
    what: "A tick lets a stream go on by acting as it.",
    shows: [5, 6],
    run: (host) => paused(host, "hands-on"),
  },
  {
    id: "without-acting-as-it",
    what: "A tick that does not act as the stream lets nothing go on.",
    shows: [5],
    run: async (host) => {
      const exchange = host.request({
        listener: "without-effect",
        script: alike("tick 40; return 1"),
      });
      await host.untilLogged("tick(");
      await exchange.stillWaits(60);
      await exchange.abandon();
    },
  },
  {
    id: "replies-for-a-stream",
    what: "A tick answers a paused stream.",
    run: (host) => paused(host, "replies"),
  },
  {
    id: "closes-a-stream",
    what: "A tick resets a paused stream.",
    run: (host) => paused(host, "closes"),
  },
  {
    id: "calls-out",
    what: "A tick of a worker calls out, and the answer comes to its root.",
    run: async (host) => {
      await host.ask({ listener: "calls", script: alike("tick 20") });
      await host.untilLogged("http_call_response");
      await host.called("web");
    },
  },
  {
    id: "two-roots",
    what: "Each root of a VM has a timer; one may set the other's.",
    shows: [32],
    run: async (host) => {
      await host.ask({ listener: "left", script: alike("tick 20") });
      await host.untilLogged("tick(ctx=2)");
      await host.wait(50);
    },
  },
];

export const suite: ProbeSuite = {
  name: "ticks",
  what: "Timers of roots.",
  plugins,
  listeners: plugins.map(({ name }) => ({ name, plugins: [name] })),
  clusters: [{ name: "web", protocol: "http", answers: [{ frames: ["answer"] }] }],
  cases,
};
