/** WASI under its older name. */

// @ts-ignore: decorator
@external("wasi_unstable", "fd_write")
export declare function fd_write(a: u32, b: u32, c: u32, d: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_pwrite")
export declare function fd_pwrite(a: u32, b: u32, c: u32, d: i64, e: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_read")
export declare function fd_read(a: u32, b: u32, c: u32, d: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_pread")
export declare function fd_pread(a: u32, b: u32, c: u32, d: i64, e: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_seek")
export declare function fd_seek(a: u32, b: i64, c: u32, d: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_close")
export declare function fd_close(a: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_tell")
export declare function fd_tell(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_fdstat_get")
export declare function fd_fdstat_get(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_fdstat_set_flags")
export declare function fd_fdstat_set_flags(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_fdstat_set_rights")
export declare function fd_fdstat_set_rights(a: u32, b: i64, c: i64): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_filestat_get")
export declare function fd_filestat_get(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_filestat_set_size")
export declare function fd_filestat_set_size(a: u32, b: i64): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_filestat_set_times")
export declare function fd_filestat_set_times(a: u32, b: i64, c: i64, d: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_advise")
export declare function fd_advise(a: u32, b: i64, c: i64, d: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_allocate")
export declare function fd_allocate(a: u32, b: i64, c: i64): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_datasync")
export declare function fd_datasync(a: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_sync")
export declare function fd_sync(a: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_prestat_get")
export declare function fd_prestat_get(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_prestat_dir_name")
export declare function fd_prestat_dir_name(a: u32, b: u32, c: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_readdir")
export declare function fd_readdir(a: u32, b: u32, c: u32, d: i64, e: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "fd_renumber")
export declare function fd_renumber(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_open")
export declare function path_open(
  a: u32,
  b: u32,
  c: u32,
  d: u32,
  e: u32,
  f: i64,
  g: i64,
  h: u32,
  i: u32,
): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_filestat_get")
export declare function path_filestat_get(a: u32, b: u32, c: u32, d: u32, e: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_filestat_set_times")
export declare function path_filestat_set_times(
  a: u32,
  b: u32,
  c: u32,
  d: u32,
  e: i64,
  f: i64,
  g: u32,
): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_create_directory")
export declare function path_create_directory(a: u32, b: u32, c: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_remove_directory")
export declare function path_remove_directory(a: u32, b: u32, c: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_unlink_file")
export declare function path_unlink_file(a: u32, b: u32, c: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_readlink")
export declare function path_readlink(a: u32, b: u32, c: u32, d: u32, e: u32, f: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_rename")
export declare function path_rename(a: u32, b: u32, c: u32, d: u32, e: u32, f: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_link")
export declare function path_link(a: u32, b: u32, c: u32, d: u32, e: u32, f: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "path_symlink")
export declare function path_symlink(a: u32, b: u32, c: u32, d: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "sock_accept")
export declare function sock_accept(a: u32, b: u32, c: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "sock_recv")
export declare function sock_recv(a: u32, b: u32, c: u32, d: u32, e: u32, f: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "sock_send")
export declare function sock_send(a: u32, b: u32, c: u32, d: u32, e: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "sock_shutdown")
export declare function sock_shutdown(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "environ_sizes_get")
export declare function environ_sizes_get(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "environ_get")
export declare function environ_get(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "args_sizes_get")
export declare function args_sizes_get(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "args_get")
export declare function args_get(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "clock_time_get")
export declare function clock_time_get(a: u32, b: i64, c: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "clock_res_get")
export declare function clock_res_get(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "random_get")
export declare function random_get(a: u32, b: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "sched_yield")
export declare function sched_yield(): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "poll_oneoff")
export declare function poll_oneoff(a: u32, b: u32, c: u32, d: u32): u32;

// @ts-ignore: decorator
@external("wasi_unstable", "proc_exit")
export declare function proc_exit(a: u32): void;
