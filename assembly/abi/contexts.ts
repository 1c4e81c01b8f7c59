import { Action, PeerType } from "./enums";

/** One context of the host: a plugin's root or a stream of it. `id` is unique in this VM. */
export abstract class BaseContext {
  constructor(
    public readonly id: u32,
    public readonly isRoot: bool,
  ) {}
}

/** A plugin in this VM. A new generation of the same plugin (a reload) is a context of its own. */
export class RootContext extends BaseContext {
  constructor(
    id: u32,
    public readonly registration: Registration,
  ) {
    super(id, true);
  }
}

/**
 * An HTTP stream or TCP connection; `root` is the plugin it belongs to, in the generation that made
 * it.
 */
export class StreamContext extends BaseContext {
  constructor(
    id: u32,
    public readonly root: RootContext,
  ) {
    super(id, false);
  }
}

/** Header count, body size and trailer count are all 0 when the call was reset. */
export type HttpCallResponseSlot = (
  root: RootContext,
  token: u32,
  headerCount: u32,
  bodySize: u32,
  trailerCount: u32,
) => void;

/**
 * What a plugin does in each callback. A feature fills its slot when the plugin uses it, so that
 * the code of unused features is never reached, and the compiler leaves it out. An empty slot
 * answers as the host does when the callback is not exported. (Fields without an initialiser are
 * null.)
 */
export class Slots {
  vmStart: ((root: RootContext, vmConfigurationSize: u32) => bool) | null;
  configure: ((root: RootContext, pluginConfigurationSize: u32) => bool) | null;
  tick: ((root: RootContext) => void) | null;
  queueReady: ((root: RootContext, queueToken: u32) => void) | null;

  requestHeaders: ((stream: StreamContext, count: u32, endOfStream: bool) => Action) | null;
  requestBody: ((stream: StreamContext, size: u32, endOfStream: bool) => Action) | null;
  requestTrailers: ((stream: StreamContext, count: u32) => Action) | null;
  responseHeaders: ((stream: StreamContext, count: u32, endOfStream: bool) => Action) | null;
  responseBody: ((stream: StreamContext, size: u32, endOfStream: bool) => Action) | null;
  responseTrailers: ((stream: StreamContext, count: u32) => Action) | null;

  newConnection: ((stream: StreamContext) => Action) | null;
  downstreamData: ((stream: StreamContext, size: u32, endOfStream: bool) => Action) | null;
  upstreamData: ((stream: StreamContext, size: u32, endOfStream: bool) => Action) | null;
  downstreamClose: ((stream: StreamContext, peer: PeerType) => void) | null;
  upstreamClose: ((stream: StreamContext, peer: PeerType) => void) | null;

  httpCallResponse: HttpCallResponseSlot | null;
  grpcInitialMetadata: ((root: RootContext, token: u32, count: u32) => void) | null;
  grpcReceive: ((root: RootContext, token: u32, size: u32) => void) | null;
  grpcTrailingMetadata: ((root: RootContext, token: u32, count: u32) => void) | null;
  grpcClose: ((root: RootContext, token: u32, grpcStatus: i32) => void) | null;
  redisCallResponse: ((root: RootContext, token: u32, status: u32, size: u32) => void) | null;
  foreignFunction: ((context: BaseContext, functionId: u32, size: u32) => void) | null;

  /** At a request's end; on the root itself when the plugin is installed as an access logger. */
  log: ((context: BaseContext) => void) | null;
  /** False asks the host to wait for `proxy_done`; Envoy heeds it for roots only. */
  done: ((context: BaseContext) => bool) | null;
  /** The context's last callback: afterwards the host does not know the id any more. */
  delete: ((context: BaseContext) => void) | null;
}

/**
 * A plugin as `SetCtx` makes it known. Several may be compiled into one module; the host's
 * `plugin_root_id` says which one a root context is for.
 */
export class Registration {
  /** The one registered after this one. */
  next: Registration | null;
  readonly slots: Slots = new Slots();
  /** Makes the root context; null: a plain one. */
  createRoot: ((registration: Registration, id: u32) => RootContext) | null;
  /** Makes a stream's context; null: a plain one. */
  createStream: ((root: RootContext, id: u32) => StreamContext) | null;

  constructor(public readonly name: string) {}
}
