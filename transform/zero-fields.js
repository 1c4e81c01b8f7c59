// Takes out of constructors the stores of 0 into fields of the object that was just allocated: the incremental runtime
// hands out zeros. asc writes one for each field that has no other initial value.
import binaryen from "assemblyscript/binaryen";
import { eachPart, kindOf } from "./expressions.js";
import { check, children, rootedValue } from "./frame.js";

const THIS = 0;

/**
 * @typedef {{
 *   isFresh: boolean,
 *   written: Set<string>,
 *   isSetter: (name: string) => boolean,
 *   isBase: (name: string) => boolean,
 *   idle: Set<number>,
 * }} Walk `isFresh`: nobody else can have the object yet; `idle`: the stores to take out
 */

/** @param {any} module */
export function dropZeroFields(module) {
  /** @type {Map<string, { body: number, idle: Set<number>, isPlain: boolean } | null>} */
  const constructors = new Map();
  // Only the incremental runtime, which alone has the check, is known to hand out zeros.
  if (!module.getFunction(check)) return;
  const bases = new Set();
  /** @type {Map<string, Set<string>>} */
  const ahead = new Map();
  const look = (name) => {
    if (constructors.has(name)) return constructors.get(name);
    // A constructor that calls itself: nothing is known of it.
    constructors.set(name, null);
    const reference = module.getFunction(name);
    const body = reference ? binaryen.Function.getBody(reference) : 0;
    if (body === 0 || !name.endsWith("#constructor")) return null;
    const walk = {
      isFresh: true,
      written: new Set(),
      idle: new Set(),
      isSetter: (callee) => isFieldSetter(module, callee),
      isBase: (callee) => {
        const isConstructor = callee.endsWith("#constructor");
        if (isConstructor) bases.add(callee);
        // What a class has written before its base class's constructor runs.
        if (isConstructor) for (const setter of walk.written) note(ahead, setter);
        return look(callee)?.isPlain === true;
      },
    };
    const isPlain = walkBody(body, walk);
    constructors.set(name, { body, idle: walk.idle, isPlain });
    return constructors.get(name);
  };
  for (let index = 0; index < module.getNumFunctions(); index++) {
    look(binaryen.Function.getName(module.getFunctionByIndex(index)));
  }
  for (const [name, found] of constructors) {
    if (found === null) continue;
    // A field that a class declares again may hold something when the base class writes its 0.
    const isAlone = (call) => {
      const setter = binaryen.Call.getTarget(call);
      const writers = ahead.get(fieldOf(setter));
      return !bases.has(name) || !writers || [...writers].every((writer) => writer === setter);
    };
    drop(module, found.body, new Set([...found.idle].filter(isAlone)));
  }
}

/** @param {string} setter */
function fieldOf(setter) {
  return setter.slice(setter.indexOf("#set:"));
}

/** @param {Map<string, Set<string>>} ahead @param {string} setter */
function note(ahead, setter) {
  const field = fieldOf(setter);
  ahead.set(field, (ahead.get(field) ?? new Set()).add(setter));
}

/** Whether it is what asc makes of a field: a store, and a link when the value is an object. @param {any} module @param {string} name */
function isFieldSetter(module, name) {
  const reference = name.includes("#set:") ? module.getFunction(name) : 0;
  const body = reference ? binaryen.Function.getBody(reference) : 0;
  if (body === 0) return false;
  const [store, link, more] = kindOf(body) === binaryen.BlockId ? children(body) : [body];
  if (store === undefined || kindOf(store) !== binaryen.StoreId || more !== undefined) return false;
  const isLink = (call) =>
    kindOf(call) === binaryen.CallId && binaryen.Call.getTarget(call) === "~lib/rt/itcms/__link";
  return isThis(binaryen.Store.getPtr(store)) && (link === undefined || isLink(link));
}

/** Whether the object stayed unknown to others until it was answered. @param {number} body @param {Walk} walk */
function walkBody(body, walk) {
  if (kindOf(body) !== binaryen.BlockId) return false;
  for (const statement of children(body)) {
    const result = resultOf(statement);
    if (result === 0) {
      visit(statement, walk);
      continue;
    }
    // `t = { …; this }`: what follows is but the end of the frame.
    for (const part of children(result).slice(0, -1)) visit(part, walk);
    const wasFresh = walk.isFresh;
    walk.isFresh = false;
    return wasFresh;
  }
  return false;
}

/** @param {number} statement @returns {number} */
function resultOf(statement) {
  const isBlock = kindOf(statement) === binaryen.BlockId;
  const block =
    kindOf(statement) === binaryen.LocalSetId
      ? binaryen.LocalSet.getValue(statement)
      : isBlock
        ? statement
        : 0;
  if (block === 0 || kindOf(block) !== binaryen.BlockId) return 0;
  const last = children(block).at(-1);
  return last !== undefined && isThis(last) ? block : 0;
}

/** @param {number} expression */
function isThis(expression) {
  return (
    kindOf(expression) === binaryen.LocalGetId && binaryen.LocalGet.getIndex(expression) === THIS
  );
}

/** @param {number} expression @param {Walk} walk */
function visit(expression, walk) {
  const kind = kindOf(expression);
  if (isThis(expression)) {
    walk.isFresh = false;
    return;
  }
  // What is written in one round of a loop may be written over in the next.
  if (kind === binaryen.LoopId) walk.isFresh = false;
  if (kind === binaryen.UnaryId && isThis(binaryen.Unary.getValue(expression))) return;
  const own = kind === binaryen.CallId ? ownOperand(expression, walk) : 0;
  eachPart(expression, (part) => {
    if (part !== own) visit(part, walk);
    return undefined;
  });
  if (own !== 0) noteField(expression, walk);
}

/** The operand `this` of a setter or of a base class's constructor; 0 for any other call. @param {number} call @param {Walk} walk */
function ownOperand(call, walk) {
  const target = binaryen.Call.getTarget(call);
  if (binaryen.Call.getNumOperands(call) === 0) return 0;
  const first = binaryen.Call.getOperandAt(call, 0);
  const value = isThis(first) ? first : rootedValue(first);
  if (value === 0 || !isThis(value)) return 0;
  return walk.isSetter(target) || walk.isBase(target) ? first : 0;
}

/** @param {number} call @param {Walk} walk */
function noteField(call, walk) {
  const target = binaryen.Call.getTarget(call);
  if (!walk.isSetter(target)) return;
  const value = binaryen.Call.getOperandAt(call, 1);
  if (walk.isFresh && !walk.written.has(target) && isZero(value)) walk.idle.add(call);
  walk.written.add(target);
}

/** @param {number} value */
function isZero(value) {
  if (kindOf(value) !== binaryen.ConstId) return false;
  const type = binaryen.getExpressionType(value);
  if (type === binaryen.i32) return binaryen.Const.getValueI32(value) === 0;
  return type === binaryen.i64 && BigInt(binaryen.Const.getValueI64(value)) === 0n;
}

/** @param {any} module @param {number} expression @param {Set<number>} idle */
function drop(module, expression, idle) {
  eachPart(expression, (part) => {
    if (idle.has(part)) return module.nop();
    drop(module, part, idle);
    return undefined;
  });
}
