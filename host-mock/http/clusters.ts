import { requireKeys } from "../did-you-mean.ts";
import type { TraceSubject } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import type { Recorder } from "../trace/recorder.ts";
import { Cluster } from "./cluster.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import { GrpcCluster } from "./grpc-cluster.ts";

/** The upstream clusters by name, whatever they speak. */
export class Clusters {
  readonly #recorder: Recorder;
  readonly #allowUndeclared: boolean;
  readonly #byName = new Map<string, Cluster | GrpcCluster>();

  /** E_OPTION for wrong answers. With `allowUndeclared` a name that nobody declared is made up when it is called. */
  constructor(
    recorder: Recorder,
    declared: Readonly<Record<string, ClusterOptions>>,
    allowUndeclared: boolean,
  ) {
    this.#recorder = recorder;
    this.#allowUndeclared = allowUndeclared;
    for (const [name, options] of Object.entries(declared)) {
      if (typeof options === "object" && options !== null && "redis" in options) {
        requireKeys(`cluster ${name}`, options, ["redis"]);
        // A Redis server closes the connection of whoever speaks HTTP to it.
        this.#byName.set(name, new Cluster(name, { fail: "disconnect" }));
        continue;
      }
      const isGrpc = typeof options === "object" && options !== null && "grpc" in options;
      this.#byName.set(name, isGrpc ? new GrpcCluster(name, options) : new Cluster(name, options));
    }
  }

  /** Those declared, and those made up so far. */
  get names(): string[] {
    return [...this.#byName.keys()];
  }

  /**
   * The cluster; undefined when there is none, which is noted. One that is made up answers everything: HTTP 200, gRPC
   * one empty message.
   */
  find(
    subject: TraceSubject,
    name: string,
    speaks: "http" | "grpc",
  ): Cluster | GrpcCluster | undefined {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (!this.#allowUndeclared) {
      this.#recorder.record(subject, "timer", HostEvent.undeclaredCluster, { cluster: name });
      return undefined;
    }
    const made =
      speaks === "http"
        ? new Cluster(name, {})
        : new GrpcCluster(name, { grpc: { messages: [""] } });
    this.#byName.set(name, made);
    return made;
  }
}
