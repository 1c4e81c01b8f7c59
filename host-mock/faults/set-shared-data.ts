import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { fromBase64 } from "../trace/values.ts";
import type { TraceValue } from "../trace/event.ts";
import { utf8 } from "../state/bytes.ts";
import { onProcess } from "./on-process.ts";
import type { DataSpec, SetSharedDataSpec } from "./spec.ts";

/** Somebody from outside writes shared data. */
export function setSharedData(envoy: MockEnvoy, fault: SetSharedDataSpec): boolean {
  const { vm_id: vmId = "", key, cas = 0 } = fault;
  const shown = fault.value as TraceValue;
  const data = { vmId, key, value: dataBytes(fault.value), cas };
  return onProcess(envoy, fault, { vm_id: vmId, key, value: shown, cas }, (note) =>
    envoy.setSharedData(data, note),
  );
}

/** The bytes that stand behind text, `{base64}` or `{repeat, times}`. */
export function dataBytes(data: DataSpec): Uint8Array {
  if (typeof data === "string") return utf8(data);
  if (data instanceof Uint8Array) return data;
  return "base64" in data ? fromBase64(data.base64) : utf8(data.repeat.repeat(data.times));
}
