import { decodePairs } from "../abi/pairs.ts";
import { MockHostError } from "../errors.ts";
import type { StepValue } from "../schedule/world.ts";
import { fromLatin1, latin1, tryUtf8 } from "../state/bytes.ts";
import type { GuestMemory } from "../vm/memory.ts";
import type { KeyTable } from "./key-table.ts";
import type { Op } from "./op.ts";
import type { Receivers } from "./receivers.ts";

/** What reading a call needs. */
export interface OpTables {
  readonly keys: KeyTable;
  readonly receivers: Receivers;
}

type Raw = number | bigint;

/** The call that a guest is about to make, from its import's name and wasm arguments. */
export function readOp(
  { keys, receivers }: OpTables,
  vmId: string,
  memory: GuestMemory,
  name: string,
  raw: readonly Raw[],
): Op {
  const word = (at: number): number => Number(raw[at] ?? 0) >>> 0;
  const bytes = (at: number): Uint8Array => memory.readBytes(word(at), word(at + 1)) ?? wild(name);
  switch (name) {
    case "proxy_get_shared_data": {
      const key = latin1(bytes(0));
      const args = { key: shownBytes(key) };
      return { kind: "get", name, key: keys.slotOf(vmId, key), args, text: `get ${key}` };
    }
    case "proxy_set_shared_data": {
      const key = latin1(bytes(0));
      const value = latin1(bytes(2));
      const cas = word(4);
      const args = { key: shownBytes(key), value: shownBytes(value), cas };
      const slot = keys.slotOf(vmId, key);
      const text = `set ${key} ${cas} ${value}`;
      return { kind: "set", name, key: slot, value: keys.texts.numberOf(value), cas, args, text };
    }
    case "proxy_http_call":
      return readHttpCall(receivers, name, latin1(bytes(0)), bytes(2));
    default:
      return {
        kind: "clock",
        name,
        args: name === "clock_time_get" ? { clock: word(0) } : {},
        text: `clock ${name} ${name === "clock_time_get" ? word(0) : ""}`,
      };
  }
}

function readHttpCall(receivers: Receivers, name: string, cluster: string, block: Uint8Array): Op {
  const receiver = receivers.indexOf(cluster);
  if (receiver < 0) {
    throw new MockHostError("E_UNDECLARED_CLUSTER", `a stepped guest calls cluster ${cluster}`, {
      remedy: "declare it under clusters",
    });
  }
  const headers = (decodePairs(block) ?? []).map(
    ([key, value]) => [latin1(key).toLowerCase(), latin1(value)] as const,
  );
  const header = (wanted: string | undefined): string =>
    headers
      .filter(([key]) => key === wanted?.toLowerCase())
      .map(([, value]) => value)
      .join(", ");
  const { header: termHeader, idHeader } = receivers.options[receiver]!;
  const [term, id] = [header(termHeader), header(idHeader)];
  const args = {
    cluster,
    [termHeader]: term,
    ...(idHeader === undefined ? {} : { [idHeader]: id }),
  };
  const stamp = receivers.stampOf(term, id);
  return { kind: "call", name, receiver, stamp, args, text: `call ${cluster} ${term} ${id}` };
}

/** A range that lies outside of memory: the host answers so, and the guest goes on; nothing to search there. */
function wild(name: string): never {
  throw new MockHostError("E_UNSUPPORTED", `a stepped guest gives ${name} a wild pointer`, {
    remedy: "run it with simulate, whose trace shows the call",
  });
}

/** Bytes for readers. */
export function shownBytes(binary: string): StepValue {
  const bytes = fromLatin1(binary);
  return tryUtf8(bytes) ?? { base64: Buffer.from(bytes).toString("base64") };
}
