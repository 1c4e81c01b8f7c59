// Which of the values in a function's frame the collector could ever look at.
import binaryen from "assemblyscript/binaryen";
import { eachPart, kindOf } from "./expressions.js";
import { isRoot } from "./frame.js";

const ALL = -1n;

/** @param {number} root */
export function slotOf(root) {
  return BigInt(binaryen.Store.getOffset(root) >> 2);
}

/**
 * The stores into the frame that a collection may see: those from which a call that may collect can be reached before
 * the slot is written again. Found backwards, with one bit a slot. What the value is used for does not matter, so an
 * address that was taken from it is as safe as it was.
 *
 * @param {number} body
 * @param {(name: string) => boolean} isQuiet
 * @returns {Set<number>}
 */
export function neededRoots(body, isQuiet) {
  const needed = new Set();
  /** @type {Map<string, bigint>} */
  const labels = new Map();
  /** @param {number} expression @param {bigint} after @returns {bigint} */
  const before = (expression, after) => {
    switch (kindOf(expression)) {
      case binaryen.UnreachableId:
        return 0n;
      case binaryen.ReturnId:
        return parts(expression, 0n);
      case binaryen.BlockId:
        labels.set(binaryen.Block.getName(expression), after);
        return parts(expression, after);
      case binaryen.LoopId:
        return loop(expression, after);
      case binaryen.IfId: {
        const [otherwise, then] = [
          binaryen.If.getIfFalse(expression),
          binaryen.If.getIfTrue(expression),
        ];
        const either = before(then, after) | (otherwise ? before(otherwise, after) : after);
        return before(binaryen.If.getCondition(expression), either);
      }
      case binaryen.BreakId: {
        const condition = binaryen.Break.getCondition(expression);
        const value = binaryen.Break.getValue(expression);
        let state = labels.get(binaryen.Break.getName(expression)) ?? ALL;
        if (condition) state = before(condition, state | after);
        return value ? before(value, state) : state;
      }
      case binaryen.SwitchId: {
        const names = [
          binaryen.Switch.getDefaultName(expression),
          ...binaryen.Switch.getNames(expression),
        ];
        const state = names.reduce((sum, name) => sum | (labels.get(name) ?? ALL), 0n);
        const value = binaryen.Switch.getValue(expression);
        const chosen = before(binaryen.Switch.getCondition(expression), state);
        return value ? before(value, chosen) : chosen;
      }
      case binaryen.CallId:
        return parts(expression, isQuiet(binaryen.Call.getTarget(expression)) ? after : ALL);
      case binaryen.CallIndirectId:
        return parts(expression, ALL);
      case binaryen.StoreId:
        return isRoot(expression) ? root(expression, after) : parts(expression, after);
      default:
        return parts(expression, after);
    }
  };
  const root = (expression, after) => {
    const bit = 1n << slotOf(expression);
    if ((after & bit) !== 0n) needed.add(expression);
    return before(binaryen.Store.getValue(expression), after & ~bit);
  };
  const loop = (expression, after) => {
    const name = binaryen.Loop.getName(expression);
    for (let state = 0n; ;) {
      labels.set(name, state);
      const found = parts(expression, after) | state;
      if (found === state) return state;
      state = found;
    }
  };
  const parts = (expression, after) =>
    partsOf(expression).reduceRight((state, part) => before(part, state), after);
  before(body, 0n);
  return needed;
}

/** In the order in which they are evaluated. @param {number} expression @returns {number[]} */
function partsOf(expression) {
  const parts = [];
  eachPart(expression, (part) => void parts.push(part));
  // A select's condition comes last.
  if (kindOf(expression) === binaryen.SelectId) parts.push(parts.shift());
  return parts;
}

/**
 * Locals with a slot of their own: each value such a local is given goes at once into that slot, and nothing else does.
 * So the slot holds the local's value whenever it is read. Static data needs no slot.
 *
 * @param {number[]} expressions a function without its entry
 * @returns {Set<number>}
 */
export function localsWithSlot(expressions) {
  /** @type {Map<number, bigint | null>} */
  const slots = new Map();
  /** @type {Map<bigint, number | null>} */
  const owners = new Map();
  const visit = (expression) => {
    let own = 0;
    if (isRoot(expression)) {
      const value = binaryen.Store.getValue(expression);
      const slot = slotOf(expression);
      const isHome = kindOf(value) === binaryen.LocalSetId;
      const local = isHome ? binaryen.LocalSet.getIndex(value) : null;
      owners.set(slot, owners.has(slot) && owners.get(slot) !== local ? null : local);
      if (isHome) {
        own = value;
        const index = binaryen.LocalSet.getIndex(value);
        slots.set(index, slots.has(index) && slots.get(index) !== slot ? null : slot);
      }
    } else if (kindOf(expression) === binaryen.LocalSetId) {
      const isStatic = kindOf(binaryen.LocalSet.getValue(expression)) === binaryen.ConstId;
      if (!isStatic) slots.set(binaryen.LocalSet.getIndex(expression), null);
    }
    eachPart(expression, (part) => {
      if (part === own) eachPart(part, (inner) => void visit(inner));
      else if (!(isRoot(expression) && part === binaryen.Store.getPtr(expression))) visit(part);
      return undefined;
    });
  };
  for (const expression of expressions) visit(expression);
  return new Set(
    [...slots]
      .filter(([local, slot]) => slot !== null && owners.get(slot) === local)
      .map(([local]) => local),
  );
}
