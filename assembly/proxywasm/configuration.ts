import { BufferType } from "../abi/enums";
import { GetBuffer, TO_END } from "./buffer";
import { BytesResult } from "./result";

/**
 * The plugin's configuration, as the host's configuration file gives it: JSON text for an object,
 * raw bytes for a string. Statuses: Ok (no bytes when there is none); NotFound outside the
 * callback. In: the configure callback.
 * @example const json = wrapper.ParseJson(proxywasm.GetPluginConfiguration().value);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function GetPluginConfiguration(): BytesResult {
  return GetBuffer(BufferType.PluginConfiguration, 0, TO_END);
}

/**
 * The VM's configuration (`vm_config.configuration`). Status: Ok. In: any callback, not in
 * top-level code.
 * @example const vm = proxywasm.GetVMConfiguration().Text();
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function GetVMConfiguration(): BytesResult {
  return GetBuffer(BufferType.VmConfiguration, 0, TO_END);
}
