import { BufferType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import type { ContextHost, HttpCallRequest, PropertyAnswer, TokenAnswer } from "../abi/vm-host.ts";
import { MockHostError } from "../errors.ts";
import { Body } from "../state/body.ts";
import { latin1, noBytes, utf8 } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import type { SteppedPlugin } from "./stepped-plugin.ts";

/** Of the VM, of which the plugin's root is the only context. */
export const rootId = 1;

/** What of a guest's own state its host keeps: put back with its memory. */
export interface GuestCounters {
  periodMs: number;
  tokenCount: number;
  drawCount: number;
}

/**
 * The one context of a stepped guest: its plugin's root, which knows its configuration and some properties. What a
 * search cannot take back (streams, answers, queues, metrics that are read) is refused by name.
 */
export class SteppedContext implements ContextHost {
  readonly id = rootId;
  readonly rootId = rootId;
  readonly pluginName: string;
  readonly isLogPhase = false;
  readonly counters: GuestCounters = { periodMs: 0, tokenCount: 0, drawCount: 0 };
  /** The plugin configuration can be read now. */
  isConfiguring = false;
  readonly #plugin: SteppedPlugin;
  readonly #place: string;

  constructor(plugin: SteppedPlugin, place: string) {
    this.#plugin = plugin;
    this.#place = place;
    this.pluginName = plugin.name;
  }

  headerMap(_type: number, _writable: boolean): HeaderMap | undefined {
    return undefined;
  }

  buffer(type: number): Body | undefined {
    if (type === BufferType.VmConfiguration) return new Body(this.#plugin.vmConfiguration, true);
    if (type !== BufferType.PluginConfiguration) return new Body(noBytes, true);
    return this.isConfiguring ? new Body(this.#plugin.configuration, true) : undefined;
  }

  property(path: readonly Uint8Array[]): PropertyAnswer {
    const text = this.#text(path.map(latin1).join("."));
    return text === undefined
      ? { status: Status.NotFound }
      : { status: Status.Ok, value: utf8(text) };
  }

  #text(path: string): string | undefined {
    switch (path) {
      case "plugin_name":
        return this.#plugin.name;
      case "plugin_root_id":
        return this.#plugin.rootId;
      case "plugin_vm_id":
        return this.#plugin.vmId;
      default:
        return undefined;
    }
  }

  setProperty(): StatusCode {
    return Status.NotFound;
  }

  setTickPeriod(periodMs: number): void {
    this.counters.periodMs = periodMs;
  }

  /** Carried out by the search; here it only gets its token. */
  httpCall(_request: HttpCallRequest): TokenAnswer {
    return { status: Status.Ok, token: ++this.counters.tokenCount * 4 };
  }

  grpcCall(): never {
    return this.#refuse("proxy_grpc_call");
  }

  grpcStream(): never {
    return this.#refuse("proxy_grpc_stream");
  }

  grpcSend(): never {
    return this.#refuse("proxy_grpc_send");
  }

  grpcCancel(): never {
    return this.#refuse("proxy_grpc_cancel");
  }

  grpcClose(): never {
    return this.#refuse("proxy_grpc_close");
  }

  resolveDns(): never {
    return this.#refuse("envoy_resolve_dns");
  }

  redisInit(): never {
    return this.#refuse("proxy_redis_init");
  }

  redisCall(): never {
    return this.#refuse("proxy_redis_call");
  }

  injectEncodedData(): never {
    return this.#refuse("proxy_inject_encoded_data_to_filter_chain");
  }

  upstreamHosts(): readonly (readonly [Uint8Array, Uint8Array])[] {
    return [];
  }

  setUpstreamOverrideHost(): void {
    // No request to route.
  }

  sendLocalResponse(): never {
    return this.#refuse("proxy_send_local_response");
  }

  continueStream(): never {
    return this.#refuse("proxy_continue_stream");
  }

  closeStream(): never {
    return this.#refuse("proxy_close_stream");
  }

  done(): StatusCode {
    return Status.NotFound;
  }

  lastStatus(): { code: number; message: Uint8Array } {
    return { code: 0, message: noBytes };
  }

  /** There is none here: as on a host that does not know the name. */
  callForeignFunction(): { status: StatusCode; isUnknown: true } {
    return { status: Status.NotFound, isUnknown: true };
  }

  #refuse(call: string): never {
    throw new MockHostError("E_UNSUPPORTED", `a stepped guest calls ${call}`, {
      place: this.#place,
      remedy: "explore the election alone, and run the rest with simulate",
    });
  }
}
