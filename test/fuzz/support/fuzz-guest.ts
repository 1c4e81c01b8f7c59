/**
 * A guest that makes random host calls: WebAssembly text with every import of a host, each behind a function that
 * draws its arguments. Half of what it draws makes sense (names, pairs, ids that exist), the rest is wild.
 */
import {
  hostSignatures,
  type HostSignature,
  type ParameterKind,
} from "../../../host-mock/abi/signatures.ts";
import type { HostGroup } from "../../../host-mock/abi/signatures.ts";
import { encodePairs } from "../../../host-mock/abi/pairs.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { rawModule } from "../../support/raw-guest.ts";

/** Where the guest counts: words that a test reads. */
export const tally = {
  /** Calls made. */
  count: 0,
  /** A bit for each status of a function of `env`; bit 31 for every larger one. */
  statuses: 4,
  /** A running hash of which function answered what. */
  hash: 8,
  /** The same as `statuses`, for errnos of WASI up to 30. */
  errnos: 12,
} as const;

const callsInCallback = 20;
const arena = { start: 32768, end: 61440 };

/** What sensible arguments point at. */
const words: readonly Uint8Array[] = [
  ...["collector", "key", "lease", "queue", ":path", ":method", "x-a", "plugin_name"].map(utf8),
  ...["request\0path", "xds\0node\0id", "compress", "clear_route_cache", "", "value"].map(utf8),
  encodePairs(
    [
      [":method", "GET"],
      [":path", "/"],
      [":authority", "a"],
      ["x-b", "c"],
    ].map(([name = "", value = ""]) => [utf8(name), utf8(value)]),
  ),
  encodePairs([[utf8("x-a"), utf8("b")]]),
  new Uint8Array([255, 255, 255, 255, 0, 0]),
];

export interface FuzzGuestOptions {
  readonly groups: ReadonlySet<HostGroup>;
  readonly seed: number;
}

export function fuzzGuest({ groups, seed }: FuzzGuestOptions): Uint8Array<ArrayBuffer> {
  const signatures = hostSignatures.filter(
    ({ group, versions }) => groups.has(group) && versions.has("0.2.1"),
  );
  const imports = signatures.map(imported).join("\n");
  const calls = signatures.map(calling).join("\n");
  return rawModule(`(module
    ${imports}
    (memory (export "memory") 1 4)
    ${wordTable()}
    (global $free (mut i32) (i32.const ${arena.start}))
    (global $random (mut i32) (i32.const ${seed === 0 ? 1 : seed}))
    (func (export "proxy_abi_version_0_2_1"))
    ${drawing}
    ${allocator}
    (func $note (param $index i32) (param $status i32) (param $at i32)
      (i32.store (local.get $at)
        (i32.or (i32.load (local.get $at))
          (i32.shl (i32.const 1)
            (select (local.get $status) (i32.const 31) (i32.lt_u (local.get $status) (i32.const 31))))))
      (i32.store (i32.const ${tally.count}) (i32.add (i32.load (i32.const ${tally.count})) (i32.const 1)))
      (i32.store (i32.const ${tally.hash})
        (i32.mul (i32.const 0x01000193)
          (i32.xor (i32.load (i32.const ${tally.hash}))
            (i32.add (i32.mul (local.get $index) (i32.const 131)) (local.get $status))))))
    ${calls}
    (table ${signatures.length} funcref)
    (elem (i32.const 0) ${signatures.map((_, index) => `$call${index}`).join(" ")})
    (type $call (func))
    (func $storm (local $left i32)
      (global.set $free (i32.const ${arena.start}))
      (local.set $left (i32.const ${callsInCallback}))
      (loop $again
        (call_indirect (type $call) (i32.rem_u (call $next) (i32.const ${signatures.length})))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br_if $again (local.get $left))))
    ${callbacks}
  )`);
}

const callbackArguments: Readonly<Record<string, readonly [count: number, answers: boolean]>> = {
  proxy_on_tick: [1, false],
  proxy_on_queue_ready: [2, false],
  proxy_on_http_call_response: [5, false],
  proxy_on_grpc_receive_initial_metadata: [3, false],
  proxy_on_grpc_receive: [3, false],
  proxy_on_grpc_receive_trailing_metadata: [3, false],
  proxy_on_grpc_close: [3, false],
  proxy_on_request_headers: [3, true],
  proxy_on_request_body: [3, true],
  proxy_on_request_trailers: [2, true],
  proxy_on_response_headers: [3, true],
  proxy_on_response_body: [3, true],
  proxy_on_response_trailers: [2, true],
  proxy_on_log: [1, false],
  proxy_on_done: [1, true],
  proxy_on_delete: [1, false],
};

/** The actions are as random as the calls; mostly 0, or hardly a request would come to its end. */
const callbacks = [
  `(func (export "proxy_on_configure") (param i32 i32) (result i32)
     (global.set $random (i32.xor (global.get $random) (i32.mul (local.get 0) (i32.const 77))))
     (call $storm) (i32.const 1))`,
  ...Object.entries(callbackArguments).map(([name, [count, answers]]) => {
    const parameters = `(param ${"i32 ".repeat(count)})`;
    const action = "(i32.mul (i32.eqz (i32.and (call $next) (i32.const 7))) (call $next))";
    return answers
      ? `(func (export "${name}") ${parameters} (result i32) (call $storm) ${action})`
      : `(func (export "${name}") ${parameters} (call $storm))`;
  }),
].join("\n");

