/** FAIL_RELOAD: when a failed VM is replaced, what its streams see, and what the statistics say. */
import type { ProbePlugin, ProbeSuite } from "../probe.ts";

const baseMs = 200;
/** Longer than the longest back-off. */
const longMs = 2 * baseMs;

const reloading = {
  failurePolicy: "FAIL_RELOAD",
  reload: { baseInterval: `${baseMs}ms` },
} as const;

function plugin(name: string, more: Partial<ProbePlugin> = {}): ProbePlugin {
  return { name, vmConfiguration: name, ...reloading, ...more };
}

const plugins: readonly ProbePlugin[] = [
  plugin("cycle"),
  plugin("under-way"),
  plugin("paused"),
  plugin("ticking", { configuration: "tick: tick 0; log 2 ticked" }),
  plugin("state", { configuration: "configure: mdef 0 reload_count; minc 4 1; sget kept" }),
  plugin("pair-a", { vmConfiguration: "pair" }),
  plugin("pair-b", { vmConfiguration: "pair" }),
  plugin("closed", { vmConfiguration: "mixed", failurePolicy: "FAIL_CLOSED", reload: undefined }),
  plugin("mixed", { vmConfiguration: "mixed" }),
  plugin("refused", { guest: { wat: "failing-start.wat" }, configuration: "f", vmId: "refused" }),
  plugin("trapping", { guest: { wat: "failing-start.wat" }, configuration: "g", vmId: "trapping" }),
];

const trap = "request_headers: trap";

export const suite: ProbeSuite = {
  name: "failure-reload",
  what: "What FAIL_RELOAD does.",
  plugins,
  listeners: plugins.map(({ name }) => ({ name, plugins: [name] })),
  clusters: [{ name: "other", protocol: "http", answers: [{ frames: ["answer"], delayMs: 100 }] }],
  cases: [
    {
      id: "cycle",
      what: "Trap, reload at once when the last load is long ago; trap, back-off, reload.",
      shows: [40],
      run: async (host) => {
        const listener = "cycle";
        await host.wait(longMs);
        await host.ask({ listener, script: trap });
        await host.ask({ listener });
        await host.ask({ listener, script: trap });
        await host.ask({ listener });
        await host.stats(/^wasm\.cycle\./);
        await host.wait(longMs);
        await host.ask({ listener });
        await host.stats(/^wasm\.cycle\./);
      },
    },
    {
      id: "under-way",
      what: "A stream that waits for its upstream gets 503, even when a new VM is there by then.",
      run: async (host) => {
        const listener = "under-way";
        const upstream = { frames: ["late"], delayMs: 400 };
        const waiting = host.request({ listener, upstream });
        await host.wait(100);
        await host.ask({ listener, script: trap });
        await host.ask({ listener });
        await waiting.end();
      },
    },
    {
      id: "paused",
      what: "A paused stream stays so, its call's answer goes nowhere, and a stream of the new VM has its own ids.",
      shows: [43],
      run: async (host) => {
        const listener = "paused";
        const call = "call other :method=GET,:path=/,:authority=a ~ - 1000";
        const script = `request_headers: ${call}; return 1 | http_call_response: effective $ctx; continue 0`;
        const paused = host.request({ listener, script, path: "/old" });
        await host.wait(30);
        await host.ask({ listener, script: trap });
        const other = host.request({ listener, script, path: "/new" });
        await paused.stillWaits(400);
        await other.end();
        await paused.abandon();
      },
    },
    {
      id: "ticking",
      what: "The new VM's plugin arms a timer of its own; the old one's is gone.",
      run: async (host) => {
        await host.ask({ listener: "ticking", script: "request_headers: tick 250" });
        await host.ask({ listener: "ticking", script: trap });
        await host.ask({ listener: "ticking", script: "request_headers: tick 200" });
        await host.wait(600);
      },
    },
    {
      id: "state",
      what: "Shared data and metrics outlive the VM.",
      run: async (host) => {
        await host.ask({ listener: "state", script: "request_headers: sset kept 1 0; trap" });
        await host.ask({ listener: "state" });
        await host.stats(/reload_count/);
      },
    },
    {
      id: "pair",
      what: "Two plugins of one VM: each is reloaded by its own stream, the second into the first one's new VM.",
      run: async (host) => {
        await host.ask({ listener: "pair-a", script: trap });
        await host.ask({ listener: "pair-a" });
        await host.ask({ listener: "pair-b" });
        await host.stats(/^wasm\.pair-.\.vm_reload_/);
      },
    },
    {
      id: "mixed",
      what: "A FAIL_CLOSED plugin of the same VM stays failed beside the new VM.",
      run: async (host) => {
        await host.ask({ listener: "mixed", script: trap });
        await host.ask({ listener: "mixed" });
        await host.ask({ listener: "closed" });
      },
    },
    {
      id: "refused",
      what: "on_configure answers 0 in the new VM: 503, and the next try after the back-off.",
      run: async (host) => {
        const listener = "refused";
        await host.ask({ listener });
        await host.ask({ listener });
        await host.ask({ listener });
        await host.wait(longMs);
        await host.ask({ listener });
        await host.stats(/^wasm\.refused\./);
      },
    },
    {
      id: "trapping",
      what: "on_configure traps in the new VM: 503, and the next try after the back-off.",
      run: async (host) => {
        const listener = "trapping";
        await host.ask({ listener });
        await host.ask({ listener });
        await host.ask({ listener });
        await host.wait(longMs);
        await host.ask({ listener });
        await host.stats(/^wasm\.trapping\./);
      },
    },
  ],
};
