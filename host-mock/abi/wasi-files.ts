/** The file and socket functions of WASI that only answer an errno, more or less. */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Errno } from "./enums.ts";

function isOutput(fd: number): boolean {
  return fd === 1 || fd === 2;
}

/** Success for the two descriptors there are. */
function forOutput(_site: CallSite, fd: number): number {
  return isOutput(fd) ? Errno.Success : Errno.BadFile;
}

const success = (): number => Errno.Success;
const badFile = (): number => Errno.BadFile;
const notImplemented = (): number => Errno.NotImplemented;
const notSupported = (): number => Errno.NotSupported;

export const wasiFiles: HostFunctions = {
  fd_read: notImplemented,
  fd_pread: notImplemented,
  fd_seek: success,
  fd_close: success,

  /**
   *     offsetPtr: | u64 0 |
   */
  fd_tell(site: CallSite, fd: number, offsetPtr: number) {
    if (!isOutput(fd)) return Errno.BadFile;
    return site.memory.writeU64(offsetPtr, 0n) ? Errno.Success : Errno.Fault;
  },

  /**
   * No memory error is reported.
   *
   *     statPtr: | u64 type and flags: 0 | u64 rights: 64, fd_write | u64 inheriting: 0 |
   */
  fd_fdstat_get(site: CallSite, fd: number, statPtr: number) {
    if (!isOutput(fd)) return Errno.BadFile;
    const { memory } = site;
    memory.writeU64(statPtr, 0n);
    memory.writeU64(statPtr + 8, 64n);
    memory.writeU64(statPtr + 16, 0n);
    return Errno.Success;
  },

  fd_fdstat_set_flags: notImplemented,
  fd_fdstat_set_rights: forOutput,
  fd_filestat_get: badFile,
  fd_filestat_set_size: forOutput,
  fd_filestat_set_times: forOutput,
  fd_advise: success,
  fd_allocate: forOutput,
  fd_datasync: forOutput,
  fd_sync: forOutput,
  fd_prestat_get: badFile,
  fd_prestat_dir_name: notImplemented,

  fd_renumber(_site: CallSite, fd: number, to: number) {
    return isOutput(fd) && isOutput(to) ? Errno.NotSupported : Errno.BadFile;
  },

  path_open: () => Errno.NoEntry,
  path_filestat_get: notSupported,
  path_filestat_set_times: notSupported,
  path_create_directory: notSupported,
  path_remove_directory: notSupported,
  path_unlink_file: notSupported,

  path_readlink(
    site: CallSite,
    _fd: number,
    _path: number,
    _pathSize: number,
    _buffer: number,
    _bufferSize: number,
    usedPtr: number,
  ) {
    return site.memory.writeU32(usedPtr, 0) ? Errno.NotSupported : Errno.Fault;
  },

  path_rename: notSupported,
  path_link: notSupported,
  path_symlink: notSupported,
  sock_shutdown: notSupported,
};
