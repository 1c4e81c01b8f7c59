/** Where Envoy sends requests and calls to. */
import { address, extensions } from "./json.ts";
import type { Json } from "./json.ts";

export interface ClusterSpec {
  readonly name: string;
  /** Absent: a cluster without hosts. */
  readonly port?: number;
  /** "http1" when absent, with trailers. */
  readonly protocol?: "http1" | "http2";
}

export function cluster(spec: ClusterSpec): Json {
  const { name, port, protocol = "http1" } = spec;
  const endpoints =
    port === undefined ? [] : [{ lb_endpoints: [{ endpoint: { address: address(port) } }] }];
  const explicit =
    protocol === "http2"
      ? { http2_protocol_options: {} }
      : { http_protocol_options: { enable_trailers: true } };
  const options = `${extensions}upstreams.http.v3.HttpProtocolOptions`;
  return {
    name,
    connect_timeout: "2s",
    type: "STATIC",
    load_assignment: { cluster_name: name, endpoints },
    typed_extension_protocol_options: {
      "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
        "@type": options,
        explicit_http_config: explicit,
      },
    },
  };
}
