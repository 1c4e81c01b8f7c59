import { envoyOf, hostEvents, timeline, type Setup } from "../envoy/guests.ts";

export type Envoy = ReturnType<typeof envoyOf>;

/** A plugin that ticks every second, and whatever else its words say. */
export function tickingOf(life: Uint8Array, words = "", options: Setup = {}): Envoy {
  return envoyOf(life, { configuration: `tick=1000 ${words}`, clusters: { up: {} }, ...options });
}

export function tickSeconds(envoy: Envoy, thread: string): number[] {
  return timeline(envoy)
    .filter((line) => new RegExp(` ${thread}#\\d+ on_tick id=`).test(line))
    .map((line) => Number(line.split(" ")[0]) / 1000);
}

export function outcome(envoy: Envoy, name: string) {
  return hostEvents(envoy, name).map(({ status, result, args, thread }) => ({
    status,
    result,
    args,
    thread,
  }));
}
