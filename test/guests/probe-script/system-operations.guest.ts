/** Log, clocks, chance, WASI, and the guest's own doings. */
import * as host from "./imports.guest";
import { Operation } from "./operation.guest";
import { clearOut, outLong, outWord } from "./out.guest";
import { bytesOf, roomOf, shown, textAt } from "./words.guest";

/** What comes after ` = `; null when the operation is none of these. */
export function systemOperation(op: Operation): string | null {
  const name = op.name;
  if (name == "log") {
    const text = op.has(2) ? roomOf(bytesOf(op.rest(2))) : roomOf("");
    return host.log(op.number(1), text.ptr, text.size).toString();
  }
  if (name == "level") {
    const out = clearOut();
    const status = host.getLogLevel(out);
    return status.toString() + " " + outWord(0);
  }
  if (name == "now") {
    const out = clearOut();
    const status = host.getCurrentTime(out + 8);
    return status.toString() + sign();
  }
  if (name == "clock") {
    const out = clearOut();
    const status = host.clockTimeGet(op.number(1), 0, out + 8);
    return status.toString() + sign();
  }
  if (name == "tick") return host.setTickPeriod(op.number(1)).toString();
  if (name == "effective") return host.setEffectiveContext(op.number(1)).toString();
  if (name == "done") return host.done().toString();
  if (name == "random") {
    const size = min<u32>(op.number(1), 1 << 20);
    const bytes = new Uint8Array(size);
    return host.randomGet(bytes.dataStart, size).toString();
  }
  if (name == "grow") return memory.grow(<i32>op.number(1)) < 0 ? "refused" : "grown";
  if (name == "exit") {
    host.procExit(op.number(1));
    return "returned";
  }
  return wasiOperation(op);
}

/** Whether a clock was written, and not with zero. */
function sign(): string {
  const value = outLong();
  return value == "untouched" ? " untouched" : value == "0" ? " zero" : " positive";
}

function wasiOperation(op: Operation): string | null {
  const name = op.name;
  if (name == "fdwrite") {
    const text = op.room(2);
    const vector = new StaticArray<u32>(2);
    vector[0] = <u32>text.ptr;
    vector[1] = <u32>text.size;
    const out = clearOut();
    const errno = host.fdWrite(op.number(1), changetype<usize>(vector), 1, out);
    return errno.toString() + " " + outWord(0);
  }
  if (name == "environ") return environment();
  if (name == "args") {
    const out = clearOut();
    const errno = host.argsSizesGet(out, out + 4);
    return errno.toString() + " " + outWord(0) + " " + outWord(4);
  }
  return null;
}

/** Sorted: the host's order is that of a hash table. */
function environment(): string {
  const out = clearOut();
  const errno = host.environSizesGet(out, out + 4);
  if (errno != 0) return errno.toString();
  const count = load<u32>(out);
  const size = load<u32>(out, 4);
  const said = errno.toString() + " count=" + count.toString() + " size=" + size.toString();
  if (count == 0 || count > 1000 || size > 65536) return said;
  const pointers = new StaticArray<u32>(count);
  const buffer = new Uint8Array(size);
  const status = host.environGet(changetype<usize>(pointers), buffer.dataStart);
  const found = textAt(buffer.dataStart, size).split("\0");
  const named = found.filter((text) => text.length > 0).sort();
  for (let index = 0; index < named.length; index++) named[index] = shown(named[index]);
  return said + " " + status.toString() + " [" + named.join(", ") + "]";
}
