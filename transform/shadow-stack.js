// Takes out of a module the part of asc's shadow stack that can root nothing. The collector looks at that stack only
// when it runs, which is when an object is allocated. A function from which no allocation can be reached needs no frame
// there, a value that is handed to such a function needs no place in its caller's frame, and neither does a value after
// which nothing is allocated. Plain field reads are of this kind, so a third of a plugin's code goes, and what is left
// runs faster.
import binaryen from "assemblyscript/binaryen";
import { eachPart, kindOf } from "./expressions.js";
import {
  check,
  isCheck,
  isFill,
  isMove,
  isPointer,
  isRoot,
  pointer,
  rootedValue,
  usesFrameAsExpected,
  withoutEntry,
} from "./frame.js";
import { localsWithSlot, neededRoots } from "./needed-roots.js";
import { routinesOf } from "./routines.js";

const enter = "~stack_enter";
const leave = "~stack_leave";
const exit = "~stack_exit";

/** @param {any} module as asc hands it to `afterCompile` */
export function trimShadowStack(module) {
  // Only the incremental runtime has a shadow stack.
  if (!module.getFunction(check)) return;
  const routines = routinesOf(module);
  addEnter(module);
  addLeave(module);
  const isQuiet = (/** @type {string} */ name) =>
    name === check || routines.get(name)?.mayCollect === false;
  for (const [name, routine] of routines) {
    if (name === check || !routine.isKnown) continue;
    const isExpected = usesFrameAsExpected(routine.body);
    const frame = isExpected ? withoutEntry(routine.body) : null;
    const held = new Set(routine.rooted);
    if (frame !== null) for (const local of localsWithSlot(frame.rest)) held.add(local);
    dropOperandRoots(module, routine.body, { isQuiet, held });
    if (!routine.mayCollect && isExpected) dropFrame(module, routine.body);
    else if (frame !== null) thinFrame(module, routine, frame, isQuiet);
  }
  // Inlined, it would be most of what a small function consists of.
  for (const name of [enter, leave, check]) {
    binaryen.setPassArgument("no-inline", name);
    module.runPasses(["no-inline"]);
  }
}

/**
 * A function that makes a frame: moves the pointer down, checks the limit, and clears the frame, since
 * the collector reads all of it.
 *
 * @param {any} module
 */
function addEnter(module) {
  const { i32 } = module;
  const size = () => module.local.get(0, binaryen.i32);
  const at = () => module.global.get(pointer, binaryen.i32);
  const clear = module.block(null, [
    module.local.set(0, i32.sub(size(), i32.const(4))),
    i32.store(0, 4, i32.add(at(), size()), i32.const(0)),
    module.br("next", size()),
  ]);
  const body = module.block(null, [
    module.global.set(pointer, i32.sub(at(), size())),
    module.call(check, [], binaryen.none),
    module.loop("next", clear),
  ]);
  module.addFunction(enter, binaryen.i32, binaryen.none, [], body);
}

/** @param {any} module */
function addLeave(module) {
  const { i32, global } = module;
  const size = module.local.get(0, binaryen.i32);
  const body = global.set(pointer, i32.add(global.get(pointer, binaryen.i32), size));
  module.addFunction(leave, binaryen.i32, binaryen.none, [], body);
}

/** @param {any} module @param {number} expression */
function dropFrame(module, expression) {
  eachPart(expression, (part) => {
    if (isMove(part) || isFill(part) || isCheck(part)) return module.nop();
    dropFrame(module, part);
    return isRoot(part) ? module.drop(binaryen.Store.getValue(part)) : undefined;
  });
}

/**
 * Drops the roots that no collection sees, and the frame when none is left; closes the gaps, shares the entry and
 * leaves by one exit otherwise.
 *
 * @param {any} module
 * @param {import("./routines.js").Routine} routine
 * @param {{ size: number, rest: number[] }} frame
 * @param {(name: string) => boolean} isQuiet
 */
function thinFrame(module, { reference, body }, { size, rest }, isQuiet) {
  const inner = module.block(null, rest, binaryen.getExpressionType(body));
  const moves = movesIn(inner);
  if (!moves.every((move) => movedUpBy(move) === size)) return;
  const needed = neededRoots(inner, isQuiet);
  if (needed.size === 0) {
    dropFrame(module, body);
    return;
  }
  dropIdleRoots(module, inner, needed);
  const used = new Set([...needed].map((root) => binaryen.Store.getOffset(root)));
  const offsets = [...used].sort((a, b) => a - b);
  for (const root of needed) {
    binaryen.Store.setOffset(root, 4 * offsets.indexOf(binaryen.Store.getOffset(root)));
  }
  const now = module.i32.const(4 * offsets.length);
  const entry = module.call(enter, [now], binaryen.none);
  binaryen.Function.setBody(
    reference,
    module.block(
      null,
      [entry, ...leftOnce(module, reference, inner, { moves, size: 4 * offsets.length })],
      binaryen.Function.getResults(reference),
    ),
  );
}

