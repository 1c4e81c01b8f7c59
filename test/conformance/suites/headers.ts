/** Header maps call by call, in the headers callbacks of a request and its answer. */
import type { ProbeCase, ProbeSuite } from "../probe.ts";

/** A case of one request with a script and some headers. */
function scripted(
  id: string,
  what: string,
  shows: readonly number[],
  script: string,
  headers: readonly (readonly [string, string])[] = [],
): ProbeCase {
  return { id, what, shows, run: async (host) => void (await host.ask({ script, headers })) };
}

/** Adds a name twice and reads it: one entry when it is inline. */
function twice(map: number, names: string): string {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `remove ${map} ${name}; add ${map} ${name} a; add ${map} ${name} b`)
    .join("; ");
}

const commonNames = "connection content-type content-length keep-alive via upgrade x-request-id";
const requestNames = `te user-agent expect grpc-timeout x-forwarded-for accept accept-encoding authorization
  cache-control cdn-loop content-encoding if-match if-none-match if-range origin pragma referer grpc-accept-encoding
  x-envoy-original-host x-envoy-expected-rq-timeout-ms`;
const ownEntries = "cookie set-cookie x-custom accept-language forwarded range etag date server";
const responseNames = `date location server grpc-status grpc-message age expires last-modified etag vary cache-control
  content-encoding access-control-allow-origin x-envoy-ratelimited`;
const ownAnswerEntries =
  "set-cookie x-custom www-authenticate link accept referer user-agent te origin";

