/** What a host function is about, so that a list of imports reads as a list of needs. */
const areas: readonly (readonly [area: string, names: RegExp])[] = [
  [
    "log and time",
    /^proxy_(log|get_log_level|get_current_time_nanoseconds|set_tick_period_milliseconds)$/,
  ],
  ["life cycle", /^proxy_(get_status|set_effective_context|done)$/],
  ["headers", /^proxy_.*header_map/],
  ["bodies", /^proxy_.*buffer|^proxy_inject_/],
  ["streams", /^proxy_(continue_|close_stream|send_local_response|clear_route_cache)/],
  ["HTTP calls", /^proxy_http_call$/],
  ["gRPC calls", /^proxy_grpc_/],
  ["Redis calls", /^proxy_redis_/],
  ["shared data", /^proxy_[gs]et_shared_data$/],
  ["shared queues", /_shared_queue$/],
  ["metrics", /^proxy_.*_metric$/],
  ["properties", /^proxy_([gs]et_property|get_configuration)$/],
  ["foreign functions", /^proxy_call_foreign_function$/],
  ["upstream hosts", /_upstream_|resolve_dns/],
];

/** Areas in a fixed order, each with its imports in the module's order. */
export function byArea(
  imports: readonly { readonly module: string; readonly name: string }[],
): Map<string, string[]> {
  const found = new Map<string, string[]>(areas.map(([area]) => [area, []]));
  for (const { module, name } of imports) {
    const isWasi = module.startsWith("wasi_");
    const area = isWasi
      ? "WASI"
      : (areas.find(([, names]) => module === "env" && names.test(name))?.[0] ?? "other");
    const list = found.get(area) ?? [];
    list.push(module === "env" || isWasi ? name : `${module}.${name}`);
    found.set(area, list);
  }
  return new Map([...found].filter(([, names]) => names.length > 0));
}