/** Marsaglia's xorshift of 32 bits; mixed, since its lowest bits are poor. */
const drawing = `
  (func $next (result i32) (local $x i32)
    (local.set $x (global.get $random))
    (local.set $x (i32.xor (local.get $x) (i32.shl (local.get $x) (i32.const 13))))
    (local.set $x (i32.xor (local.get $x) (i32.shr_u (local.get $x) (i32.const 17))))
    (local.set $x (i32.xor (local.get $x) (i32.shl (local.get $x) (i32.const 5))))
    (global.set $random (local.get $x))
    (i32.mul (i32.rotr (local.get $x) (i32.const 11)) (i32.const 0x9e3779b1)))
  (func $number (result i32) (local $way i32)
    (local.set $way (i32.and (call $next) (i32.const 15)))
    (if (i32.lt_u (local.get $way) (i32.const 11)) (then (return (i32.rem_u (call $next) (i32.const 10)))))
    (if (i32.lt_u (local.get $way) (i32.const 13)) (then (return (i32.rem_u (call $next) (i32.const 5000)))))
    (if (i32.eq (local.get $way) (i32.const 13)) (then (return (i32.const -1))))
    (call $next))
  (func $out (result i32) (local $way i32)
    (local.set $way (i32.and (call $next) (i32.const 31)))
    (if (i32.eqz (local.get $way)) (then (return (call $next))))
    (if (i32.eq (local.get $way) (i32.const 1)) (then (return (i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const 3)))))
    (i32.add (i32.const 61440) (i32.shl (i32.rem_u (call $next) (i32.const 500)) (i32.const 3))))
  (func $word (result i32) (i32.add (i32.const 1024) (i32.shl (i32.rem_u (call $next) (i32.const ${words.length})) (i32.const 3))))
  (func $wild (result i32) (local $way i32)
    (local.set $way (i32.and (call $next) (i32.const 3)))
    (if (i32.eqz (local.get $way)) (then (return (call $next))))
    (if (i32.eq (local.get $way) (i32.const 1)) (then (return (i32.rem_u (call $next) (i32.const 70000)))))
    (i32.rem_u (call $next) (i32.const 100)))`;

/** Mostly sound. Else it answers nothing, an odd or a wild address, or grows the memory first. */
const allocator = `
  (func (export "malloc") (param $size i32) (result i32) (local $way i32) (local $at i32)
    (local.set $way (i32.and (call $next) (i32.const 63)))
    (if (i32.eqz (local.get $way)) (then (return (i32.const 0))))
    (if (i32.eq (local.get $way) (i32.const 1)) (then (return (i32.const -5))))
    (if (i32.eq (local.get $way) (i32.const 2)) (then (return (i32.const 40001))))
    (if (i32.eq (local.get $way) (i32.const 3)) (then (drop (memory.grow (i32.const 1)))))
    (local.set $at (global.get $free))
    (if (i32.gt_u (local.get $size) (i32.const ${arena.end - arena.start})) (then (return (i32.const 0))))
    (if (i32.gt_u (i32.add (local.get $at) (local.get $size)) (i32.const ${arena.end}))
      (then (local.set $at (i32.const ${arena.start}))))
    (global.set $free (i32.add (local.get $at) (local.get $size)))
    (local.get $at))`;

/** Pointers and sizes of the words at 1024, eight bytes each; their bytes from 2048 on. */
function wordTable(): string {
  let at = 2048;
  return words
    .map((bytes, index) => {
      const entry = new Uint8Array(8);
      new DataView(entry.buffer).setUint32(0, at, true);
      new DataView(entry.buffer).setUint32(4, bytes.length, true);
      const text = `(data (i32.const ${1024 + 8 * index}) "${escaped(entry)}") (data (i32.const ${at}) "${escaped(bytes)}")`;
      at += bytes.length + 4;
      return text;
    })
    .join("\n");
}

function escaped(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
}

function imported({ module, name, type }: HostSignature, index: number): string {
  const from = module === "env" ? "env" : "wasi_snapshot_preview1";
  const parameters = type.params.length === 0 ? "" : `(param ${type.params.join(" ")})`;
  const result = type.results.length === 0 ? "" : "(result i32)";
  return `(import "${from}" "${name}" (func $host${index} ${parameters} ${result}))`;
}

/** Draws the arguments, calls, and notes the answer. */
function calling({ module, parameters, type }: HostSignature, index: number): string {
  const drawn = parameters.map(({ kind }) => drawOf(kind)).join(" ");
  const call = `(call $host${index} ${drawn})`;
  const noted = module === "env" ? tally.statuses : tally.errnos;
  return type.results.length === 0
    ? `(func $call${index} (local $word i32) ${call})`
    : `(func $call${index} (local $word i32) (call $note (i32.const ${index}) ${call} (i32.const ${noted})))`;
}

function drawOf(kind: ParameterKind): string {
  switch (kind) {
    case "u32":
    case "i32":
      return "(call $number)";
    case "i64":
      return "(i64.extend_i32_s (call $number))";
    case "bytes":
    case "pairs":
    case "path":
      return pairOf();
    case "ptr":
    case "out-u32":
    case "out-u64":
      return "(call $out)";
    case "out-bytes":
    case "out-pairs":
      return "(call $out) (call $out)";
  }
}

/** Address and size: of a word, or both wild. */
function pairOf(): string {
  const sensible = "(i32.and (call $next) (i32.const 7))";
  return `
    (if (result i32) ${sensible}
      (then (local.set $word (call $word)) (i32.load (local.get $word)))
      (else (local.set $word (i32.const 0)) (call $wild)))
    (if (result i32) (local.get $word)
      (then (i32.load offset=4 (local.get $word)))
      (else (call $wild)))`;
}