export const suite: ProbeSuite = {
  name: "headers",
  what: "Header maps call by call.",
  plugins: [{ name: "A" }],
  cases: [
    scripted(
      "get",
      "A value is the first of its name, in any case; an absent name is NotFound.",
      [12],
      "request_headers: value 0 x-a; value 0 X-A; value 0 nope; value 0 x-empty; value 0 ~; value 0 :path",
      [
        ["x-a", "1"],
        ["X-A", "2"],
        ["x-empty", ""],
      ],
    ),
    scripted(
      "maps-that-are-not-there",
      "Maps that this callback does not have.",
      [11, 13],
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 4294967295]
        .map((map) => `value ${map} x; pairs ${map}; size ${map}; add ${map} x y; remove ${map} x`)
        .reduce((script, ops) => `${script} ${ops};`, "request_headers:"),
    ),
    scripted(
      "set-pairs-of-maps-that-are-not-there",
      "Replacing or setting a map that this callback does not have.",
      [11],
      [1, 2, 3, 4, 5, 6, 7, 8]
        .map((map) => `replace ${map} x y; setpairs ${map} a=b`)
        .reduce((script, ops) => `${script} ${ops};`, "request_headers:"),
    ),
    scripted(
      "size",
      "The size is the sum of the bytes of names and values.",
      [13],
      "request_headers: remove 0 x-probe; remove 0 x-request-id; size 0; add 0 abc defg; size 0; add 0 ~ ~; size 0; remove 0 abc; size 0",
    ),
    scripted(
      "host-is-authority",
      "In request headers host is another word for :authority.",
      [14],
      "request_headers: value 0 host; value 0 HOST; add 0 Host b; value 0 :authority; replace 0 host c; value 0 :authority; remove 0 host; value 0 :authority; add 0 host d; value 0 :authority",
    ),
    scripted(
      "join-path",
      "A second :path is joined to the first.",
      [14],
      "request_headers: add 0 :path /b; value 0 :path; add 0 :method X; value 0 :method; replace 0 :method GET; replace 0 :path /c; value 0 :path",
    ),
    scripted(
      "join-empty",
      "An empty value adds nothing to a joined entry, and an empty entry gets no comma.",
      [14],
      "request_headers: replace 0 user-agent ~; value 0 user-agent; add 0 user-agent a; value 0 user-agent; add 0 user-agent ~; value 0 user-agent; add 0 user-agent b,c; value 0 user-agent; remove 0 x-probe; remove 0 x-request-id; pairs 0",
    ),
    scripted(
      "inline-of-requests",
      "Request names of which there is one entry.",
      [14],
      `request_headers: ${twice(0, requestNames)}; remove 0 x-probe; remove 0 x-request-id; size 0 | log: value 0 user-agent`,
    ),
    scripted(
      "inline-of-both",
      "Names of which requests and answers have one entry.",
      [14],
      `response_headers: ${twice(2, commonNames)}; value 2 connection; value 2 content-type; value 2 via; remove 2 connection; remove 2 content-length; remove 2 upgrade; remove 2 keep-alive; size 2`,
    ),
    scripted(
      "own-entries-of-requests",
      "Request names of which there are as many entries as were added.",
      [14],
      `request_headers: ${twice(0, ownEntries)}; remove 0 x-probe; remove 0 x-request-id; pairs 0`,
    ),
    scripted(
      "inline-of-answers",
      "Answer names of which there is one entry.",
      [14],
      `response_headers: ${twice(2, responseNames)}; remove 2 x-envoy-upstream-service-time; pairs 2; ${responseNames
        .trim()
        .split(/\s+/)
        .map((name) => `value 2 ${name}`)
        .join("; ")}; remove 2 grpc-status; remove 2 grpc-message; remove 2 content-encoding`,
    ),
    scripted(
      "own-entries-of-answers",
      "Answer names of which there are as many entries as were added; host is a name like any other.",
      [14],
      `response_headers: ${twice(2, ownAnswerEntries)}; add 2 host a; value 2 host; value 2 :authority; remove 2 x-envoy-upstream-service-time; size 2; value 2 accept`,
    ),
    scripted(
      "replace-position",
      "A replaced name goes to the end, an inline one too; all entries of it are gone.",
      [12],
      "request_headers: remove 0 x-probe; remove 0 x-request-id; add 0 x-a 1; add 0 x-b 2; add 0 x-a 3; replace 0 X-A 4; add 0 user-agent u; add 0 x-c 5; replace 0 user-agent v; pairs 0; replace 0 x-new n; replace 0 :path /p; pairs 0",
    ),
    scripted(
      "remove",
      "Removing takes all entries of a name; removing an absent name is Ok.",
      [],
      "request_headers: remove 0 x-probe; remove 0 x-request-id; add 0 x-a 1; add 0 x-b 2; add 0 x-a 3; remove 0 X-a; remove 0 x-a; remove 0 ~; pairs 0",
    ),
    scripted(
      "pseudo-headers-first",
      "Pseudo-headers stand first, in the order of their making.",
      [],
      "request_headers: remove 0 x-probe; remove 0 x-request-id; remove 0 :path; add 0 x-a 1; add 0 :path /new; add 0 :scheme https; pairs 0; replace 0 :scheme http",
    ),
    scripted(
      "set-pairs",
      "Setting pairs takes every old entry away, and joins inline names.",
      [15],
      "request_headers: setpairs 0 :method=GET,:path=/x,:authority=h,:scheme=http,X-Up=1,accept=a,accept=b,cookie=c,cookie=d,x-up=2,x-empty=; pairs 0",
    ),
    scripted(
      "set-pairs-without-pseudo-headers",
      "Pairs without pseudo-headers leave none, and the router answers.",
      [15],
      "request_headers: setpairs 0 a=b; pairs 0; value 0 :path",
    ),
    scripted(
      "set-no-pairs",
      "No pairs leave an empty map; reading it is Ok with nothing.",
      [15, 11],
      "request_headers: setpairs 0 -; pairs 0; size 0; value 0 :path",
    ),
    scripted(
      "malformed-pairs",
      "A blob that is no list of pairs is one without entries.",
      [15],
      "request_headers: setraw 0 01000000ffffffff00000000; pairs 0; add 0 x-a 1; setraw 0 010000000100000001000000610062; pairs 0; add 0 x-a 1; setraw 0 010000000100000001000000610162000000; pairs 0",
    ),
    scripted(
      "pairs-with-bytes-left-over",
      "Bytes behind the last pair make the blob a malformed one; so does a count above 1024.",
      [15],
      "request_headers: setraw 0 010000000100000001000000610062007a; pairs 0; add 0 x-a 1; setraw 0 01040000; pairs 0; add 0 x-a 1; setraw 0 000000; pairs 0; add 0 x-a 1; setraw 0 00000000; pairs 0",
    ),
    scripted(
      "pairs-in-bytes",
      "A well-formed blob; a name in capitals, an empty name, an empty value.",
      [15],
      "response_headers: setraw 2 030000000100000001000000000000000000000007000000030000004100620000003a7374617475730032303000; pairs 2; setpairs 2 :status=200,x-a=1; pairs 2",
    ),
    scripted(
      "odd-bytes",
      "Names and values with bytes above 127 and spaces pass as they are.",
      [],
      "response_headers: add 2 x-b%E4 v%FF%80; value 2 x-b%E4; value 2 X-B%E4; add 2 x-s %20a%20; value 2 x-s; remove 2 x-b%E4; remove 2 x-s; add 2 x-v %E4%FF",
    ),
    scripted(
      "empty-value",
      "An empty value is there.",
      [],
      "response_headers: add 2 x-empty ~; value 2 x-empty; replace 2 x-empty ~; value 2 x-empty; add 2 x-empty ~; remove 2 x-envoy-upstream-service-time; pairs 2",
    ),
    scripted(
      "bad-memory",
      "Addresses out of bounds; the map is looked at after them.",
      [],
      "request_headers: value 0 ^outside; add 0 ^outside b; add 0 a ^outside; remove 0 ^outside; value 2 ^outside; add 2 ^outside b; value 9 ^outside; value 0 ^null",
    ),
    scripted(
      "answer-headers",
      "An answer's headers, and the maps that are not there beside them.",
      [10],
      "response_headers: value 2 :status; value 2 x-up; value 2 X-UP; replace 2 :status 404; value 0 :path; pairs 0; size 0; add 0 x y; value 3 x; add 3 x y",
    ),
    scripted(
      "thousand-headers",
      "A value of many bytes comes whole.",
      [],
      "response_headers: add 2 x-long ab*1500; value 2 x-long; size 2; remove 2 x-long",
    ),
  ],
};
