/** Foreign functions of Envoy: compression, signatures, declared properties, filter state, the route cache. */
import { keys } from "../signed.ts";
import { fieldText as text, fieldNumber as number, message } from "../wire.ts";
import type { ProbeCase, ProbeSuite } from "../probe.ts";

const hex = (text: string): string => Buffer.from(text, "latin1").toString("hex") || "~";

const declare = (name: string, options: Readonly<Record<number, number>> = {}): string =>
  `foreign declare_property ${message(text(1, name), ...Object.entries(options).map(([field, value]) => number(Number(field), value)))}`;

const put = (key: string, value: string, span?: number): string =>
  `foreign set_envoy_filter_state ${message(text(1, key), text(2, value), ...(span === undefined ? [] : [number(3, span)]))}`;

const putAndRead = (
  key: string,
  values: readonly string[],
  fields: readonly string[] = [],
): string =>
  values
    .map((value) =>
      [
        put(key, value),
        `prop filter_state,${key}`,
        ...fields.map((field) => `prop filter_state,${key},${field}`),
      ].join("; "),
    )
    .join("; ");

function scripted(
  id: string,
  what: string,
  shows: readonly number[],
  script: string | Readonly<Record<string, string>>,
): ProbeCase {
  return { id, what, shows, run: async (host) => void (await host.ask({ script })) };
}

const verify = (...fields: readonly string[]): string =>
  `foreign verify_signature ${message(...fields)}`;
const sign = (...fields: readonly string[]): string => `foreign sign ${message(...fields)}`;
const addresses = [
  "127.0.0.1:80",
  "[::1]:443",
  "[2001:DB8::0:1]:1",
  "127.0.0.1",
  "1.2.3.4:65536",
  "x:1",
  "",
];

