// Which parameters of a compiled module's functions are kept alive by their callers.
//
// asc puts a reference that it hands over into the caller's frame, but only where the parameter's type is one of the
// collector's. An object that travels as a number (`usize`) is in no frame. So every place that calls a function is
// looked at: a parameter is held when each of them hands over a value that stands in a frame, static data, or a
// parameter that is held itself.
import binaryen from "assemblyscript/binaryen";
import { eachPart, kindOf } from "./expressions.js";
import { rootedValue } from "./frame.js";

/**
 * @typedef {import("./routines.js").Routine} Routine
 * @typedef {{ to: string, from: Routine, operands: number[] }} Site a call; `to` is a function or, through the table, a type
 */

/**
 * Leaves in each routine's `rooted` only the parameters that are held.
 *
 * @param {any} module
 * @param {Map<string, Routine>} routines
 */
export function keepHeldParameters(module, routines) {
  const known = [...routines.values()].filter(({ body }) => body !== 0);
  if (known.some(({ isKnown }) => !isKnown)) {
    // A part of the code that could not be read may call anything.
    for (const routine of known) routine.rooted.clear();
    return;
  }
  const table = namesInTable(module);
  /** @type {Map<string, Routine[]>} */
  const targets = new Map();
  for (const [name, routine] of routines) {
    targets.set(name, [routine]);
    if (!table.has(name)) continue;
    const type = typeKey(binaryen.getFunctionInfo(routine.reference).params);
    targets.set(type, [...(targets.get(type) ?? []), routine]);
  }
  const sites = known.flatMap((routine) => sitesIn(routine.body, routine));
  for (let shrank = true; shrank;) {
    shrank = false;
    for (const { to, from, operands } of sites) {
      for (const routine of targets.get(to) ?? []) {
        operands.forEach((operand, index) => {
          if (!isHeld(operand, from) && routine.rooted.delete(index)) shrank = true;
        });
      }
    }
  }
}

/** @param {number} operand @param {Routine} from */
function isHeld(operand, from) {
  if (rootedValue(operand) !== 0 || kindOf(operand) === binaryen.ConstId) return true;
  return (
    kindOf(operand) === binaryen.LocalGetId && from.rooted.has(binaryen.LocalGet.getIndex(operand))
  );
}

/** @param {number} expression @param {Routine} from @returns {Site[]} */
function sitesIn(expression, from) {
  const sites = [];
  const operands = [];
  eachPart(expression, (part) => {
    operands.push(part);
    sites.push(...sitesIn(part, from));
    return undefined;
  });
  const kind = kindOf(expression);
  if (kind === binaryen.CallId) {
    sites.push({ to: binaryen.Call.getTarget(expression), from, operands });
  } else if (kind === binaryen.CallIndirectId) {
    const count = binaryen.CallIndirect.getNumOperands(expression);
    const to = typeKey(binaryen.CallIndirect.getParams(expression));
    sites.push({ to, from, operands: operands.slice(0, count) });
  }
  return sites;
}

/** No function's name begins so. @param {number} params */
function typeKey(params) {
  return `type ${binaryen.expandType(params).join()}`;
}

/** @param {any} module @returns {Set<string>} */
function namesInTable(module) {
  const names = new Set();
  for (let index = 0; index < module.getNumElementSegments(); index++) {
    const segment = module.getElementSegmentByIndex(index);
    for (const name of binaryen.getElementSegmentInfo(segment).data) names.add(name);
  }
  return names;
}
