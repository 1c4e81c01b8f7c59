/**
 * WASI preview 1 as Envoy has it, under `wasi_snapshot_preview1` and `wasi_unstable` alike; results
 * are errnos. There are no files and no sockets: descriptors 1 and 2 are log lines, all others are
 * bad.
 *
 * Source: proxy-wasm-cpp-host `src/exports.cc` (wasi_unstable_*).
 */
import { utf8 } from "../state/bytes.ts";
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Errno, LogLevel } from "./enums.ts";
import { wasiFiles } from "./wasi-files.ts";

const randomSizeMax = 65536;
const realtime = 0;
const monotonic = 1;

/** What the iovecs point at, in one piece; undefined when any of it lies out of bounds. */
function gather(site: CallSite, iovs: number, count: number): Uint8Array | undefined {
  const { memory } = site;
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let index = 0; index < count; index++) {
    const ptr = memory.readU32(iovs + 8 * index);
    const length = memory.readU32(iovs + 8 * index + 4);
    if (ptr === undefined || length === undefined) return undefined;
    if (length === 0) continue;
    const part = memory.viewBytes(ptr, length);
    if (part === undefined) return undefined;
    parts.push(part);
    size += length;
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * One log line a call, without its last newline; `written` counts that too. Nothing is logged for
 * no bytes.
 */
function write(
  site: CallSite,
  fd: number,
  iovs: number,
  count: number,
  writtenPtr: number,
): number {
  if (fd !== 1 && fd !== 2) return Errno.BadFile;
  const text = gather(site, iovs, count);
  if (text === undefined) return Errno.Fault;
  if (text.length > 0) {
    const line = text[text.length - 1] === 0x0a ? text.subarray(0, -1) : text;
    site.log(fd === 1 ? LogLevel.info : LogLevel.error, line);
  }
  return site.memory.writeU32(writtenPtr, text.length) ? Errno.Success : Errno.Fault;
}

function giveTwo(
  site: CallSite,
  first: number,
  firstPtr: number,
  second: number,
  secondPtr: number,
): number {
  const { memory } = site;
  return memory.writeU32(firstPtr, first) && memory.writeU32(secondPtr, second)
    ? Errno.Success
    : Errno.Fault;
}

export const wasiFunctions: HostFunctions = {
  ...wasiFiles,

  fd_write(site: CallSite, fd: number, iovs: number, count: number, writtenPtr: number) {
    return write(site, fd, iovs, count, writtenPtr);
  },

  fd_pwrite(
    site: CallSite,
    fd: number,
    iovs: number,
    count: number,
    _offset: bigint,
    writtenPtr: number,
  ) {
    return write(site, fd, iovs, count, writtenPtr);
  },

  /** Number of variables; bytes of all `KEY=VALUE\0`. */
  environ_sizes_get(site: CallSite, countPtr: number, sizePtr: number) {
    const { environment } = site.host;
    let size = 0;
    for (const [key, value] of environment) size += utf8(key).length + utf8(value).length + 2;
    return giveTwo(site, environment.length, countPtr, size, sizePtr);
  },

  /**
   *     array: | u32 address | … one a variable    buffer: KEY=VALUE\0 KEY=VALUE\0 …
   */
  environ_get(site: CallSite, array: number, buffer: number) {
    const { memory } = site;
    let wordAt = array;
    let at = buffer;
    for (const [key, value] of site.host.environment) {
      const text = utf8(`${key}=${value}\0`);
      if (!memory.writeU32(wordAt, at) || !memory.writeBytes(at, text)) return Errno.Fault;
      wordAt += 4;
      at += text.length;
    }
    return Errno.Success;
  },

  args_sizes_get(site: CallSite, countPtr: number, sizePtr: number) {
    return giveTwo(site, 0, countPtr, 0, sizePtr);
  },

  /** There are no arguments: writes nothing. */
  args_get() {
    return Errno.Success;
  },

  /**
   * Clock 0 is the wall clock, 1 the monotonic one; others are not supported.
   *
   *     timePtr: | u64 nanoseconds |
   */
  clock_time_get(site: CallSite, clock: number, _precision: bigint, timePtr: number) {
    if (clock !== realtime && clock !== monotonic) return Errno.NotSupported;
    const times = site.host.process.clock;
    const ns = clock === realtime ? times.wallNs : times.monotonicNs;
    return site.memory.writeU64(timePtr, ns) ? Errno.Success : Errno.Fault;
  },

  clock_res_get(site: CallSite, clock: number, resolutionPtr: number) {
    if (clock !== realtime && clock !== monotonic) return Errno.NotSupported;
    return site.memory.writeU64(resolutionPtr, 1n) ? Errno.Success : Errno.Fault;
  },

  /** At most 65536 bytes a call; none for 0, wherever the address points. */
  random_get(site: CallSite, buffer: number, length: number) {
    if (length > randomSizeMax) return Errno.Invalid;
    if (length === 0) return Errno.Success;
    const into = site.memory.viewBytes(buffer, length);
    if (into === undefined) return Errno.Fault;
    site.host.randomBytes(into);
    return Errno.Success;
  },

  sched_yield() {
    return Errno.Success;
  },

  /**
   * Does not sleep: no events, at once. Go calls it at garbage collections and dies of an error.
   */
  poll_oneoff(site: CallSite, _in: number, _out: number, _count: number, eventsPtr: number) {
    return site.memory.writeU32(eventsPtr, 0) ? Errno.Success : Errno.Fault;
  },

  /** Returns to its caller, and the VM stays healthy; compilers put `unreachable` behind it. */
  proc_exit() {
    return Errno.Success;
  },

  fd_readdir(
    site: CallSite,
    _fd: number,
    _buffer: number,
    _size: number,
    _cookie: bigint,
    usedPtr: number,
  ) {
    return site.memory.writeU32(usedPtr, 0) ? Errno.NotDirectory : Errno.Fault;
  },

  /** The opened descriptor's 8 bytes are zeroed. */
  sock_accept(site: CallSite, _fd: number, _flags: number, openedPtr: number) {
    return site.memory.writeU64(openedPtr, 0n) ? Errno.NotSupported : Errno.Fault;
  },

  sock_recv(
    site: CallSite,
    _fd: number,
    _data: number,
    _count: number,
    _flags: number,
    receivedPtr: number,
    outFlagsPtr: number,
  ) {
    const { memory } = site;
    return memory.writeU32(receivedPtr, 0) && memory.writeBytes(outFlagsPtr, twoZeros)
      ? Errno.NotSupported
      : Errno.Fault;
  },

  sock_send(
    site: CallSite,
    _fd: number,
    _data: number,
    _count: number,
    _flags: number,
    sentPtr: number,
  ) {
    return site.memory.writeU32(sentPtr, 0) ? Errno.NotSupported : Errno.Fault;
  },
};

const twoZeros = new Uint8Array(2);
