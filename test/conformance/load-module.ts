/** What becomes of a module in a host of its own, in words that a real Envoy and the mock share. */
import { MockEnvoy, MockHostError } from "../../host-mock/index.ts";
import { latin1 } from "./bytes-shown.ts";
import type { ProbeHost } from "./probe.ts";
import type { LoggedLine } from "./transcript.ts";

/** Whether the host comes up with the module, and what was logged. */
export interface Loading {
  readonly outcome: "accepted" | "refused" | "crashed";
  readonly logged: readonly LoggedLine[];
}

/**
 * Lets a host of the probed kind come up with one plugin on every thread, with the VM configuration "abc", and writes
 * what came of it: the outcome, and the log thread by thread.
 */
export async function noteLoading(host: ProbeHost, bytes: Uint8Array): Promise<void> {
  const { outcome, logged } = await load(host, bytes);
  host.note(outcome);
  if (outcome === "crashed") return;
  let hasReason = false;
  for (const thread of ["main", "worker_0"]) {
    for (const { level, text } of logged.filter((line) => line.thread === thread)) {
      const isReason = reason.test(text);
      if (summary.test(text) || (isReason && hasReason)) continue;
      hasReason ||= isReason;
      host.note(`${thread} ${level}: ${text}`);
    }
  }
}

/** Why a module does not load. Envoy may find several faults; the mock stops at the first. */
const reason = /^(Bad function signature for|Wasm VM failed)/;

/** What Envoy says of every refusal, after its reason. */
const summary =
  /^Wasm VM failed Failed to (load Wasm code|initialize Wasm code|start base Wasm|configure base Wasm plugin)$|^Plugin .* failed to load$/;

async function load(host: ProbeHost, bytes: Uint8Array): Promise<Loading> {
  if (host.kind === "mock") return loadInMock(bytes);
  const { loadInEnvoy } = await import("../real-envoy/load-module.ts");
  return loadInEnvoy(bytes);
}

function loadInMock(wasm: Uint8Array): Loading {
  let envoy: MockEnvoy | undefined;
  try {
    envoy = new MockEnvoy({
      plugins: [
        { name: "module", rootId: "module", kind: "service", vmConfiguration: "abc", wasm },
      ],
    });
    envoy.start().advance("10ms");
    return { outcome: "accepted", logged: loggedBy(envoy) };
  } catch (error) {
    if (!(error instanceof MockHostError)) throw error;
    if (error.what.includes("a real Envoy crashes")) return { outcome: "crashed", logged: [] };
    if (envoy !== undefined) return { outcome: "refused", logged: loggedBy(envoy) };
    const reason = { thread: "main", plugin: "", level: "error", text: error.what };
    return { outcome: "refused", logged: [reason] };
  }
}

function loggedBy(envoy: MockEnvoy): LoggedLine[] {
  return envoy.trace
    .filter(({ event }) => event === "log")
    .map(({ thread, plugin, name, args }) => {
      const { message } = args;
      const text = message instanceof Uint8Array ? latin1(message) : JSON.stringify(message);
      return { thread, plugin, level: name, text };
    });
}
