/**
 * What the functions of `abi/` ask of the host around one VM. `envoy/` implements these interfaces;
 * the functions decode pointers, ask, and encode the answer, and know nothing of threads, streams
 * or clusters.
 */
import type { Recorder } from "../trace/recorder.ts";
import type { TraceSubject } from "../trace/event.ts";
import type { Clock } from "../time/clock.ts";
import type { SharedData } from "../state/shared-data.ts";
import type { SharedQueues } from "../state/shared-queue.ts";
import type { Metrics } from "../state/metrics.ts";
import type { HeaderMap } from "../state/header-map.ts";
import type { Body } from "../state/body.ts";
import type { GuestInstance } from "../vm/instance.ts";
import type { CallRing } from "./call-ring.ts";
import type { StatusCode } from "./status.ts";

/**
 * A fault that answers in a call's place: the call touches no output and returns this status, or
 * this errno where the call is one of WASI's.
 */
export interface CallRule {
  answer(call: string, vm: VmHost): number | undefined;
}

/** Stores of the whole process, shared by all VMs. */
export interface ProcessState {
  readonly sharedData: SharedData;
  readonly sharedQueues: SharedQueues;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly recorder: Recorder;
  /** What proxy_get_log_level answers: 0 trace … 5 critical, 6 off. */
  readonly logLevel: number;
  /** Added to both clocks by each host call. */
  readonly callCostNs: number;
}

/** One VM as its host functions see it. */
export interface VmHost {
  readonly process: ProcessState;
  /**
   * Its phase says whose calls these are: in "start" and "allocator" the acting context is the VM
   * context (id 0), whatever callback is around them.
   */
  readonly instance: GuestInstance;
  /** Its last host calls, kept by what links it. */
  readonly calls: CallRing;
  readonly vmId: string;
  readonly vmConfiguration: Uint8Array;
  readonly environment: readonly (readonly [string, string])[];
  /** Metrics live as long as something that they were defined in; one of all VMs of the process when absent. */
  readonly metricsScope?: object;
  /** Asked before each gift of memory: true, and the guest's allocator is as good as empty this once. */
  failsAllocation?(): boolean;
  /** Rules of faults, asked in order before each call; the first answer wins. */
  readonly rules: readonly CallRule[];
  /** This VM's own random bytes: a pure function of (seed, thread, VM, incarnation). */
  randomBytes(into: Uint8Array): void;
  /** Who acts: the effective context if one is set and alive, else the current one. */
  actingContext(): ContextHost;
  /** False when the id is no live context of this VM. 0 means back to the current one. */
  setEffectiveContext(id: number): boolean;
  /** For trace events: thread, VM, plugin and id of the acting context. */
  subject(): TraceSubject;
}

export interface HttpCallRequest {
  readonly cluster: string;
  readonly headers: readonly (readonly [Uint8Array, Uint8Array])[];
  readonly body: Uint8Array;
  readonly trailers: readonly (readonly [Uint8Array, Uint8Array])[];
  readonly timeoutMs: number;
}

export interface GrpcStreamRequest {
  /** A message GrpcService, or a cluster's name. */
  readonly service: Uint8Array;
  readonly serviceName: Uint8Array;
  readonly method: Uint8Array;
  readonly metadata: readonly (readonly [Uint8Array, Uint8Array])[];
}

export interface GrpcCallRequest extends GrpcStreamRequest {
  readonly message: Uint8Array;
  /** 0: none. */
  readonly timeoutMs: number;
}

/** What starts something with a token: it counts only with the status Ok. */
export interface TokenAnswer {
  readonly status: StatusCode;
  readonly token: number;
}

/** What `proxy_redis_init` was given; the target is a cluster, with options after a `?`. */
export interface RedisLogin {
  readonly target: string;
  readonly user: string;
  readonly password: string;
  readonly timeoutMs: number;
}

export interface LocalResponse {
  readonly status: number;
  readonly details: Uint8Array;
  readonly body: Uint8Array;
  readonly headers: readonly (readonly [Uint8Array, Uint8Array])[];
  /** −1: not set. */
  readonly grpcStatus: number;
}

export type PropertyAnswer = { readonly status: StatusCode; readonly value?: Uint8Array };

/** One context (VM context, root or stream) as host calls see it. */
export interface ContextHost {
  readonly id: number;
  /** The root's id (its own for a root; 0 for the VM context). */
  readonly rootId: number;
  readonly pluginName: string;
  /**
   * The map now readable, or undefined; `writable` asks for the right to change it.
   */
  headerMap(type: number, writable: boolean): HeaderMap | undefined;
  /** True in on_log, where an absent map answers NotFound to a single-value read. */
  readonly isLogPhase: boolean;
  /** Undefined: NotFound. An empty body is a Body of size 0. The VM's configuration is one of every context. */
  buffer(type: number): Body | undefined;
  /** Path already split at NUL. */
  property(path: readonly Uint8Array[]): PropertyAnswer;
  setProperty(path: Uint8Array, value: Uint8Array): StatusCode;
  /** The root's timer; 0 stops it. */
  setTickPeriod(periodMs: number): void;
  httpCall(request: HttpCallRequest): TokenAnswer;
  grpcCall(request: GrpcCallRequest): TokenAnswer;
  grpcStream(request: GrpcStreamRequest): TokenAnswer;
  grpcSend(token: number, message: Uint8Array, isEnd: boolean): StatusCode;
  grpcCancel(token: number): StatusCode;
  grpcClose(token: number): StatusCode;
  /** The token is given out first; the answer may come before this returns. */
  resolveDns(name: string, giveToken: (token: number) => boolean): StatusCode;
  redisInit(login: RedisLogin): StatusCode;
  redisCall(cluster: string, query: Uint8Array): TokenAnswer;
  /** Response data past this context's filter; nothing without a stream. */
  injectEncodedData(bytes: Uint8Array, isEnd: boolean): void;
  /** Address and text of each host of the route's cluster. */
  upstreamHosts(): readonly (readonly [Uint8Array, Uint8Array])[];
  setUpstreamOverrideHost(address: string): void;
  sendLocalResponse(response: LocalResponse): void;
  continueStream(type: number): StatusCode;
  closeStream(type: number): void;
  /** proxy_done: Ok when this root waited for it, else NotFound. */
  done(): StatusCode;
  /** Code and message of the root's last failure. */
  lastStatus(): { readonly code: number; readonly message: Uint8Array };
  callForeignFunction(
    name: string,
    argument: Uint8Array,
  ): {
    readonly status: StatusCode;
    /** Handed to the guest; nothing is allocated when absent. */
    readonly result?: Uint8Array;
    /** No function of that name: nothing is written. */
    readonly isUnknown?: true;
  };
}
