/** Heads that a plugin makes unfit to be sent, and statuses that are none. */
import type { ProbeAnswer, ProbeCase, ProbeSuite } from "../probe.ts";

/** What the log of the stream tells of the answer. */
const told =
  "log: prop response,code; prop response,code_details; prop response,flags; prop upstream,address";

function asked(id: string, what: string, ...ops: string[]): ProbeCase {
  return {
    id,
    what,
    run: async (host) => {
      for (const op of ops)
        await host.ask({ script: `request_headers: ${op} | response_headers: pairs 2 | ${told}` });
    },
  };
}

function answered(id: string, what: string, ...ops: string[]): ProbeCase {
  return {
    id,
    what,
    run: async (host) => {
      for (const op of ops) await host.ask({ script: `response_headers: ${op} | ${told}` });
    },
  };
}

const requests: readonly ProbeCase[] = [
  asked(
    "value-with-line-end",
    "A request header's value with NUL, CR or LF is a 503 of the router, and nothing goes to the upstream.",
    "add 0 x a%00b",
    "add 0 x a%0Db",
    "add 0 x a%0Ab",
  ),
  asked(
    "value-with-controls",
    "Other control characters: which of them may be sent.",
    "add 0 x a%01b",
    "add 0 x a%09b",
    "add 0 x a%1Fb",
    "add 0 x a%7Fb",
    "add 0 x a%80%FFb",
  ),
  asked(
    "name-no-token",
    "A request header's name that is no token.",
    "add 0 a%20b v",
    "add 0 a%3Ab v",
    "add 0 a%28b v",
    "add 0 a%0Ab v",
    "add 0 a%00%01%09%0D%0B%1F%7F%22%27%5C%3Fb v",
  ),
  asked("name-empty", "An empty name.", "add 0 ~ v"),
  asked(
    "several-malformed",
    "Of several malformed headers one is spoken of.",
    "add 0 x a%00b; add 0 y a%00b",
    "add 0 x a%00b; add 0 a%20b v",
    "add 0 a%20b c%00d",
  ),
  asked(
    "pseudo-malformed",
    "Pseudo-headers with bytes that may not be sent, or unknown ones.",
    "replace 0 :path /a%00b",
    "replace 0 :path /a%20b",
    "replace 0 :authority a%0Ab",
    "replace 0 :method G%20T",
    "add 0 :other v",
  ),
  asked(
    "method-connect",
    "CONNECT as method; an unknown one passes.",
    "replace 0 :method CONNECT",
    "replace 0 :method OTHER",
  ),
  asked("method-and-value", "What is looked at first.", "remove 0 :method; add 0 x a%00b"),
  asked(
    "reply-status-16-bits",
    "A local reply's status is kept in 16 bits.",
    "reply 99999 late",
    "reply 65736 late",
  ),
  asked("reply-status-negative", "Minus one is 65535.", "reply -1 late"),
];

const answers: readonly ProbeCase[] = [
  answered(
    "status-no-number",
    "An answer's status that is no number is a missing one.",
    "replace 2 :status abc",
    "replace 2 :status -1",
    "replace 2 :status ~",
    "replace 2 :status 20x",
    "replace 2 :status %2B200",
  ),
  answered(
    "answer-value-with-nul",
    "An answer's header value or name that may not be sent.",
    "add 2 x a%01b",
    "add 2 a%20b v",
  ),
];

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly frames?: readonly string[];
}

function sent(id: string, what: string, ...requests: readonly Sent[]): ProbeCase {
  return {
    id,
    what,
    run: async (host) => {
      for (const request of requests)
        await host.ask({
          ...request,
          listener: "logged",
          script: `request_headers: pairs 0 | ${told}`,
        });
    },
  };
}