/** @param {any} module @param {number} expression @param {Set<number>} needed */
function dropIdleRoots(module, expression, needed) {
  eachPart(expression, (part) => {
    dropIdleRoots(module, part, needed);
    if (!isRoot(part) || needed.has(part)) return undefined;
    return module.drop(binaryen.Store.getValue(part));
  });
}

/** @param {number} expression @returns {number[]} */
function movesIn(expression) {
  if (isMove(expression)) return [expression];
  const moves = [];
  eachPart(expression, (part) => void moves.push(...movesIn(part)));
  return moves;
}

/** The bytes by which an exit gives the frame up; 0 when it is no such exit. @param {number} move */
function movedUpBy(move) {
  const moved = binaryen.GlobalSet.getValue(move);
  if (kindOf(moved) !== binaryen.BinaryId || binaryen.Binary.getOp(moved) !== binaryen.AddInt32)
    return 0;
  const size = binaryen.Binary.getRight(moved);
  const isFromPointer = isPointer(binaryen.Binary.getLeft(moved));
  return isFromPointer && kindOf(size) === binaryen.ConstId ? binaryen.Const.getValueI32(size) : 0;
}

/** @param {any} module @param {number} expression @param {() => number} other */
function replaceMoves(module, expression, other) {
  eachPart(expression, (part) => {
    if (isMove(part)) return other();
    replaceMoves(module, part, other);
    return undefined;
  });
}

/**
 * The function's inside with its frame given up at one place. asc gives it up, and keeps the result in a local
 * meanwhile, before each `return`.
 *
 * @param {any} module
 * @param {number} reference
 * @param {number} inner
 * @param {{ moves: number[], size: number }} frame
 * @returns {number[]}
 */
function leftOnce(module, reference, inner, { moves, size }) {
  const up = () => module.call(leave, [module.i32.const(size)], binaryen.none);
  if (moves.length < 2) {
    replaceMoves(module, inner, up);
    return [inner];
  }
  const type = binaryen.Function.getResults(reference);
  const hasResult = type !== binaryen.none;
  const result = hasResult ? binaryen._BinaryenFunctionAddVar(reference, type) : -1;
  const keep = (value) => module.local.set(result, value);
  const edit = (expression) =>
    void eachPart(expression, (part) => {
      if (isMove(part)) return module.nop();
      edit(part);
      if (kindOf(part) !== binaryen.ReturnId) return undefined;
      const value = binaryen.Return.getValue(part);
      const leave = module.br(exit);
      return hasResult ? module.block(null, [keep(value), leave], binaryen.unreachable) : leave;
    });
  edit(inner);
  const isValue = hasResult && binaryen.getExpressionType(inner) !== binaryen.unreachable;
  const all = [module.block(exit, [isValue ? keep(inner) : inner]), up()];
  return hasResult ? [...all, module.local.get(result, type)] : all;
}

/**
 * An operand is rooted as `(t = value, frame[n] = t, t)`, for the time of the call. That is not needed
 * when nothing can collect meanwhile, when a frame holds the value anyway, or for static data.
 *
 * @param {any} module
 * @param {number} expression
 * @param {{ isQuiet: (name: string) => boolean, held: Set<number> }} known
 *   `held`: locals whose value a frame, this one or a caller's, always holds
 */
function dropOperandRoots(module, expression, known) {
  eachPart(expression, (part) => {
    dropOperandRoots(module, part, known);
    return undefined;
  });
  const kind = kindOf(expression);
  if (kind !== binaryen.CallId && kind !== binaryen.CallIndirectId) return;
  const operands = [];
  eachPart(expression, (operand) => void operands.push(operand));
  let isQuiet = kind === binaryen.CallId && known.isQuiet(binaryen.Call.getTarget(expression));
  /** Locals that operands further to the right set. */
  const later = new Set();
  for (const operand of operands.reverse()) {
    const value = rootedValue(operand);
    const local =
      value !== 0 && kindOf(value) === binaryen.LocalGetId ? binaryen.LocalGet.getIndex(value) : -1;
    const isStatic = value !== 0 && kindOf(value) === binaryen.ConstId;
    const isHeld = isStatic || (known.held.has(local) && !later.has(local));
    if (value !== 0 && (isQuiet || isHeld)) binaryen.Block.setChildAt(operand, 1, module.nop());
    isQuiet &&= staysQuiet(operand, known.isQuiet);
    noteSets(operand, later);
  }
}

/** @param {number} expression @param {Set<number>} locals */
function noteSets(expression, locals) {
  if (kindOf(expression) === binaryen.LocalSetId) {
    locals.add(binaryen.LocalSet.getIndex(expression));
  }
  eachPart(expression, (part) => noteSets(part, locals));
}

/** Whether nothing in it may collect. @param {number} expression @param {(name: string) => boolean} isQuiet */
function staysQuiet(expression, isQuiet) {
  const kind = kindOf(expression);
  if (kind === binaryen.CallIndirectId) return false;
  if (kind === binaryen.CallId && !isQuiet(binaryen.Call.getTarget(expression))) return false;
  let isSilent = true;
  eachPart(expression, (part) => {
    isSilent &&= staysQuiet(part, isQuiet);
    return undefined;
  });
  return isSilent;
}
