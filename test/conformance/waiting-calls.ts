/** Calls by which a scripted stream waits: the answer's callback is where it goes on. */
import type { ProbeCluster } from "./probe.ts";

/** Answer after about so long; the names say it. */
export const waitingClusters: readonly ProbeCluster[] = [
  { name: "soon", protocol: "http", answers: [{ delayMs: 20 }] },
  { name: "late", protocol: "http", answers: [{ delayMs: 110 }] },
];

/** The operation that makes such a call. */
export function callTo(cluster: "soon" | "late"): string {
  return `call ${cluster} :method=GET,:path=/,:authority=${cluster}.example ~ - 5000`;
}

/** The line of the answer's callback, in the stream that called. A module may not export `then`: `await import()` would call it. */
export function onAnswer(operations: string): string {
  return `http_call_response: effective $ctx; ${operations}`;
}
