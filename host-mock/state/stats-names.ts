/**
 * What becomes of a statistic's name on the Prometheus page. Names are binary strings.
 *
 * Source: Envoy `source/common/config/well_known_names.cc` (default tag extractors), `source/common/stats/
 * custom_stat_namespaces_impl.cc`, `source/server/admin/prometheus_stats.cc` (metricName).
 */
import { fromLatin1, lossyUtf8 } from "./bytes.ts";

/** Stands before every name that a plugin gives. */
export const pluginNamespace = "wasmcustom";

export interface TaggedName {
  /** Without the parts that became tags. */
  readonly name: string;
  /** `envoy_response_code="200"` */
  readonly tags: readonly string[];
}

/**
 * Takes out the parts that Envoy's default rules make tags of. Of those, three can meet a plugin's metric: its name ends
 * as a response code's statistic does, or begins as a local rate limit's.
 */
export function taggedName(name: string): TaggedName {
  const code = /_rq_(\d{3})$/.exec(name);
  if (code !== null) {
    const rest = name.slice(0, code.index);
    return { name: `${rest}_rq`, tags: [`envoy_response_code="${code[1]!}"`] };
  }
  const codeClass = /_rq_(\d)xx$/.exec(name);
  if (codeClass !== null) {
    const rest = name.slice(0, codeClass.index);
    return { name: `${rest}_rq_xx`, tags: [`envoy_response_code_class="${codeClass[1]!}"`] };
  }
  const rateLimit = /^([^.]+)\.(http_local_rate_limit\..+)$/s.exec(name);
  if (rateLimit !== null) {
    const [, prefix = "", rest = ""] = rateLimit;
    return { name: rest, tags: [`envoy_local_http_ratelimit_prefix="${prefix}"`] };
  }
  return { name, tags: [] };
}

/**
 * The name that Prometheus is told; undefined when it would begin with a digit. Envoy's own statistics begin with
 * `envoy_`, a plugin's as the plugin says.
 */
export function prometheusName(name: string): string | undefined {
  const own = `${pluginNamespace}.`;
  if (!name.startsWith(own)) return `envoy_${sanitized(name)}`;
  const exposed = sanitized(name.slice(own.length));
  return exposed === "" || /^[0-9]/.test(exposed) ? undefined : exposed;
}

function sanitized(name: string): string {
  return lossyUtf8(fromLatin1(name)).replace(/[^a-zA-Z0-9_]/gu, "_");
}
