/** Properties: every attribute in the phases of a stream and on a root, and what plugins set themselves. */
import type { ProbeCase, ProbeRequest, ProbeSuite } from "../probe.ts";

const props = (paths: string): string =>
  paths
    .trim()
    .split(/\s+/)
    .map((path) => `prop ${path}`)
    .join("; ");

const sizes = (paths: string): string => props(paths).replaceAll("prop ", "propsize ");

/** Without `id`, `time` and `headers`, whose values are nobody's to foretell. */
const requestPaths = props(
  `request,path request,url_path request,query request,host request,scheme request,method request,useragent
  request,referer request,headers,x-foo request,headers,X-FOO request,headers,:path request,headers,host
  request,headers,nope request,headers,bad%20name request,headers,%20 request,size request,protocol request,nope
  request,path,x request`,
);
const responsePaths = props(
  `response,code response,code_details response,flags response,grpc_status response,headers,:status
  response,headers,x-up response,headers,nope response,trailers response,trailers,x-t response,size response,nope
  response`,
);
const connectionPaths = props(
  `connection,mtls connection,requested_server_name connection,tls_version connection,subject_local_certificate
  connection,subject_peer_certificate connection,dns_san_local_certificate connection,dns_san_peer_certificate
  connection,uri_san_local_certificate connection,uri_san_peer_certificate
  connection,sha256_peer_certificate_digest connection,peer_certificate connection,termination_details
  connection,transport_failure_reason connection,nope connection source destination source,nope`,
);
const upstreamPaths = props(
  `upstream,locality upstream,locality,zone upstream,transport_failure_reason upstream,request_attempt_count
  upstream,num_endpoints upstream,tls_version upstream,nope upstream upstream_filter_state
  upstream_filter_state,x`,
);
const xdsPaths = props(
  `xds xds,nope xds,cluster_name xds,route_name xds,virtual_host_name xds,filter_chain_name xds,listener_direction
  xds,cluster_metadata xds,route_metadata xds,virtual_host_metadata xds,listener_metadata xds,upstream_host_metadata
  xds,upstream_host_locality_metadata xds,route_metadata,filter_metadata xds,route_metadata,filter_metadata,x`,
);
const nodePaths = props(
  `xds,node,id xds,node,cluster xds,node,nope xds,node,metadata xds,node,metadata,x xds,node,locality
  xds,node,locality,zone xds,node,user_agent_name xds,node,user_agent_version xds,node,extensions,x
  xds,node,extensions,99999 xds,node,extensions,-1 xds,node,client_features xds,node,dynamic_parameters
  xds,node,listening_addresses xds,node,user_agent_build_version,version,minor_number
  xds,node,user_agent_build_version,version`,
);
const oddPaths = props(
  `~ %00 plugin_name plugin_name, plugin_name,x plugin_root_id plugin_vm_id nope request.path wasm.nope node
  cluster_name route_name listener_direction listener_metadata cluster_metadata route_metadata
  upstream_host_metadata metadata metadata,filter_metadata metadata,filter_metadata,x metadata,typed_filter_metadata
  metadata,nope filter_state filter_state,nope`,
);

const headers = [
  ["x-foo", "a"],
  ["x-foo", "b"],
  ["user-agent", "tester"],
  ["referer", "there"],
] as const;
const request: ProbeRequest = {
  path: "/a?b=c?d",
  headers,
  frames: ["hello"],
  upstream: {
    status: 201,
    headers: [["x-up", "1"]],
    frames: ["ok", "!"],
    trailers: [["x-t", "2"]],
  },
};

function scripted(
  id: string,
  what: string,
  shows: readonly number[],
  script: ProbeRequest["script"] & {},
  more: ProbeRequest = {},
): ProbeCase {
  return {
    id,
    what,
    shows,
    run: async (host) => void (await host.ask({ ...request, ...more, script })),
  };
}

