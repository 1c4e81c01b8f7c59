// Reads and edits expressions of a compiled module in place, through asc's own Binaryen.
import binaryen from "assemblyscript/binaryen";

/** Fields of each kind that hold an expression. Kinds that are missing here have none, or asc makes none. */
const fields = new Map([
  [binaryen.IfId, ["If", "Condition", "IfTrue", "IfFalse"]],
  [binaryen.LoopId, ["Loop", "Body"]],
  [binaryen.BreakId, ["Break", "Condition", "Value"]],
  [binaryen.SwitchId, ["Switch", "Condition", "Value"]],
  [binaryen.LocalSetId, ["LocalSet", "Value"]],
  [binaryen.GlobalSetId, ["GlobalSet", "Value"]],
  [binaryen.LoadId, ["Load", "Ptr"]],
  [binaryen.StoreId, ["Store", "Ptr", "Value"]],
  [binaryen.UnaryId, ["Unary", "Value"]],
  [binaryen.BinaryId, ["Binary", "Left", "Right"]],
  [binaryen.SelectId, ["Select", "Condition", "IfTrue", "IfFalse"]],
  [binaryen.DropId, ["Drop", "Value"]],
  [binaryen.ReturnId, ["Return", "Value"]],
  [binaryen.MemoryGrowId, ["MemoryGrow", "Delta"]],
  [binaryen.MemoryCopyId, ["MemoryCopy", "Dest", "Source", "Size"]],
  [binaryen.MemoryFillId, ["MemoryFill", "Dest", "Value", "Size"]],
]);

/** Kinds with a list of expressions. */
const lists = new Map([
  [binaryen.BlockId, ["Block", "NumChildren", "ChildAt"]],
  [binaryen.CallId, ["Call", "NumOperands", "OperandAt"]],
  [binaryen.CallIndirectId, ["CallIndirect", "NumOperands", "OperandAt"]],
]);

const leaves = new Set([
  binaryen.LocalGetId,
  binaryen.GlobalGetId,
  binaryen.ConstId,
  binaryen.NopId,
  binaryen.UnreachableId,
  binaryen.MemorySizeId,
  binaryen.RefFuncId,
  binaryen.RefNullId,
]);

export const kindOf = binaryen.getExpressionId;

/**
 * Calls `visit` for an expression's parts, one level deep. What it answers takes the part's place;
 * undefined leaves it.
 *
 * @param {number} expression
 * @param {(part: number) => number | undefined} visit
 * @returns {boolean} false for a kind this file does not know: its parts were not seen
 */
export function eachPart(expression, visit) {
  const kind = kindOf(expression);
  const list = lists.get(kind);
  if (list !== undefined) {
    const [name, count, at] = list;
    const of = binaryen[name];
    for (let i = 0; i < of[`get${count}`](expression); i++) {
      const other = visit(of[`get${at}`](expression, i));
      if (other !== undefined) of[`set${at}`](expression, i, other);
    }
    if (kind === binaryen.CallIndirectId) visit(of.getTarget(expression));
    return true;
  }
  const [name, ...names] = fields.get(kind) ?? [];
  if (name === undefined) return leaves.has(kind);
  const of = binaryen[name];
  for (const field of names) {
    const part = of[`get${field}`](expression);
    if (part === 0) continue;
    const other = visit(part);
    if (other !== undefined) of[`set${field}`](expression, other);
  }
  return true;
}
