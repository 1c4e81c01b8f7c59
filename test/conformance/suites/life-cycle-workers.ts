/** Life on several workers: how many VMs and contexts there are, and that each thread has its own. */
import type { ProbeSuite } from "../probe.ts";

const vms = /^wasm\.envoy\.wasm\.runtime\.v8\.|^wasm\.wasm_vm_count/;

export const suite: ProbeSuite = {
  name: "life-cycle-workers",
  what: "Three workers.",
  concurrency: 3,
  plugins: [
    {
      name: "one",
      vmId: "both",
      configuration:
        "configure: mdef 0 workers.configured; minc $last 1; sset from-anywhere yes 0 | done: mdef 0 workers.done; minc $last 1",
    },
    { name: "two", vmId: "both", configuration: "done: return 0" },
    {
      name: "other",
      vmId: "other",
      configuration: "configure: mdef 0 workers.others; minc $last 1",
    },
  ],
  listeners: [
    { name: "both", plugins: ["one", "two"] },
    { name: "other", plugins: ["other"] },
  ],
  cases: [
    {
      id: "counts",
      what: "A configuration comes to the canary, to main and to each worker; a VM configuration has a base VM besides.",
      shows: [3, 30],
      run: async (host) => {
        await host.stats(/^wasmcustom\./);
        await host.stats(vms);
      },
    },
    {
      id: "reconfigured",
      what: "A new configuration comes to every thread, and the VMs stay.",
      shows: [3, 4],
      run: async (host) => {
        await host.reconfigure("one", "configure: mdef 0 workers.configured; minc $last 1");
        await host.untilLogged("done(ctx=1)", 4);
        await host.wait(50);
        await host.stats(/^wasmcustom\./);
        await host.stats(vms);
      },
    },
    {
      id: "removed",
      what: "A listener's plugins end on every thread, and their VMs go, the base VM too.",
      run: async (host) => {
        await host.remove("other");
        await host.stats(/^wasmcustom\./);
        await host.stats(vms);
      },
    },
    {
      id: "added",
      what: "They come back, with all there was at the start.",
      run: async (host) => {
        await host.add("other");
        await host.stats(/^wasmcustom\./);
        await host.stats(vms);
      },
    },
    {
      id: "shutdown",
      what: "The end of the process is told to every thread.",
      run: async (host) => {
        await host.shutdown();
      },
    },
  ],
};
