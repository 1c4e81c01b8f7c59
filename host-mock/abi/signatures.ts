/**
 * Every function a host offers: name, arguments, versions, and where it may be called.
 *
 * Arguments are written `name:kind`; the kind says how many wasm arguments there are and what they
 * mean:
 *
 * | kind                | wasm    | meaning                                                   |
 * | ------------------- | ------- | --------------------------------------------------------- |
 * | u32 i32             | i32     | a number                                                  |
 * | i64                 | i64     | a number                                                  |
 * | ptr                 | i32     | an address that is not shown in traces                    |
 * | bytes pairs path    | i32 i32 | address and size of bytes, of serialised pairs, of a path |
 * | out-u32 out-u64     | i32     | address of a word that the host writes                    |
 * | out-bytes out-pairs | i32 i32 | addresses of the pointer word and the size word           |
 *
 * Source: proxy-wasm-cpp-host `include/proxy-wasm/exports.h`, `src/wasm.cc` (registerCallbacks),
 * `wasm_vm.h`.
 */
import type { AbiVersion } from "./enums.ts";
import type { FunctionType, ValueType } from "./wasm-types.ts";

export type ParameterKind =
  | "u32"
  | "i32"
  | "i64"
  | "ptr"
  | "bytes"
  | "pairs"
  | "path"
  | "out-u32"
  | "out-u64"
  | "out-bytes"
  | "out-pairs";

export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
}

/** Who offers a function: every host, Envoy only, Higress only. */
export type HostGroup = "proxy-wasm" | "envoy" | "higress";

export interface HostSignature {
  readonly module: "env" | "wasi";
  readonly name: string;
  readonly group: HostGroup;
  readonly parameters: readonly Parameter[];
  readonly type: FunctionType;
  /** ABI versions that have it. */
  readonly versions: ReadonlySet<AbiVersion>;
  /**
   * May be called in `_initialize`, `_start`, `main`; elsewhere it traps with
   * `restricted_callback`.
   */
  readonly inStart: boolean;
  /** May be called while the host runs the allocator. */
  readonly inAllocator: boolean;
}

const all: ReadonlySet<AbiVersion> = new Set(["0.1.0", "0.2.0", "0.2.1", "0.2.100"]);
const only010: ReadonlySet<AbiVersion> = new Set(["0.1.0"]);
const from020: ReadonlySet<AbiVersion> = new Set(["0.2.0", "0.2.1", "0.2.100"]);
const from021: ReadonlySet<AbiVersion> = new Set(["0.2.1", "0.2.100"]);

const envAll = `
proxy_log level:u32 message:bytes
proxy_get_current_time_nanoseconds time:out-u64
proxy_set_tick_period_milliseconds period:u32
proxy_get_status code:out-u32 message:out-bytes
proxy_set_effective_context context:u32
proxy_done
proxy_call_foreign_function function:bytes argument:bytes result:out-bytes
proxy_get_property path:path value:out-bytes
proxy_set_property path:path value:bytes
proxy_get_shared_data key:bytes value:out-bytes cas:out-u32
proxy_set_shared_data key:bytes value:bytes cas:u32
proxy_register_shared_queue queue:bytes token:out-u32
proxy_resolve_shared_queue vm_id:bytes queue:bytes token:out-u32
proxy_dequeue_shared_queue token:u32 value:out-bytes
proxy_enqueue_shared_queue token:u32 value:bytes
proxy_get_header_map_value map:u32 name:bytes value:out-bytes
proxy_add_header_map_value map:u32 name:bytes value:bytes
proxy_replace_header_map_value map:u32 name:bytes value:bytes
proxy_remove_header_map_value map:u32 name:bytes
proxy_get_header_map_pairs map:u32 headers:out-pairs
proxy_set_header_map_pairs map:u32 headers:pairs
proxy_get_header_map_size map:u32 size:out-u32
proxy_get_buffer_bytes buffer:u32 start:u32 length:u32 data:out-bytes
proxy_set_buffer_bytes buffer:u32 start:u32 length:u32 data:bytes
proxy_get_buffer_status buffer:u32 size:out-u32 flags:out-u32
proxy_send_local_response status:u32 details:bytes body:bytes headers:pairs grpc_status:i32
proxy_http_call cluster:bytes headers:pairs body:bytes trailers:pairs timeout_ms:u32 token:out-u32
proxy_grpc_call service:bytes name:bytes method:bytes metadata:pairs request:bytes
  timeout_ms:u32 token:out-u32
proxy_grpc_stream service:bytes name:bytes method:bytes metadata:pairs token:out-u32
proxy_grpc_send token:u32 message:bytes end_stream:u32
proxy_grpc_cancel token:u32
proxy_grpc_close token:u32
proxy_define_metric type:u32 name:bytes id:out-u32
proxy_increment_metric id:u32 offset:i64
proxy_record_metric id:u32 value:i64
proxy_get_metric id:u32 value:out-u64
pthread_equal left:u32 right:u32
emscripten_notify_memory_growth memory:u32 -> void`;

