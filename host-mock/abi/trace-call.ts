import type { TraceValue } from "../trace/event.ts";
import type { GuestMemory } from "../vm/memory.ts";
import type { CallSite } from "./call-site.ts";
import { isPair, shownStatus } from "./call-ring.ts";
import { decodePairs } from "./pairs.ts";
import type { HostSignature, Parameter } from "./signatures.ts";
import { Status } from "./status.ts";

/**
 * Writes a `call` event after the call: arguments by their names in the signature, outputs (of a
 * call that answered Ok) as an object in `result`, null when it has none. Status is the name;
 * WASI's is `errno N`, null for a function without result.
 */
export function recordCall(
  site: CallSite,
  signature: HostSignature,
  status: number,
  words: readonly (number | bigint)[],
): void {
  const { memory, host } = site;
  const args: Record<string, TraceValue> = {};
  const outputs: Record<string, TraceValue> = {};
  let at = 0;
  for (const parameter of signature.parameters) {
    const first = words[at++]!;
    const second = isPair(parameter.kind) ? Number(words[at++]!) : 0;
    if (parameter.kind === "ptr") continue;
    if (parameter.kind.startsWith("out-")) {
      if (status === Status.Ok)
        outputs[parameter.name] = output(memory, parameter, Number(first), second);
    } else args[parameter.name] = input(memory, parameter, first, second);
  }
  const result = Object.keys(outputs).length === 0 ? null : outputs;
  const subject = host.subject();
  host.process.recorder.record(
    subject,
    "call",
    signature.name,
    args,
    shownStatus(signature, status),
    result,
  );
}

function input(
  memory: GuestMemory,
  { kind }: Parameter,
  word: number | bigint,
  size: number,
): TraceValue {
  switch (kind) {
    case "i32":
      return Number(word) | 0;
    case "bytes":
    case "path":
      return memory.readBytes(Number(word), size) ?? null;
    case "pairs": {
      const block = memory.viewBytes(Number(word), size);
      return block === undefined ? null : decodePairs(block);
    }
    default:
      return word;
  }
}

function output(
  memory: GuestMemory,
  { kind }: Parameter,
  ptr: number,
  sizePtr: number,
): TraceValue {
  if (kind === "out-u32") return memory.readU32(ptr) ?? null;
  if (kind === "out-u64") return memory.readU64(ptr) ?? null;
  const dataPtr = memory.readU32(ptr);
  const dataSize = memory.readU32(sizePtr);
  if (dataPtr === undefined || dataSize === undefined) return null;
  if (kind === "out-bytes") return memory.readBytes(dataPtr, dataSize) ?? null;
  const block = memory.viewBytes(dataPtr, dataSize);
  return block === undefined ? null : decodePairs(block);
}
