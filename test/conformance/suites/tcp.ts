/** TCP filters: one connection at a time, through one or two plugins. */
import type { ProbeCase, ProbeHost, ProbeListener, ProbePlugin, ProbeSuite } from "../probe.ts";
import { closingCases, closingListeners, closingPlugins } from "./tcp-closing.ts";
import { holdingCases } from "./tcp-holding.ts";

/** A listener of its own for each script. */
const scripts: Readonly<Record<string, string>> = {
  plain: "",
  "held-new": "new_connection: tick 150; return 1 | tick#1: tick 0; effective $stream; continue 2",
  "held-reset":
    "new_connection: tick 150; return 1 | tick#1: tick 0; effective $stream; continue 2",
  "held-data":
    "new_connection: tick 150 | downstream_data: return 1 | tick#1: tick 0; effective $stream; get 2 0 100; bufstatus 2; set 2 0 0 >; get 2 0 100; continue 2; get 2 0 100",
  "held-once": "downstream_data#1: return 1",
  "continue-unheld":
    "new_connection: continue 2 | downstream_data: continue 2 | downstream_close: continue 2",
  "continue-held": "downstream_data#1: continue 2; return 1",
  "continue-kinds":
    "downstream_data: continue 0; continue 1; continue 3; continue 4; close 0; close 1; close 4",
  "held-upstream": "upstream_data#1: get 3 0 100; return 9",
  "held-upstream-end": "upstream_data: return 1",
  edits:
    "downstream_data#1: get 2 0 100; get 2 1 2; get 2 9 1; set 2 1 1 X; set 2 0 1 B; set 2 99 0 !; get 2 0 100; bufstatus 2; bufstatus 3; get 3 0 9; set 3 0 0 x | upstream_data#1: set 3 0 100 answer; get 3 0 100; get 2 0 9; set 2 0 0 x",
  "no-buffer":
    "new_connection: tick 60 | tick#1: effective $stream; get 2 0 9; set 2 0 0 x; bufstatus 2; get 0 0 9; set 1 0 0 x; get 4 0 9; get 7 0 9 | tick#2: tick 0; get 2 0 9; set 3 0 0 x",
  emptied: "downstream_data#1: set 2 0 100 ~; bufstatus 2 | upstream_data#1: set 3 0 100 ~",
  maps: "new_connection: value 0 host; pairs 0; size 0; add 0 a b; value 2 :status; pairs 1; value 6 a | log: value 0 host; pairs 0; pairs 3",
  properties:
    "new_connection: prop source,address; prop destination,address; prop connection,mtls; prop connection,requested_server_name; prop request,protocol; prop request,path; prop request,headers; prop request,method; prop response,flags; prop response,code; prop upstream,address; prop plugin_name; prop plugin_root_id; prop xds,node,id; prop metadata; prop source; prop request; prop nope | downstream_data#1: prop upstream,address; prop upstream,local_address; prop upstream,transport_failure_reason; prop upstream,request_attempt_count; prop xds,cluster_name; prop xds,route_name; prop xds,virtual_host_name; prop xds,filter_chain_name; prop xds,listener_direction; prop request,size; prop request,total_size; prop response,size; prop response,headers; prop connection,tls_version | log: prop request,duration; prop response,code_details; prop request,size; prop request,total_size; prop response,size; prop response,flags",
  reply: "downstream_data: reply 403 no; return 0",
  "done-later": "stream_done: done; return 0 | downstream_close: done",
  "call-first":
    "new_connection: call web :method=GET,:path=/,:authority=web ~ - 1000; return 1 | http_call_response: value 6 :status; effective $stream; continue 2",
};

const pair: readonly ProbePlugin[] = [
  {
    name: "first",
    kind: "network",
    configuration:
      "new_connection: setprop seen first | downstream_data#2: return 1 | upstream_data#2: return 1",
  },
  {
    name: "second",
    kind: "network",
    configuration: "new_connection: prop seen; prop filter_state,wasm.seen; setprop seen second",
  },
];

