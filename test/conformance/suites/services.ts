/** Bootstrap services: plugins without streams, on every thread or on the main thread only. */
import type { ProbeSuite } from "../probe.ts";

const streamless = (tickMs: number): string =>
  `configure: tick ${String(tickMs)} | tick#1: tick 0; value 0 :path; pairs 0; add 0 a b; get 0 0 9; set 0 0 0 x; get 6 0 99; get 7 0 99; get 4 0 9; continue 0; continue 2; close 0; reply 200 x; effective 2; prop plugin_name; prop plugin_root_id; prop plugin_vm_id; prop request,path; prop connection,mtls; prop xds,node,id; prop xds,listener_direction; setprop a b; done; getstatus`;

export const suite: ProbeSuite = {
  name: "services",
  what: "Bootstrap services, as singletons and on every thread.",
  concurrency: 2,
  // The drain of the last case is not over when the process ends.
  drainSeconds: 60,
  plugins: [
    {
      name: "everywhere",
      kind: "service",
      vmId: "services",
      vmConfiguration: "of the vm",
      configuration: streamless(2000),
    },
    { name: "once", kind: "singleton", vmId: "once", configuration: streamless(2200) },
    {
      name: "together",
      kind: "singleton",
      vmId: "services",
      vmConfiguration: "of the vm",
      configuration: "configure: sset together yes 0; mdef 0 services.started; minc $last 1",
    },
    {
      name: "caller",
      kind: "singleton",
      vmId: "caller",
      configuration:
        "configure: tick 2600 | tick#1: tick 0; call web :method=GET,:path=/,:authority=web body - 1000 | http_call_response: value 6 :status; get 4 0 9 | done: return 1",
    },
    { name: "filter", configuration: "", vmId: "services", vmConfiguration: "of the vm" },
  ],
  clusters: [{ name: "web", protocol: "http", answers: [{ frames: ["answer"] }] }],
  cases: [
    {
      id: "ticks",
      what: "A service ticks on every thread, a singleton on main; without a stream there is little to read.",
      shows: [3],
      run: async (host) => {
        await host.untilLogged("tick(", 4);
      },
    },
    {
      id: "calls-out",
      what: "A singleton calls an upstream from its tick.",
      run: async (host) => {
        await host.untilLogged("http_call_response");
      },
    },
    {
      id: "shared-with-a-filter",
      what: "A filter of the same vm_id, VM configuration and code lives in the services' VMs.",
      shows: [4, 27],
      run: async (host) => {
        await host.ask({ script: "request_headers: sget together; effective 1" });
      },
    },
    {
      id: "statistics",
      what: "What a singleton counts is counted once for the canary and once for main.",
      run: async (host) => {
        await host.stats(/services\.started/);
      },
    },
    {
      id: "shutdown",
      what: "At the end every root is told, the workers' first; a young one before the one that drains.",
      run: async (host) => {
        await host.reconfigure("filter", "done:");
        await host.shutdown();
      },
    },
  ],
};
