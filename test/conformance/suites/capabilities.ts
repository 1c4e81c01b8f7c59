/** Capability restriction: what a plugin may call, and by what it may be called. */
import type { ProbeCase, ProbePlugin, ProbeSuite } from "../probe.ts";

/** The least that the scripted guest needs to read its script and to tell what it does. */
const spoken = [
  ...["proxy_log", "proxy_get_property", "proxy_get_buffer_bytes", "proxy_get_header_map_value"],
  ...["proxy_on_context_create", "proxy_on_vm_start", "proxy_on_configure"],
  "proxy_on_request_headers",
];

function restricted(
  name: string,
  allowedCapabilities: readonly string[],
  more: Partial<ProbePlugin> = {},
): ProbePlugin {
  return { name, vmConfiguration: name, allowedCapabilities, ...more };
}

const without = (name: string): readonly string[] => spoken.filter((one) => one !== name);

const plugins: readonly ProbePlugin[] = [
  restricted("calls", spoken),
  restricted("wasi", spoken),
  restricted("wasi-allowed", [...spoken, "fd_write", "clock_time_get"]),
  restricted("answers", [...spoken, "proxy_on_response_body", "proxy_on_delete"]),
  restricted("no-create", without("proxy_on_context_create")),
  restricted("no-configure", without("proxy_on_configure")),
  restricted("no-log", without("proxy_log")),
  restricted("ticking", [...spoken, "proxy_set_tick_period_milliseconds"]),
  restricted("calling", [...spoken, "proxy_http_call"]),
  restricted("empty", []),
  restricted("unknown", ["proxy_no_such_call", ...spoken]),
  restricted("founder", spoken, { vmConfiguration: "shared" }),
  { name: "joiner", vmConfiguration: "shared" },
  { name: "free-founder", vmConfiguration: "free" },
  restricted("free-joiner", ["proxy_log"], { vmConfiguration: "free" }),
  { name: "env-a", vmConfiguration: "environment", environment: { A: "1" } },
  { name: "env-b", vmConfiguration: "environment", environment: { B: "2" } },
  restricted("beginning", ["proxy_get_buffer_bytes", "proxy_on_configure"], {
    guest: { wat: "capability-start.wat" },
    configuration: "something",
  }),
];

function asked(listener: string, what: string, script: string, wait = 0): ProbeCase {
  return {
    id: listener,
    what,
    run: async (host) => {
      await host.ask({ listener, script });
      await host.wait(wait);
    },
  };
}

const head = ":method=GET,:path=/,:authority=a";

export const suite: ProbeSuite = {
  name: "capabilities",
  what: "Capability restriction.",
  plugins,
  listeners: plugins.map(({ name }) => ({ name, plugins: [name] })),
  clusters: [{ name: "other", protocol: "http", answers: [{ frames: ["answer"] }] }],
  cases: [
    asked(
      "calls",
      "Restricted calls log an error, answer 10 and touch nothing.",
      "request_headers: level; now; sget nothing; sset k v 0; mdef 0 never; prop plugin_name; pairs 0; " +
        `add 0 x-y z; call other ${head} ~ - 1000; reply 418 no; continue 0; close 0; tick 50; ` +
        "effective 1; done; foreign no 00; getstatus; minc 4 1; qreg q",
    ),
    asked(
      "wasi",
      "Restricted WASI calls log an error and answer 76; proc_exit does nothing.",
      "request_headers: fdwrite 1 hello; clock 1; random 8; environ; args; exit 3",
    ),
    asked(
      "wasi-allowed",
      "WASI names stand in the list without their module.",
      "request_headers: fdwrite 1 hello; clock 1; random 8",
    ),
    asked(
      "answers",
      "Restricted callbacks are as good as absent.",
      "request_headers: value 0 :path",
    ),
    asked(
      "no-create",
      "Without proxy_on_context_create nobody tells the plugin of contexts.",
      "request_headers: value 0 :path",
    ),
    asked(
      "no-configure",
      "Without proxy_on_configure the plugin counts as configured.",
      "request_headers: value 0 :path",
    ),
    asked(
      "no-log",
      "Without proxy_log each line is an error line of the host.",
      "request_headers: size 0",
    ),
    asked(
      "ticking",
      "A timer without proxy_on_tick: the call works, nothing comes.",
      "request_headers: tick 20",
      100,
    ),
    asked(
      "calling",
      "A call whose answer has no callback: it is made, nothing comes.",
      `request_headers: call other ${head} ~ - 1000`,
      100,
    ),
    asked("empty", "An empty list restricts nothing.", "request_headers: level; sget nothing"),
    asked("unknown", "Names that do not exist are accepted.", "request_headers: level"),
    asked("founder", "A plugin with a list has a VM apart …", "request_headers: sget nothing"),
    asked("joiner", "… from one without that has all else alike.", "request_headers: sget nothing"),
    asked("free-joiner", "The same the other way round.", "request_headers: sget nothing"),
    asked(
      "env-a",
      "Plugins with different environments have VMs apart …",
      "request_headers: environ",
    ),
    asked("env-b", "… in each of which its own is seen.", "request_headers: environ"),
    asked(
      "beginning",
      "In start functions and the allocator the same: what is restricted does not trap.",
      "",
    ),
  ],
};
