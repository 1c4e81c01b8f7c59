// Steps a second of the explorer on the published SDK's elector, and what each reduction saves, for 2 to 4 VMs.
import { exploredWorld, exploreScenario, parseScenario } from "../dist/index.js";
import { join } from "node:path";
import { alternate, compile, compiledPath, median, root } from "./measure.js";

const entry = "bench/guests/elector.ts";
compile(entry, ["--config", "asconfig.json", "--target", "release"]);
const wasm = join(root, compiledPath(entry));
const scenario = (vms) =>
  parseScenario(
    "bench.yaml",
    `name: bench
concurrency: ${Math.max(1, vms - 1)}
duration: 1s
plugins: [{name: elector, wasm: ${JSON.stringify(wasm)}}]
explore: {vms: {elector: ${vms}}}
`,
  );

const seconds = (work) => {
  const start = performance.now();
  const result = work();
  return { ...result, seconds: (performance.now() - start) / 1000 };
};

/** Random walks in one world: nearly every step has been taken before, and moves numbers only. */
function remembered() {
  const world = exploredWorld(scenario(2), { bounds: { ticks: 2, time_steps: 1 } });
  const state = new Int32Array(world.stateSize * 2);
  let draws = 1;
  const walk = (steps) => {
    let at = 0;
    world.begin(state, at);
    for (let i = 0; i < steps; i++) {
      const mask = world.choices(state, at);
      if (mask === 0) {
        world.begin(state, at);
        continue;
      }
      draws = (Math.imul(draws, 1103515245) + 12345) >>> 0;
      let rest = mask;
      for (let skip = (draws >>> 16) % bits(mask); skip > 0; skip--) rest &= rest - 1;
      const next = world.stateSize - at;
      world.step(state, at, 31 - Math.clz32(rest & -rest), state, next);
      at = next;
    }
  };
  walk(300_000);
  const steps = 500_000;
  const { seconds: took } = seconds(() => void walk(steps));
  return steps / took;
}

function bits(mask) {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Every host call runs wasm: from a suspended guest to its next call, back and forth between two guests. */
function everyStepInWasm() {
  const world = exploredWorld(scenario(2), { bounds: { ticks: 1000 } });
  let steps = 0;
  const began = performance.now();
  let state = new Int32Array(world.stateSize);
  let next = new Int32Array(world.stateSize);
  world.begin(state, 0);
  while (steps < 20_000) {
    const mask = world.choices(state, 0);
    if (mask === 0) break;
    world.step(state, 0, (mask & 3) === 3 ? steps & 1 : mask & 1 ? 0 : 1, next, 0);
    [state, next] = [next, state];
    steps++;
  }
  const runs = world.guests.reduce((sum, { runCount }) => sum + runCount, 0);
  return runs / ((performance.now() - began) / 1000);
}

console.log("explorer on the published elector (median of 5, alternating)");
const samples = alternate({ remembered, everyStepInWasm }, 5);
console.log(
  `  steps/s, answers remembered: ${Math.round(median(samples.remembered)).toLocaleString("en-US")} (aim 100,000)`,
);
console.log(
  `  runs of wasm/s, none remembered: ${Math.round(median(samples.everyStepInWasm)).toLocaleString("en-US")}`,
);

console.log("\nwhat each reduction saves (1 tick each, one time step; then 2 ticks each)");
console.log(
  "  VMs  ticks  time  reduction            schedules       states        steps  seconds",
);
for (const [vms, ticks, time] of [
  [2, 1, 1],
  [3, 1, 0],
  [4, 1, 0],
  [2, 2, 0],
  [3, 2, 0],
  [2, 2, 1],
]) {
  const bounds = { ticks, time_steps: time };
  const small = vms * ticks <= 3;
  const rows = [
    ...(small ? [["none", { symmetry: false, search: { merging: false } }]] : []),
    ["merging", { symmetry: false }],
    ["merging, sleep sets", { symmetry: false, search: { sleepSets: true } }],
    ["merging, symmetry", {}],
    ["all three", { search: { sleepSets: true } }],
  ];
  for (const [name, options] of rows) {
    const found = seconds(() => exploreScenario(scenario(vms), { bounds, ...options }).search);
    const cell = (value, width) =>
      (value === null ? "–" : value.toLocaleString("en-US")).padStart(width);
    console.log(
      `  ${String(vms).padEnd(4)} ${String(ticks).padEnd(6)} ${String(time).padEnd(5)} ${name.padEnd(20)} ${cell(found.schedules, 9)} ${cell(found.states, 12)} ${cell(found.steps, 12)} ${found.seconds.toFixed(2).padStart(8)}${found.complete ? "" : ` cut by ${found.cutBy}`}`,
    );
  }
}
