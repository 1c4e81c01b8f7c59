/** What a failed VM means for requests, by callback and by policy. */
import type { ProbeCase, ProbeHost, ProbePlugin, ProbeSuite } from "../probe.ts";

/** A plugin with a VM of its own: a trap in it fails nobody else. */
function alone(name: string, more: Partial<ProbePlugin> = {}): ProbePlugin {
  return { name, vmConfiguration: name, ...more };
}

const shared = { vmConfiguration: "shared" };

const plugins: readonly ProbePlugin[] = [
  ...["headers", "body", "trailers", "reply", "resp-headers", "resp-body"].map((name) =>
    alone(`closed-${name}`),
  ),
  alone("closed-resp-trailers", { allowOnHeadersStopIteration: true }),
  ...["headers", "body", "reply", "resp-headers", "resp-body", "under-way", "upload"].map((name) =>
    alone(`open-${name}`, { failOpen: true }),
  ),
  ...["headers", "under-way"].map((name) =>
    alone(`policy-${name}`, { failurePolicy: "FAIL_OPEN" as const }),
  ),
  ...["log", "done", "delete", "paused", "under-way", "upload", "sending", "effects", "own"].map(
    (name) => alone(`in-${name}`),
  ),
  alone("in-create", { configuration: "stream_create: reply 418 early; trap" }),
  alone("in-tick", { configuration: "tick: trap" }),
  alone("in-queue", { configuration: "configure: qreg failing | queue_ready: trap" }),
  alone("weak", { failurePolicy: "FAIL_OPEN" }),
  alone("strong"),
  alone("passed"),
  alone("passed-open", { failOpen: true }),
  alone("replier"),
  { name: "twin-a", ...shared },
  { name: "twin-b", ...shared },
];

const chains: Readonly<Record<string, readonly string[]>> = {
  chain: ["weak", "strong"],
  twins: ["twin-a", "twin-b"],
  "before-replier": ["passed", "replier"],
  "open-before-replier": ["passed-open", "replier"],
  passed: ["passed"],
  "passed-open": ["passed-open"],
};
const inChains = new Set(Object.values(chains).flat());

const headersTrap = "request_headers: add 0 x-edited before; trap";

/** A case about one listener whose plugin has its name; afterwards a plain request says what new streams get. */
function failing(
  listener: string,
  what: string,
  run: (host: ProbeHost, listener: string) => Promise<unknown>,
  shows: readonly number[] = [],
): ProbeCase {
  return {
    id: listener,
    what,
    shows,
    run: async (host) => {
      await run(host, listener);
      host.note("then");
      await host.ask({ listener });
    },
  };
}

const ofRequests: readonly ProbeCase[] = [
  failing(
    "closed-headers",
    "A trap in on_request_headers: 503, for new streams too.",
    (host, listener) => host.ask({ listener, script: headersTrap }),
    [40],
  ),
  failing("closed-body", "A trap in on_request_body: 503.", (host, listener) =>
    host.ask({ listener, frames: ["abc", "def"], script: "request_body#2: trap" }),
  ),
  failing("closed-trailers", "A trap in on_request_trailers: 503.", (host, listener) =>
    host.ask({
      listener,
      protocol: "http2",
      frames: ["abc"],
      trailers: [["x-end", "1"]],
      script: "request_body: return 1 | request_trailers: trap",
    }),
  ),
  failing(
    "closed-reply",
    "The 503 comes before a local reply of the callback that traps.",
    (host, listener) => host.ask({ listener, script: "request_headers: reply 418 mine; trap" }),
    [42],
  ),
  failing("open-headers", "fail_open: the request goes on as edited so far.", (host, listener) =>
    host.ask({ listener, script: headersTrap }),
  ),
  failing(
    "open-body",
    "fail_open, a trap in on_request_body: the body goes on.",
    (host, listener) =>
      host.ask({ listener, frames: ["abc", "def"], script: "request_body#1: set 0 0 0 X; trap" }),
  ),
  failing(
    "open-reply",
    "fail_open: a local reply before the trap is sent.",
    (host, listener) => host.ask({ listener, script: "request_headers: reply 418 mine; trap" }),
    [42],
  ),
  failing(
    "policy-headers",
    "FAIL_OPEN lets new streams pass and not the one that trapped.",
    (host, listener) => host.ask({ listener, script: headersTrap }),
  ),
];

