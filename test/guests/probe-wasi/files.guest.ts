/** Descriptors and paths. There are no files: what do the calls say? */
import * as wasi from "./preview1.guest";
import { atTheEnd, begin, first, given, outside, put, room, second, vector } from "./report.guest";
import * as old from "./unstable.guest";

function call(name: string, fd: u32): void {
  begin(name + " " + fd.toString());
}

/** Calls that have nothing but a descriptor, or a room besides. */
export function files(): void {
  for (let fd: u32 = 0; fd < 4; fd++) {
    call("fd_close", fd);
    first(wasi.fd_close(fd));
    second(old.fd_close(fd));
    call("fd_datasync", fd);
    first(wasi.fd_datasync(fd));
    second(old.fd_datasync(fd));
    call("fd_sync", fd);
    first(wasi.fd_sync(fd));
    second(old.fd_sync(fd));
    call("fd_tell", fd);
    first(wasi.fd_tell(fd, room));
    second(old.fd_tell(fd, room));
    call("fd_fdstat_get", fd);
    first(wasi.fd_fdstat_get(fd, room));
    second(old.fd_fdstat_get(fd, room));
    call("fd_filestat_get", fd);
    first(wasi.fd_filestat_get(fd, room));
    second(old.fd_filestat_get(fd, room));
    call("fd_prestat_get", fd);
    first(wasi.fd_prestat_get(fd, room));
    second(old.fd_prestat_get(fd, room));
  }
}

/** Calls with a descriptor and numbers. */
export function numbers(): void {
  for (let fd: u32 = 0; fd < 4; fd++) {
    call("fd_seek", fd);
    first(wasi.fd_seek(fd, -1, 9, room));
    second(old.fd_seek(fd, -1, 9, room));
    call("fd_fdstat_set_flags", fd);
    first(wasi.fd_fdstat_set_flags(fd, 1));
    second(old.fd_fdstat_set_flags(fd, 1));
    call("fd_fdstat_set_rights", fd);
    first(wasi.fd_fdstat_set_rights(fd, 1, 1));
    second(old.fd_fdstat_set_rights(fd, 1, 1));
    call("fd_filestat_set_size", fd);
    first(wasi.fd_filestat_set_size(fd, 1));
    second(old.fd_filestat_set_size(fd, 1));
    call("fd_filestat_set_times", fd);
    first(wasi.fd_filestat_set_times(fd, 1, 2, 3));
    second(old.fd_filestat_set_times(fd, 1, 2, 3));
    call("fd_advise", fd);
    first(wasi.fd_advise(fd, 1, 2, 3));
    second(old.fd_advise(fd, 1, 2, 3));
    call("fd_allocate", fd);
    first(wasi.fd_allocate(fd, 1, 2));
    second(old.fd_allocate(fd, 1, 2));
    call("fd_renumber to 1 from", fd);
    first(wasi.fd_renumber(fd, 1));
    second(old.fd_renumber(fd, 1));
    call("fd_renumber to 5 from", fd);
    first(wasi.fd_renumber(fd, 5));
    second(old.fd_renumber(fd, 5));
  }
}

/** Calls that read, or list. */
export function lists(): void {
  for (let fd: u32 = 0; fd < 4; fd++) {
    call("fd_read", fd);
    first(wasi.fd_read(fd, vector([room + 16, 8]), 1, room));
    second(old.fd_read(fd, vector([room + 16, 8]), 1, room));
    call("fd_pread", fd);
    first(wasi.fd_pread(fd, vector([room + 16, 8]), 1, 0, room));
    second(old.fd_pread(fd, vector([room + 16, 8]), 1, 0, room));
    call("fd_readdir", fd);
    first(wasi.fd_readdir(fd, room + 16, 8, 0, room));
    second(old.fd_readdir(fd, room + 16, 8, 0, room));
    call("fd_prestat_dir_name", fd);
    first(wasi.fd_prestat_dir_name(fd, room, 8));
    second(old.fd_prestat_dir_name(fd, room, 8));
  }
}

/** Calls with a path. */
export function names(): void {
  const size = put(given, "/tmp");
  begin("path_open");
  first(wasi.path_open(3, 0, given, size, 0, -1, -1, 0, room));
  second(old.path_open(3, 0, given, size, 0, -1, -1, 0, room));
  begin("path_filestat_get");
  first(wasi.path_filestat_get(3, 0, given, size, room));
  second(old.path_filestat_get(3, 0, given, size, room));
  begin("path_filestat_set_times");
  first(wasi.path_filestat_set_times(3, 0, given, size, 1, 2, 3));
  second(old.path_filestat_set_times(3, 0, given, size, 1, 2, 3));
  begin("path_create_directory");
  first(wasi.path_create_directory(3, given, size));
  second(old.path_create_directory(3, given, size));
  begin("path_remove_directory");
  first(wasi.path_remove_directory(3, given, size));
  second(old.path_remove_directory(3, given, size));
  begin("path_unlink_file");
  first(wasi.path_unlink_file(3, given, size));
  second(old.path_unlink_file(3, given, size));
  begin("path_readlink");
  first(wasi.path_readlink(3, given, size, room + 16, 8, room));
  second(old.path_readlink(3, given, size, room + 16, 8, room));
  begin("path_rename");
  first(wasi.path_rename(3, given, size, 3, given, size));
  second(old.path_rename(3, given, size, 3, given, size));
  begin("path_link");
  first(wasi.path_link(3, 0, given, 3, given, size));
  second(old.path_link(3, 0, given, 3, given, size));
  begin("path_symlink");
  first(wasi.path_symlink(given, 3, given, size));
  second(old.path_symlink(given, 3, given, size));
}

/** Rooms where no memory is. */
export function memoryOfFiles(): void {
  begin("fd_tell outside");
  first(wasi.fd_tell(1, outside));
  second(old.fd_tell(1, outside));
  begin("fd_tell over the end");
  first(wasi.fd_tell(1, atTheEnd()));
  second(old.fd_tell(1, atTheEnd()));
  begin("fd_tell 3 outside");
  first(wasi.fd_tell(3, outside));
  second(old.fd_tell(3, outside));
  begin("fd_fdstat_get outside");
  first(wasi.fd_fdstat_get(1, outside));
  second(old.fd_fdstat_get(1, outside));
  begin("fd_seek outside");
  first(wasi.fd_seek(1, 0, 0, outside));
  second(old.fd_seek(1, 0, 0, outside));
  begin("fd_readdir outside");
  first(wasi.fd_readdir(3, outside, 8, 0, outside));
  second(old.fd_readdir(3, outside, 8, 0, outside));
  begin("fd_read outside");
  first(wasi.fd_read(0, outside, 1, outside));
  second(old.fd_read(0, outside, 1, outside));
  begin("path_open outside");
  first(wasi.path_open(3, 0, outside, 4, 0, -1, -1, 0, outside));
  second(old.path_open(3, 0, outside, 4, 0, -1, -1, 0, outside));
  begin("path_readlink outside");
  first(wasi.path_readlink(3, outside, 4, outside, 8, outside));
  second(old.path_readlink(3, outside, 4, outside, 8, outside));
}