export const suite: ProbeSuite = {
  name: "properties",
  what: "Properties of streams and roots.",
  plugins: [
    {
      name: "A",
      rootId: "the-root",
      vmId: "the-vm",
      configuration: `configure: ${oddPaths}; ${nodePaths}; prop xds; prop xds,route_name; prop request,path; prop connection_id; setprop mine v; prop mine`,
    },
    { name: "B" },
  ],
  listeners: [
    { name: "main", plugins: ["A", "B"] },
    { name: "direct", plugins: ["A"], directResponse: { status: 202, body: "direct" } },
  ],
  cases: [
    scripted(
      "request-headers",
      "In request_headers the request's attributes are there, the answer's are not.",
      [33],
      {
        A: `request_headers: ${requestPaths}; ${responsePaths}`,
      },
    ),
    scripted(
      "request-connection",
      "Connection, upstream and configuration in request_headers.",
      [33],
      {
        A: `request_headers: ${connectionPaths}; ${upstreamPaths}; ${xdsPaths}`,
      },
    ),
    scripted("odd-paths", "Names that are none, empty components, old names, metadata.", [33], {
      A: `request_headers: ${oddPaths}`,
    }),
    scripted(
      "sizes-of-binary-values",
      "Times, ports and ids are eight bytes, a bool is one.",
      [33],
      {
        A: `request_headers: ${sizes("request,time request,total_size request,headers_bytes source,port destination,port connection,id connection_id connection,mtls response,size request,duration response,backend_latency upstream,cx_pool_ready_duration upstream,port upstream,address upstream,local_address request,id")}
        log: ${sizes("request,time request,duration response,backend_latency response,total_size response,headers_bytes upstream,cx_pool_ready_duration upstream,port connection_id")}`,
      },
    ),
    scripted("request-body", "What stands in headers is not found once they went on.", [10, 33], {
      A: `request_body: ${requestPaths} | request_body#2: prop request,size; prop request,total_size; prop request,headers`,
    }),
    scripted("response-headers", "In response_headers.", [33], {
      A: `response_headers: ${requestPaths}; ${responsePaths}; ${upstreamPaths}; ${xdsPaths}`,
    }),
    scripted("response-body", "In the answer's body: sizes grow.", [33], {
      A: `response_body: prop response,size; prop response,code; prop response,headers,:status; prop response,total_size; prop response,headers_bytes`,
      B: "response_body: prop response,size",
    }),
    scripted("response-trailers", "In the answer's trailers.", [33], {
      A: `response_trailers: ${responsePaths}; prop response,total_size`,
    }),
    scripted("log", "In the log everything is known.", [33], {
      A: `log: ${requestPaths}; ${responsePaths}; ${upstreamPaths}; ${xdsPaths}`,
    }),
    scripted("done", "In done the headers are gone, the rest is there.", [33], {
      A: `done: ${requestPaths}; ${responsePaths}; ${upstreamPaths}`,
    }),
    scripted("root", "A root has the plugin's attributes and the node.", [33], {
      A: `request_headers: effective $root; ${oddPaths}; ${nodePaths}; ${xdsPaths}; prop request; prop connection; prop upstream; prop connection_id; setprop mine v; prop mine; effective 0; prop request,method`,
    }),
    scripted("node", "Parts of the node.", [], { A: `request_headers: ${nodePaths}` }),
    scripted(
      "direct-response",
      "A direct response has a route and no cluster.",
      [],
      `request_headers: ${xdsPaths}; ${upstreamPaths} | log: ${responsePaths}; ${upstreamPaths}`,
      { listener: "direct" },
    ),
    scripted("local-reply", "A reply of its own: no upstream, details as given.", [], {
      A: `request_headers: reply 403 no - -1 why%20so%09strange | response_headers: ${responsePaths} | log: ${responsePaths}; ${upstreamPaths}`,
    }),
    {
      id: "upstream-breaks",
      what: "The upstream breaks before it has answered.",
      run: async (host) => {
        const script = `response_headers: ${responsePaths}; ${upstreamPaths} | log: ${responsePaths}`;
        await host.ask({ script: { A: script }, upstream: { resetAtOnce: true } });
      },
    },
    scripted(
      "grpc-status",
      "The gRPC status is the trailers', else the headers'; what is no number is -1.",
      [],
      {
        A: "response_headers: prop response,grpc_status; add 2 grpc-status 7; prop response,grpc_status; replace 2 grpc-status x; prop response,grpc_status; replace 2 grpc-status 17; prop response,grpc_status; replace 2 grpc-status 16; prop response,grpc_status; replace 2 grpc-status ~; prop response,grpc_status; remove 2 grpc-status | response_trailers: add 3 grpc-status 3; prop response,grpc_status",
      },
    ),
    scripted(
      "changed-headers",
      "Attributes follow changed headers; a content-length decides the size.",
      [],
      {
        A: "request_headers: replace 0 :path /new?x=y#z; prop request,path; prop request,url_path; prop request,query; replace 0 :path /only#frag; prop request,url_path; prop request,query; remove 0 :path; prop request,path; prop request,url_path; prop request,query; replace 0 :path /p; replace 0 content-length 12; prop request,size; replace 0 content-length x; prop request,size; replace 0 content-length ~; prop request,size; replace 0 content-length +7; prop request,size; replace 0 content-length -7; prop request,size; replace 0 content-length 99999999999999999999; prop request,size; remove 0 content-length; prop request,size; add 0 x-foo c; prop request,headers,x-foo",
      },
    ),
    scripted(
      "set-property",
      "What a plugin sets is there for the others, in this stream alone.",
      [34],
      {
        A: "request_headers: setprop mine one; prop mine; prop filter_state,wasm.mine; prop filter_state,mine; setprop mine two; setprop empty ~; prop empty; prop mine,x; prop mine, | response_headers: prop mine | log: setprop late 3; prop late; prop mine | done: prop mine; setprop later 4; prop later",
        B: "request_headers: prop mine; setprop mine three | log: prop mine",
      },
    ),
    scripted(
      "route-after-a-change",
      "A changed header makes the route be found again; its names stay.",
      [48],
      {
        A: "request_headers: add 0 x-new 1; prop xds,route_name; prop xds,cluster_name; prop xds,virtual_host_name; prop xds,route_metadata; prop upstream,num_endpoints; foreign clear_route_cache ~; prop xds,route_name; prop xds,cluster_name; prop xds,virtual_host_name",
        B: "request_headers: prop xds,route_name; prop xds,cluster_name; prop xds,virtual_host_name; remove 0 x-forwarded-proto; prop xds,route_name; prop xds,cluster_name; replace 0 x-forwarded-proto http; prop xds,route_name",
      },
    ),
    scripted("property-of-the-last-stream", "A later stream has none of it.", [34], {
      A: "request_headers: prop mine; prop late",
    }),
    scripted("set-attribute", "Setting an attribute is Ok and changes nothing.", [34], {
      A: "request_headers: setprop request,path /x; prop request,path; setprop plugin_name x; prop plugin_name; setprop request x; prop request; prop filter_state,wasm.request; setprop a,b v; prop a,b; prop a; setprop ~ v; prop ~; prop filter_state,wasm.; setprop a, v; prop a",
    }),
    scripted("bad-memory", "Paths and values out of bounds.", [], {
      A: "request_headers: setprop mine ^outside; prop mine; setprop mine %00%FF; prop mine",
    }),
  ],
};