const ofResponses: readonly ProbeCase[] = [
  failing(
    "closed-resp-headers",
    "A trap in on_response_headers: 503 instead of the response.",
    (host, listener) => host.ask({ listener, script: "response_headers: trap" }),
  ),
  failing(
    "closed-resp-body",
    "A trap in on_response_body, headers sent: the client sees a break.",
    (host, listener) =>
      host.ask({
        listener,
        script: "response_body#2: trap",
        upstream: { frames: ["one", "two", "three"], gapMs: 60 },
      }),
  ),
  failing(
    "closed-resp-trailers",
    "A trap in on_response_trailers, everything held: 503.",
    (host, listener) =>
      host.ask({
        listener,
        protocol: "http2",
        script: "response_headers: return 1 | response_body: return 1 | response_trailers: trap",
        upstream: { frames: ["one"], trailers: [["x-end", "1"]] },
      }),
  ),
  failing(
    "open-resp-headers",
    "fail_open, a trap in on_response_headers: the response passes as edited.",
    (host, listener) =>
      host.ask({ listener, script: "response_headers: add 2 x-edited before; trap" }),
  ),
  failing(
    "open-resp-body",
    "fail_open, a trap in on_response_body: the rest passes.",
    (host, listener) =>
      host.ask({
        listener,
        script: "response_body#2: set 1 0 0 X; trap",
        upstream: { frames: ["one", "two", "three"], gapMs: 60 },
      }),
  ),
];

const ofEnds: readonly ProbeCase[] = [
  failing(
    "in-log",
    "A trap in on_log: nothing for this client; no on_done and no on_delete.",
    (host, listener) => host.ask({ listener, script: "log: trap" }),
  ),
  failing("in-done", "A trap in on_done: no on_delete.", (host, listener) =>
    host.ask({ listener, script: "done: trap" }),
  ),
  failing(
    "in-delete",
    "A trap in on_delete fails the VM for the streams after it.",
    (host, listener) => host.ask({ listener, script: "delete: trap" }),
  ),
  failing(
    "in-create",
    "A trap in a stream's on_context_create, after a local reply.",
    (host, listener) => host.ask({ listener }),
  ),
];

const ofOthers: readonly ProbeCase[] = [
  {
    id: "in-tick",
    what: "A trap in a tick is nothing for clients until the next request; the VM ticks no more.",
    run: async (host) => {
      await host.ask({ listener: "in-tick", script: "request_headers: tick 50" });
      await host.wait(200);
      await host.ask({ listener: "in-tick" });
    },
  },
  {
    id: "in-queue",
    what: "A trap in on_queue_ready: the VM of the last registrant fails.",
    run: async (host) => {
      await host.ask({
        listener: "chain",
        script: { strong: "request_headers: qres ~ failing; qput 1 x" },
      });
      await host.wait(100);
      await host.ask({ listener: "in-queue" });
    },
  },
  {
    id: "in-paused",
    what: "A trap in on_http_call_response: nothing wakes the paused stream.",
    shows: [43],
    run: async (host) => {
      const pairs = ":method=GET,:path=/,:authority=a";
      const paused = host.request({
        listener: "in-paused",
        script: `request_headers: call other ${pairs} ~ - 1000; return 1 | http_call_response: trap`,
      });
      await paused.stillWaits(400);
      await host.ask({ listener: "in-paused" });
      await paused.abandon();
    },
  },
  failing("in-effects", "What a callback did before its trap stays done.", (host, listener) =>
    host.ask({
      listener,
      script:
        "request_headers: sset kept 1 0; mdef 0 failure_kept; minc 4 3; log 2 kept; continue 0; trap",
    }),
  ),
  {
    id: "effects-seen",
    what: "Shared data and metrics of the failed VM, seen by another.",
    run: async (host) => {
      await host.ask({
        listener: "chain",
        script: { strong: "request_headers: sget kept" },
      });
      await host.stats(/failure_kept/);
    },
  },
  failing("in-own", "A trap in the callbacks of the plugin's own local reply.", (host, listener) =>
    host.ask({ listener, script: "request_headers: reply 418 mine | response_headers: trap" }),
  ),
  {
    id: "chain",
    what: "A failed FAIL_OPEN plugin is left out of the chain; the others stay.",
    run: async (host) => {
      await host.ask({ listener: "chain", script: { weak: "request_headers: trap" } });
      host.note("then");
      await host.ask({ listener: "chain" });
    },
  },
  {
    id: "twins",
    what: "A trap fails every plugin that lives in the VM: the later one of the same request as well.",
    shows: [40],
    run: async (host) => {
      await host.ask({ listener: "twins", script: { "twin-b": "request_headers: trap" } });
      host.note("then");
      await host.ask({ listener: "twins" });
    },
  },
];

