// Packs a module's static data. Most of it is text, which asc writes as objects with a header of 20 bytes and two bytes
// a character: half of it is zeros, and words recur. The module unpacks it when `_initialize` begins.
import binaryen from "assemblyscript/binaryen";
import { pack } from "./pack.js";
import { segmentsOf } from "./segments.js";

const unpack = "~unpack_data";
const started = "~started";
const heapBase = "~lib/memory/__heap_base";
const PAGE = 65_536;
/** The unpacking function's size: what is won must be more. */
const UNPACK_BYTES = 150;

/** @param {any} module as asc hands it to `afterCompile` */
export function packData(module) {
  const start = startOf(module);
  const segments = segmentsOf(module);
  const heap = constantOf(module, heapBase);
  if (start === 0 || heap === 0 || segments.length === 0) return;
  const from = Math.min(...segments.map(({ offset }) => offset)) & ~1;
  const to = Math.max(...segments.map(({ offset, data }) => offset + data.length));
  const plain = segments.reduce((sum, { data }) => sum + data.length, 0);
  const image = new Uint8Array((to - from + 1) & ~1);
  for (const { offset, data } of segments) image.set(data, offset - from);
  const packed = pack(image);
  const { initial, max } = module.getMemoryInfo("0");
  // The packed data lies where the heap will begin; nothing is there yet.
  const isRoomy = heap + packed.length <= initial * PAGE;
  if (!isRoomy || packed.length + UNPACK_BYTES > plain) return;
  const segment = { name: "packed", offset: module.i32.const(heap), data: packed, passive: false };
  module.setMemory(initial, max ?? -1, null, [segment], false, false, "0");
  addUnpack(module, { from, heap, size: packed.length });
  const { body } = binaryen.getFunctionInfo(start);
  const call = module.call(unpack, [], binaryen.none);
  // A second `_initialize` does nothing, by a guard of asc's.
  const isFirst = module.i32.eqz(module.global.get(started, binaryen.i32));
  const first = module.getGlobal(started) ? module.if(isFirst, call) : call;
  binaryen.Function.setBody(start, module.block(null, [first, body]));
}

/** The function exported as `_initialize`; 0 when there is none. @param {any} module */
function startOf(module) {
  for (let index = 0; index < module.getNumExports(); index++) {
    const { name, value } = binaryen.getExportInfo(module.getExportByIndex(index));
    if (name === "_initialize") return module.getFunction(value);
  }
  return 0;
}

/** @param {any} module @param {string} name */
function constantOf(module, name) {
  const global = module.getGlobal(name);
  if (!global) return 0;
  const { init } = binaryen.getGlobalInfo(global);
  return binaryen.getExpressionId(init) === binaryen.ConstId ? binaryen.Const.getValueI32(init) : 0;
}

/**
 * The inverse of `pack`. Afterwards the packed data is zeros, as memory is that nobody has used.
 *
 * @param {any} module
 * @param {{ from: number, heap: number, size: number }} place
 */
function addUnpack(module, { from, heap, size }) {
  const { i32, local, memory } = module;
  const [at, to, code] = [0, 1, 2];
  const get = (index) => local.get(index, binaryen.i32);
  const add = (index, bytes) => local.set(index, i32.add(get(index), bytes));
  const twice = (value) => i32.shl(value, i32.const(1));
  const zeros = [add(to, twice(i32.load8_u(0, 1, get(at)))), add(at, i32.const(1))];
  const put = (value) => [i32.store16(0, 1, get(to), value), add(to, i32.const(2))];
  const wide = [...put(i32.load16_u(0, 1, get(at))), add(at, i32.const(2))];
  const length = () => twice(i32.sub(get(code), i32.const(0x80 - 4)));
  const again = [
    memory.copy(get(to), i32.sub(get(to), twice(i32.load16_u(0, 1, get(at)))), length()),
    add(to, length()),
    add(at, i32.const(2)),
  ];
  const block = (parts) => module.block(null, parts);
  const large = module.if(i32.eq(get(code), i32.const(0xff)), block(wide), block(again));
  const step = module.if(
    i32.lt_u(get(code), i32.const(0x80)),
    module.if(get(code), block(put(get(code))), block(zeros)),
    large,
  );
  const body = module.block(null, [
    local.set(at, i32.const(heap)),
    local.set(to, i32.const(from)),
    module.loop(
      "next",
      block([
        local.set(code, i32.load8_u(0, 1, get(at))),
        add(at, i32.const(1)),
        step,
        module.br("next", i32.lt_u(get(at), i32.const(heap + size))),
      ]),
    ),
    memory.fill(i32.const(heap), i32.const(0), i32.const(size)),
  ]);
  module.addFunction(unpack, binaryen.none, binaryen.none, Array(3).fill(binaryen.i32), body);
}
