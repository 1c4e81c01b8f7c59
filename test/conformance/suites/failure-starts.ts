/** Plugins that fail to start on a thread, though the canary did start. */
import type { ProbePlugin, ProbeSuite } from "../probe.ts";

/** A manner of the guest in a VM, and a vm_id, of its own. */
function failing(name: string, manner: string, more: Partial<ProbePlugin> = {}): ProbePlugin {
  const guest = { wat: "failing-start.wat" };
  return { name, guest, configuration: manner, vmId: name, ...more };
}

function reloading(baseInterval: string): Partial<ProbePlugin> {
  return { failurePolicy: "FAIL_RELOAD", reload: { baseInterval } };
}

const plugins = [
  failing("configure-false", "a"),
  failing("configure-false-open", "a", { failOpen: true }),
  failing("configure-trap", "b"),
  failing("start-false", "c"),
  failing("start-trap", "d", { failurePolicy: "FAIL_RELOAD" }),
  failing("create-trap", "e"),
  failing("create-trap-open", "e", { failurePolicy: "FAIL_OPEN" }),
  failing("create-trap-waiting", "e", reloading("60000ms")),
  failing("create-trap-reload", "e", reloading("20ms")),
];

const what: Readonly<Record<string, string>> = {
  "configure-false":
    "on_configure answers 0 on main and worker: the root ends in order, and requests pass, whatever the policy.",
  "configure-false-open": "The same with fail_open.",
  "configure-trap":
    "on_configure traps on main and worker: requests pass, and the root gets no on_done.",
  "start-false": "on_vm_start answers 0 on main and worker.",
  "start-trap": "on_vm_start traps on main and worker: FAIL_RELOAD brings back nothing.",
  "create-trap":
    "on_context_create of the root traps: on_vm_start comes all the same, on_configure does not, and the configuration is accepted.",
  "create-trap-open": "The same with FAIL_OPEN.",
  "create-trap-waiting": "The same with FAIL_RELOAD, before its back-off is over.",
  "create-trap-reload": "The same with FAIL_RELOAD: a new VM fails alike.",
};

export const suite: ProbeSuite = {
  name: "failure-starts",
  what: "Plugins that fail on a thread after the canary has passed.",
  plugins,
  listeners: plugins.map(({ name }) => ({ name, plugins: [name] })),
  cases: plugins.map(({ name }) => ({
    id: name,
    what: what[name]!,
    shows: name === "configure-false" ? [41] : [],
    run: async (host) => {
      await host.wait(50);
      await host.ask({ listener: name });
      await host.stats(new RegExp(`^wasm\\.${name}\\.`));
    },
  })),
};