const env010 = `
proxy_get_configuration configuration:out-bytes
proxy_continue_request
proxy_continue_response
proxy_clear_route_cache`;

const env020 = `
proxy_continue_stream stream:u32
proxy_close_stream stream:u32`;

const env021 = `
proxy_get_log_level level:out-u32`;

const envEnvoy = `
envoy_resolve_dns address:bytes token:out-u32`;

const envHigress = `
proxy_redis_init cluster:bytes user:bytes password:bytes timeout_ms:u32
proxy_redis_call cluster:bytes query:bytes token:out-u32
proxy_inject_encoded_data_to_filter_chain body:bytes end_stream:u32
proxy_get_upstream_hosts hosts:out-pairs
proxy_set_upstream_override_host address:bytes`;

const wasi = `
fd_write fd:u32 iovs:ptr iovs_len:u32 written:out-u32
fd_pwrite fd:u32 iovs:ptr iovs_len:u32 offset:i64 written:out-u32
fd_read fd:u32 iovs:ptr iovs_len:u32 read:ptr
fd_pread fd:u32 iovs:ptr iovs_len:u32 offset:i64 read:ptr
fd_seek fd:u32 offset:i64 whence:u32 new_offset:ptr
fd_close fd:u32
fd_tell fd:u32 offset:out-u64
fd_fdstat_get fd:u32 stat:ptr
fd_fdstat_set_flags fd:u32 flags:u32
fd_fdstat_set_rights fd:u32 base:i64 inheriting:i64
fd_filestat_get fd:u32 stat:ptr
fd_filestat_set_size fd:u32 size:i64
fd_filestat_set_times fd:u32 access:i64 modification:i64 flags:u32
fd_advise fd:u32 offset:i64 length:i64 advice:u32
fd_allocate fd:u32 offset:i64 length:i64
fd_datasync fd:u32
fd_sync fd:u32
fd_prestat_get fd:u32 prestat:ptr
fd_prestat_dir_name fd:u32 path:bytes
fd_readdir fd:u32 buffer:bytes cookie:i64 used:out-u32
fd_renumber fd:u32 to:u32
path_open fd:u32 dirflags:u32 path:bytes oflags:u32 base:i64 inheriting:i64 fdflags:u32 opened:ptr
path_filestat_get fd:u32 flags:u32 path:bytes stat:ptr
path_filestat_set_times fd:u32 flags:u32 path:bytes access:i64 modification:i64 times:u32
path_create_directory fd:u32 path:bytes
path_remove_directory fd:u32 path:bytes
path_unlink_file fd:u32 path:bytes
path_readlink fd:u32 path:bytes buffer:bytes used:ptr
path_rename fd:u32 path:bytes new_fd:u32 new_path:bytes
path_link old_fd:u32 old_flags:u32 old_path:ptr new_fd:u32 new_path:ptr new_path_len:u32
path_symlink old_path:ptr fd:u32 new_path:ptr new_path_len:u32
sock_accept fd:u32 flags:u32 opened:ptr
sock_recv fd:u32 data:ptr data_len:u32 flags:u32 received:ptr out_flags:ptr
sock_send fd:u32 data:ptr data_len:u32 flags:u32 sent:ptr
sock_shutdown fd:u32 how:u32
environ_sizes_get count:out-u32 size:out-u32
environ_get array:ptr buffer:ptr
args_sizes_get count:out-u32 size:out-u32
args_get array:ptr buffer:ptr
clock_time_get clock:u32 precision:i64 time:out-u64
clock_res_get clock:u32 resolution:out-u64
random_get buffer:ptr length:u32
sched_yield
poll_oneoff in:ptr out:ptr count:u32 events:out-u32
proc_exit code:u32 -> void`;

