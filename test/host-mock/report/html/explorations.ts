/** Results of searches, as reports get them. */
import type { Exploration, ExplorationStep } from "../../../../host-mock/report/index.ts";

/** A search that saw everything there is within its bounds. */
export const proof: Exploration = {
  title: "the shipped election, 3 VMs",
  file: "p7.yaml",
  strategy: "exhaustive",
  seed: null,
  bounds: { ticks: 2, time_steps: 1 },
  vms: 3,
  schedules: null,
  states: 2_535_551,
  steps: 5_295_097,
  depth: 31,
  complete: true,
  cutBy: null,
  seconds: 461,
  violations: { single_winner: 0 },
  missed: [],
  statesByDepth: [1, 3, 9, 20],
  violation: null,
};

const key = "higress_wasm_vm_lease:p0";

function step(vm: string, call: string, more: Partial<ExplorationStep> = {}): ExplorationStep {
  return { vm, call, args: {}, status: null, result: null, leaders: [], ...more };
}

const set = (value: string, cas: number): ExplorationStep["args"] => ({ key, value, cas });

/** Two VMs find no lease and both write one. */
export const counterexample: Exploration = {
  ...proof,
  title: "wasm-go's recipe, 2 VMs × 2 ticks",
  file: "p0.yaml",
  vms: 2,
  states: 472,
  steps: 760,
  depth: 7,
  complete: false,
  cutBy: "violation",
  seconds: 0.4,
  violations: { single_winner: 1 },
  replay: "npx proxy-wasm-as replay p0.yaml",
  violation: {
    property: "single_winner",
    text: "main worker_0 main time worker_0 crash:main worker_0",
    steps: [
      step("main", "proxy_get_shared_data", { args: { key }, status: "NotFound" }),
      step("worker_0", "proxy_get_shared_data", { args: { key }, status: "NotFound" }),
      step("main", "proxy_set_shared_data", {
        args: set("{}", 0),
        status: "Ok",
        leaders: ["main"],
      }),
      step("", "time", { args: { by: "1s" }, leaders: ["main"] }),
      step("worker_0", "proxy_set_shared_data", {
        ...{ args: set("{}", 0), status: "Ok", leaders: ["main", "worker_0"] },
      }),
      step("main", "crash:main", { leaders: ["worker_0"] }),
      step("worker_0", "proxy_set_shared_data", {
        ...{ args: set("{}", 1), status: "CasMismatch", leaders: ["worker_0"] },
      }),
    ],
  },
};
