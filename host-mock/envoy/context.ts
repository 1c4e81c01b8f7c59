import { BufferType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import type {
  ContextHost,
  GrpcCallRequest,
  GrpcStreamRequest,
  HttpCallRequest,
  LocalResponse,
  PropertyAnswer,
  RedisLogin,
  TokenAnswer,
} from "../abi/vm-host.ts";
import { Body } from "../state/body.ts";
import { latin1, noBytes } from "../state/bytes.ts";
import { undeclared, type Declaration, type FilterState } from "../state/filter-state.ts";
import type { HeaderMap } from "../state/header-map.ts";
import type { TraceSubject } from "../trace/event.ts";
import { rootProperty } from "./attributes.ts";
import { pluginPrefix } from "./attributes/filter-state.ts";
import { higressProperty } from "./higress-properties.ts";
import { callForeign, type ForeignAnswer } from "./foreign/index.ts";
import type { RootContext } from "./root-context.ts";
import type { Vm } from "./vm.ts";

/** What the VM context, which has no root to call from, is told; no plugin gets to see it. */
const noRoot: TokenAnswer = { status: Status.BadArgument, token: 0 };

/** A body that is not there: reading gives nothing, an edit is BadArgument. */
const absentBody = new Body(noBytes, true);

/**
 * A context of a VM: what host calls of its callbacks see. It is the subject of its own trace events.
 *
 * What stands here is what holds without a stream: maps and buffers of HTTP calls and configurations.
 */
export abstract class Context implements ContextHost, TraceSubject {
  readonly id: number;
  readonly owner: Vm;
  /** The plugin's name. */
  readonly plugin: string;
  isLogPhase = false;
  /** What `declare_property` has said in callbacks of this very context; a root's counts for its streams. */
  declared: Map<string, Declaration> | undefined;
  #shownBuffer: Body = absentBody;

  constructor(owner: Vm, id: number, plugin: string) {
    this.owner = owner;
    this.id = id;
    this.plugin = plugin;
  }

  /** The plugin context it belongs to; undefined for the VM context. */
  abstract get root(): RootContext | undefined;

  get thread(): string {
    return this.owner.thread.name;
  }

  get vm(): string {
    return this.owner.name;
  }

  get context(): number {
    return this.id;
  }

  get rootId(): number {
    return this.root?.id ?? 0;
  }

  get pluginName(): string {
    return this.plugin;
  }

  /** The VM has failed inside a callback of this context, whose deferred actions have not run yet. */
  onVmFailed(): void {
    // Only streams have somebody to tell.
  }

  headerMap(type: number, writable: boolean): HeaderMap | undefined {
    return writable ? undefined : this.root?.calls.headerMap(type);
  }

  /**
   * Envoy shows every buffer through one object a context, which goes on showing what it showed last: that is "call
   * data".
   */
  buffer(type: number): Body | undefined {
    if (type === BufferType.CallData) return this.#shownBuffer;
    const buffer = this.bufferOf(type);
    if (buffer !== undefined) this.#shownBuffer = buffer;
    return buffer;
  }

  /** The bytes of a callback that come as call data: DNS answers, statistics. */
  showCallData(bytes: Uint8Array): void {
    this.#shownBuffer = new Body(bytes, true);
  }

  /** A buffer of this context; undefined: NotFound. */
  protected bufferOf(type: number): Body | undefined {
    switch (type) {
      case BufferType.VmConfiguration:
        return new Body(this.owner.vmConfiguration, true);
      case BufferType.HttpCallResponseBody:
        return this.root?.calls.buffer(type);
      case BufferType.GrpcReceive:
        return this.root?.calls.buffer(type) ?? absentBody;
      case BufferType.RedisResponse:
        return this.root?.redis.buffer(type) ?? absentBody;
      case BufferType.PluginConfiguration:
        return undefined;
      default:
        return absentBody;
    }
  }

  property(path: readonly Uint8Array[]): PropertyAnswer {
    return higressProperty(this, path) ?? rootProperty(this, path);
  }

  /** What plugins keep with the stream; undefined without one. */
  get filterState(): FilterState | undefined {
    return undefined;
  }

  /**
   * Kept under the path exactly as given, as its root has declared it; a real attribute never changes. NotFound without
   * a stream; BadArgument for a second value of a read-only name.
   */
  setProperty(path: Uint8Array, value: Uint8Array): StatusCode {
    const name = latin1(path);
    const declaration = this.root?.declared?.get(name) ?? undeclared;
    return this.filterState?.set(pluginPrefix + name, value, declaration) ?? Status.NotFound;
  }

  setTickPeriod(periodMs: number): void {
    this.root?.armTimer(periodMs);
  }

  httpCall(request: HttpCallRequest): TokenAnswer {
    return this.root?.calls.httpCall(this, request) ?? noRoot;
  }

  grpcCall(request: GrpcCallRequest): TokenAnswer {
    return this.root?.calls.grpcCall(this, request) ?? noRoot;
  }

  grpcStream(request: GrpcStreamRequest): TokenAnswer {
    return this.root?.calls.grpcStream(this, request) ?? noRoot;
  }

  grpcSend(token: number, message: Uint8Array, isEnd: boolean): StatusCode {
    return this.root?.calls.grpcSend(token, message, isEnd) ?? noRoot.status;
  }

  grpcCancel(token: number): StatusCode {
    return this.root?.calls.grpcCancel(token) ?? noRoot.status;
  }

  grpcClose(token: number): StatusCode {
    return this.root?.calls.grpcClose(token) ?? noRoot.status;
  }

  resolveDns(name: string, giveToken: (token: number) => boolean): StatusCode {
    return this.root?.calls.resolveDns(name, giveToken) ?? noRoot.status;
  }

  redisInit(login: RedisLogin): StatusCode {
    return this.root?.redis.init(this, login) ?? noRoot.status;
  }

  redisCall(cluster: string, query: Uint8Array): TokenAnswer {
    return this.root?.redis.call(this, cluster, query) ?? noRoot;
  }

  injectEncodedData(_bytes: Uint8Array, _isEnd: boolean): void {
    // No response to put it into: Ok, as in Higress.
  }

  upstreamHosts(): readonly (readonly [Uint8Array, Uint8Array])[] {
    return [];
  }

  setUpstreamOverrideHost(_address: string): void {
    // No request to route.
  }

  /** The flag holds for the whole VM, stream or not; the reply needs a stream. */
  sendLocalResponse(_response: LocalResponse): void {
    this.owner.stopIteration = true;
  }

  continueStream(_type: number): StatusCode {
    return Status.Ok;
  }

  closeStream(_type: number): void {
    // No stream to close: Ok, as in Envoy.
  }

  done(): StatusCode {
    return this.root?.finishParked() ?? Status.NotFound;
  }

  lastStatus(): { code: number; message: Uint8Array } {
    return this.root?.calls.lastFailure ?? { code: 0, message: noBytes };
  }

  callForeignFunction(name: string, argument: Uint8Array): ForeignAnswer {
    return callForeign(name, argument, this);
  }
}

/** Context 0: what runs in `_initialize` and in the allocator. */
export class VmContext extends Context {
  get root(): undefined {
    return undefined;
  }
}