const envInStart = new Set(["proxy_log", "emscripten_notify_memory_growth"]);
const wasiNotInStart = new Set([
  "proc_exit",
  "sched_yield",
  "fd_close",
  "fd_read",
  "fd_seek",
  "path_open",
]);
const inAllocator = new Set(["proxy_log", "fd_write", "clock_time_get", "poll_oneoff"]);

const twoWords: ReadonlySet<ParameterKind> = new Set([
  "bytes",
  "pairs",
  "path",
  "out-bytes",
  "out-pairs",
]);

function typesOf({ kind }: Parameter): readonly ValueType[] {
  if (kind === "i64") return ["i64"];
  return twoWords.has(kind) ? ["i32", "i32"] : ["i32"];
}

type Shelf = Pick<HostSignature, "module" | "group" | "versions">;

function readTable(table: string, shelf: Shelf): HostSignature[] {
  return table
    .trim()
    .replaceAll("\n  ", " ")
    .split("\n")
    .map((line) => {
      const [signature = "", result = "i32"] = line.split(" -> ");
      const [name = "", ...written] = signature.split(" ");
      const parameters = written.map((text): Parameter => {
        const [label = "", kind = ""] = text.split(":");
        return { name: label, kind: kind as ParameterKind };
      });
      return {
        ...shelf,
        name,
        parameters,
        type: { params: parameters.flatMap(typesOf), results: result === "void" ? [] : [result] },
        inStart: shelf.module === "wasi" ? !wasiNotInStart.has(name) : envInStart.has(name),
        inAllocator: inAllocator.has(name),
      };
    });
}

/** All functions of all versions and hosts. */
export const hostSignatures: readonly HostSignature[] = [
  ...readTable(envAll, { module: "env", group: "proxy-wasm", versions: all }),
  ...readTable(env010, { module: "env", group: "proxy-wasm", versions: only010 }),
  ...readTable(env020, { module: "env", group: "proxy-wasm", versions: from020 }),
  ...readTable(env021, { module: "env", group: "proxy-wasm", versions: from021 }),
  ...readTable(envEnvoy, { module: "env", group: "envoy", versions: all }),
  ...readTable(envHigress, { module: "env", group: "higress", versions: all }),
  ...readTable(wasi, { module: "wasi", group: "proxy-wasm", versions: all }),
];

const byName = new Map(
  hostSignatures.map((signature) => [`${signature.module}.${signature.name}`, signature]),
);

const moduleNames: Readonly<Record<string, HostSignature["module"]>> = {
  env: "env",
  wasi_snapshot_preview1: "wasi",
  wasi_unstable: "wasi",
};

/**
 * The function that an import names, as a module of this version sees it on a host of these groups.
 */
export function findHostFunction(
  imported: { readonly module: string; readonly name: string },
  abi: AbiVersion,
  groups: ReadonlySet<HostGroup>,
): HostSignature | undefined {
  if (!Object.hasOwn(moduleNames, imported.module)) return undefined;
  const signature = byName.get(`${moduleNames[imported.module]!}.${imported.name}`);
  if (signature === undefined || !groups.has(signature.group)) return undefined;
  return signature.versions.has(abi) ? signature : undefined;
}
