import { Status, type StatusCode } from "../abi/status.ts";
import type { PropertyAnswer } from "../abi/vm-host.ts";
import type { HttpStream } from "../http/stream.ts";
import { latin1, lossyUtf8 } from "../state/bytes.ts";
import { HostEvent } from "../trace/names.ts";
import type { Context } from "./context.ts";

const spanTag = "trace_span_tag.";

/** `plugin_vm_memory`: the size of the VM's memory, u64. Undefined for every other name, and on other hosts. */
export function higressProperty(
  context: Context,
  path: readonly Uint8Array[],
): PropertyAnswer | undefined {
  const { owner } = context;
  if (!owner.thread.world.options.profile.groups.has("higress")) return undefined;
  if (path.length !== 1 || latin1(path[0]!) !== "plugin_vm_memory") return undefined;
  const value = new Uint8Array(8);
  new DataView(value.buffer).setBigUint64(0, BigInt(owner.instance.memory.sizeBytes), true);
  return { status: Status.Ok, value };
}

/**
 * What writing a property does besides storing it; a status means that it is not stored.
 *
 * | property                | effect                                                                 |
 * | ----------------------- | ---------------------------------------------------------------------- |
 * | trace_span_tag.NAME     | a tag of the stream's span; not stored                                 |
 * | set_decoder_buffer_limit, set_encoder_buffer_limit | how many bytes of this stream's body may be held |
 * | wasm_need_rebuild       | `true`: the VM is made anew before a stream that finds it idle          |
 * | clear_route_cache       | none: there is one route, which is found again                         |
 *
 * Source: Higress' fork of Envoy, `source/extensions/common/wasm/context.cc` (setProperty).
 */
export function higressSetProperty(
  context: Context,
  stream: HttpStream,
  path: Uint8Array,
  value: Uint8Array,
): StatusCode | undefined {
  const { owner } = context;
  const { profile } = owner.thread.world.options;
  if (!profile.groups.has("higress")) return undefined;
  const name = latin1(path).replaceAll("\0", ".");
  const text = lossyUtf8(value);
  if (name.startsWith(spanTag)) {
    const args = { request: stream.id, name: name.slice(spanTag.length), value: text };
    owner.thread.world.recorder.record(context, "timer", HostEvent.spanTag, args);
    return Status.Ok;
  }
  if (name === "wasm_need_rebuild") owner.needsRebuild = text === "true";
  if (name === "set_decoder_buffer_limit" && /^\d+$/.test(text))
    stream.setBufferLimit("request", Number(text));
  if (name === "set_encoder_buffer_limit" && /^\d+$/.test(text))
    stream.setBufferLimit("response", Number(text));
  return undefined;
}
