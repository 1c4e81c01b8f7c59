/**
 * When a root's tick is due, as in Envoy: one timer a root, a fixed delay counted from the moment
 * it is armed. It is armed when the period is set and again when `proxy_on_tick` has returned, so
 * ticks drift by what they take, late ticks are never made up, and a blocked thread fires once.
 *
 * `lateNs` is the jitter of this one firing. Undefined: a period of 0, no timer.
 *
 * Source: Envoy `source/extensions/common/wasm/wasm.cc` (setTimerPeriod, tickHandler).
 */
export function tickDueNs(armedNs: number, periodMs: number, lateNs = 0): number | undefined {
  if (periodMs === 0) return undefined;
  return armedNs + periodMs * 1e6 + lateNs;
}
