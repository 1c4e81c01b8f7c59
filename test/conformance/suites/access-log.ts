/** Access loggers: the root of a plugin gets on_log of finished requests. */
import type { ProbeSuite } from "../probe.ts";

const read =
  "log: value 0 :path; value 0 x-request; value 2 :status; value 2 x-answer; value 3 x-trailer; value 1 x-end; pairs 1; size 0; size 2; add 0 a b; replace 2 a b; get 0 0 9; effective 2; continue 0; close 0; reply 403 no";
const known =
  "log: prop request,path; prop request,headers,x-request; prop request,protocol; prop request,size; prop response,code; prop response,size; prop response,headers,x-answer; prop response,code_details; prop response,flags; prop xds,route_name; prop xds,cluster_name; prop plugin_name; prop plugin_root_id; prop wasm.seen; prop seen; setprop seen logger; prop seen; prop request; prop source,address; prop connection,mtls";

export const suite: ProbeSuite = {
  name: "access-log",
  what: "Plugins as access loggers of a listener.",
  plugins: [
    { name: "filter", configuration: "" },
    { name: "reader", kind: "access_log", configuration: read },
    { name: "knower", kind: "access_log", vmId: "knower", configuration: known },
    { name: "caller", kind: "access_log", vmId: "caller", configuration: callScript() },
    { name: "trapper", kind: "access_log", vmId: "trapper", configuration: "log#2: trap" },
    { name: "quiet", kind: "access_log", vmId: "quiet", configuration: "" },
  ],
  listeners: [
    { name: "read", plugins: ["filter", "reader"] },
    { name: "known", plugins: ["filter", "knower"] },
    { name: "call", plugins: ["caller"] },
    { name: "trap", plugins: ["filter", "trapper", "quiet"] },
    {
      name: "direct",
      plugins: ["quiet"],
      directResponse: { status: 204, body: "" },
    },
  ],
  clusters: [{ name: "web", protocol: "http" }],
  cases: [
    {
      id: "after-the-filters",
      what: "The logger's root gets on_log after the filters' and before their done; its maps are read only.",
      shows: [1],
      run: async (host) => {
        await host.ask({
          listener: "read",
          path: "/one?x=1",
          headers: [["x-request", "r"]],
          upstream: { headers: [["x-answer", "a"]], frames: ["body"] },
        });
      },
    },
    {
      id: "trailers",
      what: "The answer's trailers are shown, the request's are not.",
      run: async (host) => {
        await host.ask({
          listener: "read",
          method: "POST",
          frames: ["in"],
          trailers: [["x-end", "e"]],
          upstream: { frames: ["out"], trailers: [["x-trailer", "t"]] },
        });
      },
    },
    {
      id: "properties",
      what: "The request's properties are the logger's while it logs; it can set none.",
      shows: [34],
      run: async (host) => {
        await host.ask({
          listener: "known",
          path: "/known",
          headers: [["x-request", "r"]],
          script: { filter: "request_headers: setprop seen filter" },
          upstream: { headers: [["x-answer", "a"]], frames: ["body"] },
        });
      },
    },
    {
      id: "local-reply",
      what: "A local reply is logged with its status.",
      run: async (host) => {
        await host.ask({
          listener: "known",
          script: { filter: "request_headers: reply 403 no ~ -1 why" },
        });
      },
    },
    {
      id: "call-from-the-log",
      what: "A call made in on_log is answered on the root; no map is left there.",
      run: async (host) => {
        await host.ask({ listener: "call" });
        await host.untilLogged("http_call_response");
      },
    },
    {
      id: "client-leaves",
      what: "A client that leaves is logged without a status.",
      run: async (host) => {
        const exchange = host.request({ listener: "known", upstream: { never: true } });
        await exchange.stillWaits(60);
        await exchange.abandon();
      },
    },
    {
      id: "direct-response",
      what: "A direct response through no filter is logged.",
      run: async (host) => {
        await host.ask({ listener: "direct" });
      },
    },
    {
      id: "a-logger-traps",
      what: "A logger that traps logs no more; the client, the filters and other loggers go on.",
      shows: [40],
      run: async (host) => {
        await host.ask({ listener: "trap", path: "/one" });
        await host.ask({ listener: "trap", path: "/two" });
        await host.ask({ listener: "trap", path: "/three" });
      },
    },
  ],
};

function callScript(): string {
  return "log: call web :method=GET,:path=/,:authority=web ~ - 1000 | http_call_response: value 6 :status; value 0 :path; pairs 2; prop request,path";
}
