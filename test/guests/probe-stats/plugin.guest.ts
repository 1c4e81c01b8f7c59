/**
 * A stats sink that reads what it is given, word by word, and tells of the plugins' own metrics and of Envoy's count of
 * VMs: the rest is different in every run.
 *
 *     | u32 block size | u32 type | u32 count | metric … |   counters, then gauges
 *
 * Envoy 1.40 announces a size of gauges that has nothing to do with what there is, and fills up with zeros: gauges are
 * read up to the first name without letters, and no more than a megabyte is asked for.
 */
import { getBuffer, getBufferStatus } from "../probe-script/imports.guest";
import { allocate, clearOut, outNumber, outWord, say } from "../probe-script/out.guest";
import { shown, textAt } from "../probe-script/words.guest";

const callData: u32 = 8;
const readMax: u32 = 1 << 20;
const headerSize: usize = 12;
const counters: u32 = 1;
let updates = 0;

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return allocate(size);
}

export function proxy_on_context_create(id: u32, parent: u32): void {
  say("context_create(ctx=" + id.toString() + " parent=" + parent.toString() + ")");
}

export function proxy_on_done(id: u32): i32 {
  say("done(ctx=" + id.toString() + ")");
  return 1;
}

export function envoy_on_stats_update(id: u32, size: u32): void {
  updates++;
  say("stats(ctx=" + id.toString() + ") number " + updates.toString());
  const status = getBufferStatus(callData, clearOut(), clearOut() + 4);
  const isSame = outNumber(0) == size;
  say(
    "  bufstatus = " +
      status.toString() +
      (isSame ? " as announced flags=" : " flags=") +
      outWord(4),
  );
  const out = clearOut();
  const read = getBuffer(callData, 0, readMax, out, out + 4);
  say("  get = " + read.toString());
  const start: usize = outNumber(0);
  const end = start + outNumber(4);
  const gauges = block(start, start + load<u32>(start));
  block(gauges, end);
  heap.free(start);
}

/** Tells of a block that ends there at the latest; where it ended. */
function block(start: usize, end: usize): usize {
  const type = load<u32>(start, 4);
  const announced = load<u32>(start, 8);
  let at = start + headerSize;
  let count: u32 = 0;
  const own = new Array<string>();
  while (at + 4 <= end && load<u32>(at) != 0) {
    const nameSize = load<u32>(at);
    const name = textAt(at + 4, nameSize);
    at = start + ((at - start + 4 + nameSize + 7) & ~7);
    let told = name + " " + load<u64>(at).toString();
    at += 8;
    if (type == counters) {
      told += " +" + load<u64>(at).toString();
      at += 8;
    }
    count++;
    if (name.startsWith("wasmcustom.") || name == "wasm.wasm_vm_count") own.push(shown(told));
  }
  const isExact = type != counters || at == end;
  const isLess = count < announced;
  say(
    "  type " +
      type.toString() +
      (isExact ? ", size exact" : ", size wrong") +
      (isLess ? ", fewer than counted" : ", as counted"),
  );
  own.sort();
  for (let index = 0; index < own.length; index++) say("    " + own[index]);
  return at;
}
