import { BufferType, HeaderMapType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import type {
  ContextHost,
  HttpCallRequest,
  LocalResponse,
  PropertyAnswer,
} from "../abi/vm-host.ts";
import { Body } from "../state/body.ts";
import { noBytes } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import type { TraceSubject } from "../trace/event.ts";
import { rootProperty } from "./attributes.ts";
import type { RootContext } from "./root-context.ts";
import type { Vm } from "./vm.ts";

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
    if (type !== HeaderMapType.HttpCallResponseHeaders || writable) return undefined;
    return this.root?.callAnswer?.headers;
  }

  buffer(type: number): Body | undefined {
    switch (type) {
      case BufferType.HttpCallResponseBody:
        return this.root?.callAnswer?.body;
      case BufferType.PluginConfiguration:
        return undefined;
      default:
        return absentBody;
    }
  }

  property(path: readonly Uint8Array[]): PropertyAnswer {
    return rootProperty(this, path);
  }

  setProperty(_path: Uint8Array, _value: Uint8Array): StatusCode {
    return Status.NotFound;
  }

  setTickPeriod(periodMs: number): void {
    this.root?.armTimer(periodMs);
  }

  httpCall(request: HttpCallRequest): { status: StatusCode; token: number } {
    const { root } = this;
    if (root === undefined) return { status: Status.BadArgument, token: 0 };
    return root.dispatchCall(this, request);
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
    return this.root?.lastFailure ?? { code: 0, message: noBytes };
  }

  callForeignFunction(name: string, _argument: Uint8Array): { status: StatusCode } {
    // The mock has no route cache to clear, which is what a cleared one looks like.
    return { status: name === "clear_route_cache" ? Status.Ok : Status.NotFound };
  }
}

/** Context 0: what runs in `_initialize` and in the allocator. */
export class VmContext extends Context {
  get root(): undefined {
    return undefined;
  }
}