export const suite: ProbeSuite = {
  name: "foreign-functions",
  what: "Foreign functions that Envoy offers.",
  plugins: [
    {
      name: "A",
      configuration: `configure: ${declare("text", { 3: 1 })}; ${declare("once", { 2: 1 })}; ${declare("flat", { 3: 2 })}; ${declare("long", { 5: 2 })}; ${declare("text")}; ${declare("odd", { 3: 9, 5: 9 })}; ${put("envoy.tcp_proxy.cluster", "c")}; foreign clear_route_cache ~; foreign compress ${hex("root")}`,
    },
    { name: "B" },
  ],
  cases: [
    scripted("unknown", "An unknown name is NotFound and nothing is written.", [45], {
      A: "request_headers: foreign nope ~; foreign ~ ~; foreign Compress ~; foreign get_log_level ~; foreign inject_encoded_data_to_filter_chain ~; foreign set_upstream_override_host ~",
    }),
    scripted("compress", "zlib streams, of nothing too.", [45], {
      A: `request_headers: foreign compress ~; foreign compress ${hex("hello hello hello hello")}; foreign compress ${hex(Array.from({ length: 200 }, (_, i) => String.fromCharCode((i * 7919) % 251)).join(""))}`,
    }),
    scripted(
      "uncompress",
      "The bytes of a zlib stream, whatever follows it; SerializationFailure for what is none.",
      [45],
      {
        A: "request_headers: foreign uncompress 789ccb48cdc9c957c8402701680308b1; foreign uncompress 789c030000000001; foreign uncompress 789ccb48cdc9c957c8402701680308b10000; foreign uncompress 789ccb48cdc9c957c84027; foreign uncompress 789ccb48cdc9c957c8402701680308b2; foreign uncompress ~; foreign uncompress 00; foreign uncompress 1f8b0800000000000003cb48cdc9c9070086a6103605000000; foreign uncompress 78bb062c0215",
      },
    ),
    scripted(
      "clear-route-cache",
      "Ok, on a stream and on a root, whatever the argument.",
      [45, 48],
      {
        A: "request_headers: foreign clear_route_cache ~; foreign clear_route_cache ff; effective $root; foreign clear_route_cache ~",
      },
    ),
    scripted(
      "declare-property",
      "A name is declared once a context; what is no message is BadArgument.",
      [],
      {
        A: `request_headers: ${declare("here")}; ${declare("here")}; ${declare("text")}; foreign declare_property ~; foreign declare_property ~; foreign declare_property 0a; foreign declare_property 0a01ff; foreign declare_property 0b0c; foreign declare_property 0c; foreign declare_property 08; foreign declare_property 0801; foreign declare_property 0d00000000; foreign declare_property 0a0178aa01027a7a`,
      },
    ),
    scripted(
      "declared-types",
      "Declared types are read back as they were set; a read-only name takes one value.",
      [34],
      {
        A: "request_headers: setprop text hello; prop text; prop filter_state,wasm.text; setprop flat %01%02; prop flat; setprop once 1; setprop once 2; prop once; setprop long L; prop long; prop filter_state,wasm.long; setprop odd o; prop odd",
        B: "request_headers: prop text; prop once; setprop once 3; setprop text by-B; prop text; prop long",
      },
    ),
    scripted(
      "declared-in-a-stream",
      "A declaration made in a stream's callback is without effect there.",
      [],
      {
        A: `request_headers: ${declare("mine", { 2: 1 })}; setprop mine 1; setprop mine 2; prop mine; effective $root; ${declare("mine", { 2: 1 })}`,
      },
    ),
    scripted("connection-property-later", "A property of the connection is gone with it.", [], {
      A: "request_headers: prop long; prop once",
    }),
    scripted("filter-state-texts", "Objects that are texts.", [], {
      A: `request_headers: ${["envoy.hashable_string", "envoy.network.network_namespace", "envoy.network.upstream_server_name", "envoy.network.upstream_subject_alt_names", "envoy.tcp_proxy.cluster", "envoy.upstream.dynamic_host", "envoy.ai.model.request"].map((key) => putAndRead(key, ["", "a,b"], ["x"])).join("; ")}`,
      B: "request_headers: prop filter_state,envoy.hashable_string; prop envoy.hashable_string",
    }),
    scripted("filter-state-numbers", "Objects that are numbers, and a flag.", [], {
      A: `request_headers: ${["envoy.ratelimit.hits_addend", "envoy.tcp_proxy.per_connection_idle_timeout_ms", "envoy.upstream.dynamic_port"].map((key) => putAndRead(key, ["", "x", "7", "+8", " 9 ", "-1", "010", "0", "65535", "65536", "4294967295", "4294967296", "18446744073709551615", "18446744073709551616"])).join("; ")}; ${putAndRead("envoy.tcp_proxy.disable_tunneling", ["true", "false", "True", "1", ""])}`,
    }),
    scripted("filter-state-addresses", "Objects that are addresses have fields.", [], {
      A: `request_headers: ${["envoy.filters.listener.original_dst.local_ip", "envoy.network.transport_socket.original_dst_address"].map((key) => putAndRead(key, addresses, ["ip", "port", "x"])).join("; ")}`,
    }),
    scripted("filter-state-ip", "An object that is an address without a port.", [], {
      A: `request_headers: ${putAndRead("envoy.network.ip", ["127.0.0.1", "::1", "2001:DB8::0:1", "127.0.0.1:80", "1.2.3", "01.2.3.4", "x", ""])}`,
    }),
    scripted(
      "filter-state-others",
      "Objects that cannot be read, keys that have no object, what is no message.",
      [],
      {
        A: `request_headers: ${putAndRead("envoy.network.application_protocols", ["h2"])}; ${putAndRead("envoy.router.debug_config", [""])}; ${putAndRead("envoy.nope", ["1"])}; ${putAndRead("wasm.x", ["1"])}; foreign set_envoy_filter_state ~; foreign set_envoy_filter_state ff; effective $root; ${put("envoy.tcp_proxy.cluster", "c")}; ${put("envoy.nope", "c")}; ${put("envoy.upstream.dynamic_port", "x")}`,
      },
    ),
    scripted("filter-state-spans", "A name keeps the life span of its first value.", [], {
      A: `request_headers: ${put("envoy.hashable_string", "one", 0)}; prop filter_state,envoy.hashable_string; ${put("envoy.hashable_string", "two", 0)}; prop filter_state,envoy.hashable_string; ${put("envoy.hashable_string", "three", 2)}; prop filter_state,envoy.hashable_string; ${put("envoy.upstream.dynamic_host", "four", 1)}; ${put("envoy.upstream.dynamic_host", "five", 0)}; prop filter_state,envoy.upstream.dynamic_host; ${put("envoy.upstream.dynamic_host", "six", 9)}; prop filter_state,envoy.upstream.dynamic_host | log: prop filter_state,envoy.hashable_string`,
    }),
    scripted("verify-signature", "Signatures of RSA and of a curve, keys in both forms.", [], {
      A: `request_headers: ${verify(text(1, "sha256"), text(2, keys.rsaPublicDer), text(3, keys.rsaSignature), text(4, "text"))}; ${verify(text(1, "SHA256"), text(5, keys.rsaPublicPem), text(3, keys.rsaSignature), text(4, "text"))}; ${verify(text(1, "sha256"), text(2, keys.ecPublicDer), text(3, keys.ecSignature), text(4, "text"))}; ${verify(text(1, "sha256"), text(2, keys.rsaPublicDer + "x"), text(3, keys.rsaSignature), text(4, "text"))}; ${verify(text(1, "sha256"), text(2, keys.rsaPublicDer), text(3, keys.rsaSignature), text(4, "other"))}; ${verify(text(1, "sha1"), text(2, keys.rsaPublicDer), text(3, keys.rsaSignature), text(4, "text"))}`,
    }),
    scripted(
      "verify-with-bad-keys",
      "A hash or key that cannot be used is Ok with an error; none and two are BadArgument.",
      [],
      {
        A: `request_headers: ${verify(text(1, "md5"), text(2, keys.rsaPublicDer))}; ${verify(text(2, keys.rsaPublicDer))}; ${verify(text(1, "sha256"), text(2, "xx"))}; ${verify(text(1, "sha256"), text(5, "xx"))}; ${verify(text(1, "sha256"), text(2, keys.edPublicDer))}; ${verify(text(1, "sha256"), text(5, keys.rsaPrivatePem))}; ${verify(text(1, "sha256"))}; ${verify(text(1, "sha256"), text(2, "x"), text(5, "x"))}; ${verify(text(1, "\xff"), text(2, keys.rsaPublicDer))}; foreign verify_signature ff`,
      },
    ),
    scripted("sign", "An RSA signature is the same each time.", [], {
      A: `request_headers: ${sign(text(1, "sha256"), text(2, keys.rsaPrivateDer), text(3, "text"))}; ${sign(text(1, "sha256"), text(4, keys.rsaPrivatePem), text(3, "text"))}; ${sign(text(1, "Sha512"), text(4, keys.rsaPkcs1Pem), text(3, ""))}`,
    }),
    scripted("sign-with-bad-keys", "Keys that sign nothing.", [], {
      A: `request_headers: ${sign(text(1, "sha256"), text(2, keys.rsaPkcs1Der), text(3, "text"))}; ${sign(text(1, "md5"), text(2, keys.rsaPrivateDer))}; ${sign(text(1, "sha256"), text(2, "xx"))}; ${sign(text(1, "sha256"), text(4, "xx"))}; ${sign(text(1, "sha256"), text(2, keys.edPrivateDer))}; ${sign(text(1, "md5"), text(2, "xx"))}; ${sign(text(1, "sha256"), text(4, keys.rsaPublicPem))}; ${sign(text(1, "sha256"))}; ${sign(text(1, "sha256"), text(2, "x"), text(4, "x"))}; foreign sign ff`,
    }),
    scripted("after-the-request", "Functions in other callbacks.", [], {
      A: `response_headers: foreign clear_route_cache ~; ${putAndRead("envoy.hashable_string", ["late"])} | log: ${putAndRead("envoy.hashable_string", ["later"])}; foreign clear_route_cache ~ | done: ${putAndRead("envoy.hashable_string", ["last"])}`,
    }),
  ],
};