const clients: readonly ProbeCase[] = [
  sent(
    "client-value-bytes",
    "A client's header values: NUL, a lone CR and other control characters.",
    { headers: [["x", "a\x00b"]] },
    { headers: [["x", "a\rb"]] },
    { headers: [["x", "a\x01b"]] },
    { headers: [["x", "a\x7fb"]] },
    { headers: [["x", "a\tb"]] },
    { headers: [["x", "a\x80b"]] },
  ),
  sent(
    "client-names",
    "A client's header names that are no tokens, or empty.",
    { headers: [["a b", "v"]] },
    { headers: [["a(b", "v"]] },
    { headers: [["a\x80b", "v"]] },
    { headers: [["", "v"]] },
    { headers: [["a_b!#$%&'*+-.^`|~", "v"]] },
  ),
  sent(
    "client-paths",
    "Paths that HTTP/1 refuses, and one that it does not.",
    { path: "/a b" },
    { path: "/a\x80" },
    { path: "/a#b" },
    { path: "a" },
    { path: "/a\x7fb" },
    { path: '/a"<>^`{|}' },
    { path: "*" },
    { method: "OPTIONS", path: "*" },
  ),
  sent(
    "client-absolute-urls",
    "An absolute URL gives authority and path.",
    { path: "http://foo/bar" },
    { path: "http://foo" },
    { path: "http://foo?x=1" },
    { path: "https://foo:8080/bar?x" },
    { path: "ftp://foo/bar" },
    { path: "http://f oo/bar" },
    { path: "http:///bar" },
  ),
  sent(
    "client-hosts",
    "Several hosts are one authority; one with a blank is none.",
    { headers: [["host", "b"]] },
    { headers: [["host", "a b"]] },
    { headers: [["host", 'a"b']] },
  ),
  sent(
    "client-connect",
    "CONNECT with a path, and with a host.",
    {
      method: "CONNECT",
      path: "/",
    },
    { method: "CONNECT", path: "foo:80" },
  ),
  sent(
    "client-lengths",
    "Content lengths that are none, several, or beside a transfer coding; other codings.",
    { method: "POST", headers: [["content-length", "abc"]] },
    { method: "POST", headers: [["content-length", ""]] },
    { method: "POST", headers: [["content-length", "-1"]] },
    {
      method: "POST",
      headers: [
        ["content-length", "0"],
        ["content-length", "0"],
      ],
    },
    {
      method: "POST",
      headers: [
        ["content-length", "0"],
        ["content-length", "1"],
      ],
    },
    { headers: [["content-length", "2"]], frames: ["ok"] },
    { method: "POST", headers: [["transfer-encoding", "gzip"]] },
    { method: "POST", headers: [["transfer-encoding", "gzip, chunked"]] },
    { method: "POST", headers: [["transfer-encoding", "Chunked"]], frames: [] },
  ),
  sent("client-upgrade-h2c", "Upgrades to h2c are not for Envoy.", {
    headers: [
      ["connection", "upgrade, http2-settings"],
      ["upgrade", "h2c"],
      ["http2-settings", "AA"],
    ],
  }),
];

function gave(id: string, what: string, ...given: readonly ProbeAnswer[]): ProbeCase {
  return {
    id,
    what,
    run: async (host) => {
      for (const upstream of given)
        await host.ask({ upstream, script: `response_headers: pairs 2 | ${told}` });
    },
  };
}

function numbered(count: number): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`x-${String(index)}`, "v"]);
}

const upstreams: readonly ProbeCase[] = [
  gave(
    "upstream-count",
    "An upstream's answer of a hundred headers passes, and one of more does not.",
    { headers: numbered(99) },
    { headers: numbered(100) },
  ),
  gave(
    "upstream-heads",
    "An upstream's head that is none.",
    { headers: [["x", "a\x00b"]] },
    { headers: [["x", "a\x01b"]] },
    { headers: [["x", "a\rb"]] },
    { headers: [["a b", "v"]] },
    { headers: [["", "v"]] },
    { headers: [["x", "a\x80b"]] },
  ),
  gave(
    "upstream-lengths",
    "Lengths of an upstream's answer that are none.",
    { headers: [["content-length", "abc"]] },
    {
      headers: [
        ["content-length", "2"],
        ["content-length", "2"],
      ],
      frames: ["ok"],
    },
    { status: 204, headers: [["content-length", "2"]] },
    { status: 204, headers: [["content-length", "0"]] },
    { status: 204, headers: [["transfer-encoding", "chunked"]] },
    { status: 304, headers: [["content-length", "2"]] },
    { headers: [["transfer-encoding", "gzip"]] },
  ),
];

export const suite: ProbeSuite = {
  name: "malformed-heads",
  what: "Heads that plugins make unfit to be sent, and statuses that are none.",
  plugins: [
    { name: "A" },
    { name: "L", kind: "access_log", configuration: "log: prop response,code_details" },
  ],
  listeners: [
    { name: "main", plugins: ["A"] },
    { name: "logged", plugins: ["A", "L"] },
  ],
  cases: [...requests, ...answers, ...clients, ...upstreams],
};
