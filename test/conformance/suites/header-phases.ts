/** Which header maps each callback sees, and what becomes of a stream whose required headers are gone. */
import type { ProbeRequest, ProbeSuite } from "../probe.ts";

const everyMap = "value 0 :path; pairs 1; value 1 x-t; value 2 :status; pairs 3; value 3 x-t";
const sizes = "size 0; size 1; size 2; size 3";

const withTrailers: ProbeRequest = {
  frames: ["one", "two"],
  trailers: [["x-t", "req"]],
  upstream: { frames: ["ok"], trailers: [["x-t", "ans"]] },
};

export const suite: ProbeSuite = {
  name: "header-phases",
  what: "Header maps callback by callback.",
  plugins: [{ name: "A" }, { name: "B" }],
  listeners: [{ name: "main", plugins: ["A", "B"] }],
  cases: [
    {
      id: "everything-continues",
      what: "Maps in each callback when every answer is Continue.",
      shows: [10, 11],
      run: async (host) => {
        const script = `request_headers: ${everyMap} | request_body: ${everyMap} | request_trailers: ${everyMap}
          response_headers: ${everyMap} | response_body: ${everyMap} | response_trailers: ${everyMap}
          log: ${everyMap} | done: ${everyMap} | delete: ${everyMap}`;
        await host.ask({ ...withTrailers, script: { A: script } });
      },
    },
    {
      id: "writing-where-headers-went-on",
      what: "Writing a map that went on is BadArgument.",
      shows: [10, 13],
      run: async (host) => {
        const write = "add 0 x y; replace 0 x y; remove 0 x; setpairs 0 a=b; size 0";
        const answer = write.replaceAll(" 0 ", " 2 ").replace("size 0", "size 2");
        await host.ask({
          ...withTrailers,
          script: {
            A: `request_body: ${write} | request_trailers: ${write} | response_headers: ${write}
              response_body: ${answer} | response_trailers: ${answer} | log: ${write}; ${answer}`,
          },
        });
      },
    },
    {
      id: "trailers-of-both",
      what: "Trailers are read and changed in their callbacks.",
      shows: [],
      run: async (host) => {
        await host.ask({
          ...withTrailers,
          script: {
            A: `request_trailers: value 1 x-t; add 1 x-t 2; add 1 X-N n; size 1; pairs 1
              response_trailers: value 3 x-t; replace 3 x-t new; add 3 grpc-status 1; add 3 grpc-status 2; pairs 3; size 3`,
            B: "request_trailers: pairs 1 | response_trailers: pairs 3",
          },
        });
      },
    },
    {
      id: "trailers-made-in-the-last-body",
      what: "Adding to the trailers of the last body callback makes them; the filter itself gets no callback for them.",
      shows: [47],
      run: async (host) => {
        await host.ask({
          frames: ["body"],
          script: {
            A: `request_body: value 1 x; pairs 1; add 1 x-made yes; value 1 x-made; pairs 1; size 1
              request_trailers: pairs 1 | response_body: add 3 x-made too; pairs 3 | response_trailers: pairs 3`,
            B: "request_trailers: pairs 1 | response_trailers: pairs 3",
          },
        });
      },
    },
    {
      id: "trailers-made-by-asking-for-their-size",
      what: "Asking for the size of trailers in the last body callback makes empty ones.",
      shows: [47],
      run: async (host) => {
        await host.ask({
          frames: ["body"],
          script: {
            A: "request_body#1: size 1 | request_body#2: size 1; pairs 1",
            B: "request_trailers: pairs 1",
          },
        });
      },
    },
    {
      id: "maps-of-a-reply",
      what: "After a reply of its own a plugin still holds the request's headers.",
      shows: [10],
      run: async (host) => {
        await host.ask({
          script: {
            A: `request_headers: reply 418 teapot x-why=because
              response_headers: value 0 :path; add 0 x-late 1; ${sizes}; pairs 2 | log: value 0 x-late; add 0 x-log 1; value 0 x-log; value 2 :status; ${sizes}
              done: value 0 x-late; value 2 :status`,
          },
        });
      },
    },
    {
      id: "logged-maps",
      what: "The log sees the request's headers as they were changed, the answer's as the client gets them.",
      shows: [1],
      run: async (host) => {
        await host.ask({
          ...withTrailers,
          script: {
            A: `request_headers: add 0 x-by a | response_headers: add 2 x-by a
              log: value 0 x-by; value 2 x-by; value 2 server; value 3 x-t; value 1 x-t; pairs 1; size 0; size 2; size 3`,
            B: "request_headers: add 0 x-by b; remove 0 x-gone | response_headers: add 2 x-by b",
          },
        });
      },
    },
    {
      id: "without-method",
      what: "Without :method the router answers 503.",
      shows: [],
      run: async (host) => {
        await host.ask({
          script: {
            A: "request_headers: remove 0 :method | response_headers: pairs 2; prop upstream,request_attempt_count; propsize upstream,port | log: prop response,code_details; prop response,flags; prop response,code; value 0 :method",
          },
        });
      },
    },
    {
      id: "without-path",
      what: "Without :path there is no route: 404.",
      shows: [],
      run: async (host) => {
        await host.ask({
          script: {
            A: "request_headers: remove 0 :path | response_headers: pairs 2; prop xds,route_name; prop xds,cluster_name; prop xds,virtual_host_name | log: prop response,code_details; prop response,flags; prop xds,route_name; prop xds,cluster_name; prop xds,virtual_host_name; prop upstream,request_attempt_count; prop upstream,num_endpoints",
          },
        });
      },
    },
    {
      id: "empty-path",
      what: "What becomes of a request with an empty :path.",
      shows: [],
      run: async (host) => {
        await host.ask({
          script: {
            A: "request_headers: replace 0 :path ~ | response_headers: value 2 :status | log: prop response,code_details",
          },
        });
      },
    },
    {
      id: "without-forwarded-proto",
      what: "Without x-forwarded-proto there is no route; with any value there is.",
      shows: [48],
      run: async (host) => {
        await host.ask({
          script: {
            A: "request_headers: remove 0 x-forwarded-proto | log: prop response,code_details",
          },
        });
        await host.ask({
          script: {
            A: "request_headers: replace 0 x-forwarded-proto ~ | log: prop response,code_details",
          },
        });
        await host.ask({
          script: {
            A: "request_headers: replace 0 x-forwarded-proto x | log: prop response,code_details",
          },
        });
      },
    },
    {
      id: "without-authority",
      what: "What becomes of a request without :authority.",
      shows: [],
      run: async (host) => {
        await host.ask({
          script: {
            A: "request_headers: remove 0 :authority | response_headers: value 2 :status | log: prop response,code_details",
          },
        });
      },
    },
    {
      id: "without-scheme",
      what: "What becomes of a request without :scheme.",
      shows: [],
      run: async (host) => {
        await host.ask({
          script: {
            A: "request_headers: remove 0 :scheme | response_headers: value 2 :status | log: prop response,code_details",
          },
        });
      },
    },
    {
      id: "without-status",
      what: "Without :status the client gets 502.",
      shows: [],
      run: async (host) => {
        await host.ask({
          script: {
            A: "response_headers: remove 2 :status | response_body: pairs 2 | log: prop response,code_details; prop response,code; pairs 2",
          },
        });
      },
    },
    {
      id: "status-of-a-reply-removed",
      what: "Removing :status from a local reply.",
      shows: [],
      run: async (host) => {
        await host.ask({
          script: {
            A: "request_headers: reply 403 no | response_headers: remove 2 :status | log: prop response,code_details",
          },
        });
      },
    },
    {
      id: "status-changed",
      what: "A changed :status is what the client gets, and what the log says.",
      shows: [],
      run: async (host) => {
        await host.ask({
          script: {
            A: "response_headers: replace 2 :status 299; prop response,code | log: prop response,code; value 2 :status",
          },
        });
      },
    },
  ],
};
