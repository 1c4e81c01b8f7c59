// The shapes in which asc writes a function's frame on its shadow stack.
import binaryen from "assemblyscript/binaryen";
import { eachPart, kindOf } from "./expressions.js";

export const pointer = "~lib/memory/__stack_pointer";

/** asc's check of the shadow stack's limit: it calls nothing but the abort hook, which ends the VM. */
export const check = "~stack_check";

/** @param {number} expression */
export function isPointer(expression) {
  return (
    kindOf(expression) === binaryen.GlobalGetId &&
    binaryen.GlobalGet.getName(expression) === pointer
  );
}

/** A value put into the frame. @param {number} expression */
export function isRoot(expression) {
  return kindOf(expression) === binaryen.StoreId && isPointer(binaryen.Store.getPtr(expression));
}

/** The frame made or given up. @param {number} expression */
export function isMove(expression) {
  return (
    kindOf(expression) === binaryen.GlobalSetId &&
    binaryen.GlobalSet.getName(expression) === pointer
  );
}

/** @param {number} expression */
export function isFill(expression) {
  return (
    kindOf(expression) === binaryen.MemoryFillId &&
    isPointer(binaryen.MemoryFill.getDest(expression))
  );
}

/** @param {number} expression */
export function isCheck(expression) {
  return kindOf(expression) === binaryen.CallId && binaryen.Call.getTarget(expression) === check;
}

/** Whether the stack pointer occurs only where asc is known to put it. @param {number} expression */
export function usesFrameAsExpected(expression) {
  if (isMove(expression)) return true;
  if (isFill(expression)) return true;
  if (isRoot(expression)) return usesFrameAsExpected(binaryen.Store.getValue(expression));
  if (isPointer(expression)) return false;
  let isExpected = true;
  eachPart(expression, (part) => {
    isExpected &&= usesFrameAsExpected(part);
    return undefined;
  });
  return isExpected;
}

/** @param {number} block @returns {number[]} */
export function children(block) {
  const count = binaryen.Block.getNumChildren(block);
  return Array.from({ length: count }, (_, at) => binaryen.Block.getChildAt(block, at));
}

/**
 * A function's body without its entry `(pointer -= n, check), clear`; null when it begins otherwise.
 *
 * @param {number} body
 * @returns {{ size: number, rest: number[] } | null}
 */
export function withoutEntry(body) {
  if (kindOf(body) !== binaryen.BlockId || binaryen.Block.getName(body)) return null;
  const [opening, ...rest] = children(body);
  const size = opening === undefined ? 0 : frameSize(opening);
  if (size === 0) return null;
  const first = rest.findIndex((child) => !isClearing(child));
  return { size, rest: rest.slice(first < 0 ? rest.length : first) };
}

/** The bytes of the frame that a function's first expression makes; 0 when it makes none. @param {number} opening */
function frameSize(opening) {
  if (kindOf(opening) !== binaryen.BlockId) return 0;
  const [move, call, more] = children(opening);
  if (move === undefined || call === undefined || more !== undefined || !isMove(move)) return 0;
  if (!isCheck(call)) return 0;
  const moved = binaryen.GlobalSet.getValue(move);
  if (kindOf(moved) !== binaryen.BinaryId || binaryen.Binary.getOp(moved) !== binaryen.SubInt32)
    return 0;
  const size = binaryen.Binary.getRight(moved);
  return kindOf(size) === binaryen.ConstId ? binaryen.Const.getValueI32(size) : 0;
}

/** @param {number} expression @returns {boolean} */
function isClearing(expression) {
  if (isFill(expression)) return true;
  if (kindOf(expression) === binaryen.BlockId) {
    const parts = children(expression);
    return parts.length > 0 && parts.every(isClearing);
  }
  return isRoot(expression) && kindOf(binaryen.Store.getValue(expression)) === binaryen.ConstId;
}

/** What an operand roots, as `(t = value, frame[n] = t, t)`; 0 when it roots nothing. @param {number} operand */
export function rootedValue(operand) {
  if (kindOf(operand) !== binaryen.BlockId || binaryen.Block.getNumChildren(operand) !== 3)
    return 0;
  const [set, root, get] = children(operand);
  if (kindOf(set) !== binaryen.LocalSetId || !isRoot(root)) return 0;
  const value = binaryen.Store.getValue(root);
  if (kindOf(get) !== binaryen.LocalGetId || kindOf(value) !== binaryen.LocalGetId) return 0;
  const index = binaryen.LocalSet.getIndex(set);
  const isSame =
    binaryen.LocalGet.getIndex(value) === index && binaryen.LocalGet.getIndex(get) === index;
  return isSame ? binaryen.LocalSet.getValue(set) : 0;
}
