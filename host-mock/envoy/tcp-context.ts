import { BufferType, StreamType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import type { PropertyAnswer } from "../abi/vm-host.ts";
import type { Body } from "../state/body.ts";
import type { FilterState } from "../state/filter-state.ts";
import type { Connection } from "../tcp/connection.ts";
import { PeerType, type Closer, type TcpFilter } from "../tcp/tcp-filter.ts";
import { streamProperty, type VisibleMaps } from "./attributes.ts";
import { Context } from "./context.ts";
import type { PluginHandle } from "./plugin-handle.ts";
import type { RootContext } from "./root-context.ts";

const noMaps: VisibleMaps = {
  requestHeaders: undefined,
  responseHeaders: undefined,
  responseTrailers: undefined,
};

/**
 * A plugin's context of one TCP connection: a filter towards the chain, a context towards the guest. A data buffer is
 * there in its callback, and afterwards while that callback's answer holds the data up.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (onNewConnection … onCloseTCP), proxy-wasm-cpp-host
 * `src/context.cc` (CHECK_FAIL_NET).
 */
export class TcpContext extends Context implements TcpFilter {
  readonly #handle: PluginHandle;
  readonly #root: RootContext;
  readonly #connection: Connection;
  #isCreated = false;
  #isOver = false;
  #hasFailed = false;
  #downstreamData: Body | undefined;
  #upstreamData: Body | undefined;

  constructor(handle: PluginHandle, root: RootContext, connection: Connection) {
    super(root.owner, root.owner.nextContextId(), root.plugin);
    this.#handle = handle;
    this.#root = root;
    this.#connection = connection;
    this.owner.contexts.set(this.id, this);
    handle.streamCount++;
    handle.connections.add(connection);
  }

  get root(): RootContext {
    return this.#root;
  }

  onNewConnection(): boolean {
    this.owner.call(this, "proxy_on_context_create", [this.id, this.#root.id]);
    this.#isCreated = true;
    return this.#passes("proxy_on_new_connection", [this.id]);
  }

  onDownstreamData(data: Body, isEnd: boolean): boolean {
    if (!this.#isCreated) return true;
    this.#downstreamData = data;
    const args = [this.id, data.size, isEnd ? 1 : 0];
    const isPassed = this.#passes("proxy_on_downstream_data", args);
    if (isPassed) this.#downstreamData = undefined;
    return isPassed;
  }

  /** The upstream's end is told as its close, whatever is answered to the data. */
  onUpstreamData(data: Body, isEnd: boolean): boolean {
    if (!this.#isCreated) return true;
    this.#upstreamData = data;
    const args = [this.id, data.size, isEnd ? 1 : 0];
    const isPassed = this.#passes("proxy_on_upstream_data", args);
    if (isPassed) this.#upstreamData = undefined;
    if (isEnd)
      this.owner.call(this, "proxy_on_upstream_connection_close", [this.id, PeerType.Unknown]);
    return isPassed;
  }

  onClose(by: Closer): void {
    const peer = by === "local" ? PeerType.Local : PeerType.Remote;
    if (this.#isCreated) {
      this.owner.call(this, "proxy_on_downstream_connection_close", [this.id, peer]);
      for (const callback of ["proxy_on_done", "proxy_on_log", "proxy_on_delete"])
        this.owner.call(this, callback, [this.id]);
    }
    this.#isOver = true;
    this.#downstreamData = this.#upstreamData = undefined;
    this.owner.contexts.delete(this.id);
    this.#handle.connections.delete(this.#connection);
    this.#handle.onStreamGone();
  }

  /** The connection is closed before anything that the plugin has asked for in the same callback. */
  override onVmFailed(): void {
    this.#fail();
  }

  protected override bufferOf(type: number): Body | undefined {
    if (type === BufferType.DownstreamData && this.#downstreamData !== undefined)
      return this.#downstreamData;
    if (type === BufferType.UpstreamData && this.#upstreamData !== undefined)
      return this.#upstreamData;
    return super.bufferOf(type);
  }

  override property(path: readonly Uint8Array[]): PropertyAnswer {
    return streamProperty(this, this.#connection, noMaps, path);
  }

  override get filterState(): FilterState {
    return this.#connection.info.filterState;
  }

  /** Only reading can go on; the abi refuses upstream, and the other types have no stream here. */
  override continueStream(type: number): StatusCode {
    if (type === StreamType.Downstream) {
      this.owner.defer(() => {
        if (!this.#isOver) this.#connection.resume(this);
      });
    }
    return Status.Ok;
  }

  /** Both close the connection that the filter stands in: the client's. */
  override closeStream(type: number): void {
    if (type === StreamType.Downstream || type === StreamType.Upstream)
      this.owner.defer(() => this.#connection.close());
  }

  #passes(callback: string, args: readonly number[]): boolean {
    const answer = this.owner.isDead() ? 0 : this.owner.call(this, callback, args);
    if (!this.owner.isDead()) return answer === 0;
    this.#fail();
    return this.#handle.plugin.spec.failOpen;
  }

  #fail(): void {
    if (this.#hasFailed || this.#handle.plugin.spec.failOpen) return;
    this.#hasFailed = true;
    this.#connection.close();
  }
}