const plugins: readonly ProbePlugin[] = [
  ...Object.entries(scripts).map(([name, configuration]): ProbePlugin => ({
    name,
    kind: "network",
    configuration,
  })),
  ...pair,
];

const listeners: readonly ProbeListener[] = [
  ...Object.keys(scripts).map((name): ProbeListener => ({ name, plugins: [name] })),
  { name: "pair", plugins: ["first", "second"] },
];

const plainCases: readonly ProbeCase[] = [
  {
    id: "echo-and-half-close",
    what: "Data and half closes pass both ways; done comes before log, log before delete.",
    shows: [1],
    run: async (host) => {
      const connection = await host.connect({ listener: "plain", upstream: "echo" });
      await connection.send("hello");
      await connection.received(5);
      await connection.finish();
      await connection.ended();
    },
  },
  {
    id: "server-ends-first",
    what: "The server's end is told as its close; the client's end then closes the connection.",
    run: async (host) => {
      const upstream = { sends: ["one", "two"], closes: true };
      const connection = await host.connect({ listener: "plain", upstream });
      await connection.received(6);
      await host.wait(60);
      await connection.finish();
      await connection.ended();
    },
  },
  {
    id: "client-resets",
    what: "A reset of the client's.",
    run: async (host) => {
      const connection = await host.connect({ listener: "plain", upstream: "echo" });
      await connection.send("x");
      await connection.abandon();
    },
  },
  {
    id: "edits-of-both-buffers",
    what: "Both data buffers are edited by the rules of bodies; the other direction's is not there.",
    shows: [17, 18],
    run: async (host) => {
      await exchange(host, "edits", "abc");
    },
  },
  {
    id: "emptied-buffers",
    what: "Data that a plugin takes away does not arrive.",
    run: async (host) => {
      const connection = await host.connect({ listener: "emptied", upstream: "echo" });
      await connection.send("lost");
      await connection.send("kept");
      await connection.send("too");
      await connection.finish();
      await connection.ended();
    },
  },
  {
    id: "buffers-outside-their-callbacks",
    what: "A buffer that nobody holds up is empty and cannot be changed.",
    shows: [18],
    run: async (host) => {
      const connection = await host.connect({ listener: "no-buffer", upstream: "echo" });
      await connection.send("x");
      await host.untilLogged("tick(", 2);
      await connection.finish();
      await connection.ended();
    },
  },
  {
    id: "header-maps",
    what: "There is no header map on a connection, in the log phase either.",
    shows: [11],
    run: async (host) => {
      await exchange(host, "maps", "x");
    },
  },
  {
    id: "properties",
    what: "What is known of a connection when it is new, when it is connected, and when it is over.",
    shows: [33],
    run: async (host) => {
      await exchange(host, "properties", "four");
    },
  },
  {
    id: "local-reply",
    what: "A local reply on a connection answers Ok, stops nothing and sends nothing.",
    run: async (host) => {
      await exchange(host, "reply", "x");
    },
  },
  {
    id: "done-is-ignored",
    what: "What on_done answers for a connection means nothing.",
    shows: [2],
    run: async (host) => {
      await exchange(host, "done-later", "x");
    },
  },
  {
    id: "http-call-first",
    what: "A new connection waits for the answer to an HTTP call.",
    shows: [5],
    run: async (host) => {
      const connection = await host.connect({ listener: "call-first", upstream: "echo" });
      await connection.send("x");
      await connection.received(1);
      await connection.finish();
      await connection.ended();
    },
  },
];

/** One echo, and the client's end. */
async function exchange(host: ProbeHost, listener: string, bytes: string): Promise<void> {
  const connection = await host.connect({ listener, upstream: "echo" });
  await connection.send(bytes);
  await connection.finish();
  await connection.ended();
}

export const suite: ProbeSuite = {
  name: "tcp",
  what: "TCP connections through network plugins.",
  plugins: [...plugins, ...closingPlugins],
  listeners: [...listeners, ...closingListeners],
  clusters: [{ name: "web", protocol: "http", answers: [{ delayMs: 100 }] }],
  cases: [...plainCases, ...holdingCases, ...closingCases],
};
