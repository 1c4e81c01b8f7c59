import type { Interval, Life } from "../trace/life.ts";

export interface IdleOptions {
  readonly plugin: string;
  readonly endNs: number;
  /** Whether a context still stands for election while it drains (wasm-go's does; ours is superseded). */
  readonly drainingMayClaim: boolean;
}

/** The stretches of [0, endNs) in which no context of the plugin that may claim is alive on an unpaused thread. */
export function idleStretches(life: Life, options: IdleOptions): Interval[] {
  const steps: {
    readonly atNs: number;
    readonly thread: string;
    readonly alive: number;
    readonly paused: number;
  }[] = [];
  for (const context of life.contexts) {
    if (context.plugin !== options.plugin) continue;
    const untilNs = options.drainingMayClaim
      ? context.untilNs
      : (context.drainingNs ?? context.untilNs);
    steps.push({ atNs: context.fromNs, thread: context.thread, alive: 1, paused: 0 });
    steps.push({ atNs: untilNs, thread: context.thread, alive: -1, paused: 0 });
  }
  for (const pause of life.pauses) {
    steps.push({ atNs: pause.fromNs, thread: pause.thread, alive: 0, paused: 1 });
    steps.push({ atNs: pause.untilNs, thread: pause.thread, alive: 0, paused: -1 });
  }
  steps.sort((one, other) => one.atNs - other.atNs);

  const threads = new Map<string, { alive: number; paused: number }>();
  const idle: Interval[] = [];
  let awakeCount = 0;
  let idleSinceNs = 0;
  for (const [index, step] of steps.entries()) {
    const state = threads.get(step.thread) ?? { alive: 0, paused: 0 };
    threads.set(step.thread, state);
    const wasAwake = state.alive > 0 && state.paused === 0;
    state.alive += step.alive;
    state.paused += step.paused;
    awakeCount += Number(state.alive > 0 && state.paused === 0) - Number(wasAwake);
    // Only what stands after the last step of an instant has a length.
    if (steps[index + 1]?.atNs === step.atNs) continue;
    if (awakeCount === 0 && idleSinceNs < 0) idleSinceNs = step.atNs;
    if (awakeCount > 0 && idleSinceNs >= 0) {
      if (step.atNs > idleSinceNs) idle.push({ fromNs: idleSinceNs, untilNs: step.atNs });
      idleSinceNs = -1;
    }
  }
  if (idleSinceNs >= 0 && options.endNs > idleSinceNs)
    idle.push({ fromNs: idleSinceNs, untilNs: options.endNs });
  return idle;
}