/** A stream waits for its upstream while another one's trap fails the VM. */
async function meanwhile(host: ProbeHost, listener: string): Promise<void> {
  const waiting = host.request({ listener, upstream: { frames: ["late"], delayMs: 300 } });
  await host.wait(100);
  await host.ask({ listener, script: "request_headers: trap" });
  await waiting.end();
}

/** The body of a stream is on its way meanwhile. */
async function uploading(host: ProbeHost, listener: string): Promise<void> {
  const upload = host.request({ listener, frames: ["one", "two"], gapMs: 300 });
  await host.wait(100);
  await host.ask({ listener, script: "request_headers: trap" });
  await upload.end();
}

/** A later plugin's local reply on its way back through a plugin whose VM has failed meanwhile. */
async function passing(host: ProbeHost, listener: string, plugin: string): Promise<void> {
  const call = "call slow :method=GET,:path=/,:authority=a ~ - 1000";
  const replier = `request_headers: ${call}; return 1 | http_call_response: effective $ctx; reply 418 mine`;
  const replied = host.request({ listener, script: { replier }, path: "/replied" });
  await host.wait(100);
  await host.ask({ listener: plugin, script: "request_headers: trap" });
  await replied.end();
}

const ofStreamsUnderWay: readonly ProbeCase[] = [
  {
    id: "passed-reply",
    what: "A later plugin's local reply meets a plugin whose VM has failed.",
    run: (host) => passing(host, "before-replier", "passed"),
  },
  {
    id: "passed-reply-open",
    what: "The same with fail_open.",
    run: (host) => passing(host, "open-before-replier", "passed-open"),
  },
  failing(
    "in-under-way",
    "FAIL_CLOSED: a stream that waits for its upstream gets 503.",
    meanwhile,
    [40],
  ),
  failing("open-under-way", "fail_open: it gets its response.", meanwhile),
  failing("policy-under-way", "FAIL_OPEN: it gets 503 all the same.", meanwhile),
  failing("in-upload", "FAIL_CLOSED: the next frame of a body under way meets 503.", uploading),
  failing("open-upload", "fail_open: the rest of a body under way passes.", uploading),
  {
    id: "in-sending",
    what: "A response that has begun is cut off at its next frame.",
    run: async (host) => {
      const upstream = { frames: ["one", "two"], gapMs: 300 };
      const sending = host.request({ listener: "in-sending", upstream });
      await host.wait(100);
      await host.ask({ listener: "in-sending", script: "request_headers: trap" });
      await sending.end();
    },
  },
];

export const suite: ProbeSuite = {
  name: "failure-policies",
  what: "What a failed VM means for requests.",
  plugins,
  listeners: [
    ...plugins
      .filter(({ name }) => !inChains.has(name))
      .map(({ name }) => ({ name, plugins: [name] })),
    ...Object.entries(chains).map(([name, members]) => ({ name, plugins: members })),
  ],
  clusters: [
    { name: "other", protocol: "http", answers: [{ frames: ["answer"], delayMs: 50 }] },
    { name: "slow", protocol: "http", answers: [{ frames: ["answer"], delayMs: 400 }] },
  ],
  cases: [...ofRequests, ...ofResponses, ...ofEnds, ...ofOthers, ...ofStreamsUnderWay],
};
