// Takes out of the functions that show the collector the globals and the fields of objects what it need not be shown:
// texts and functions in static data, which are never freed and refer to nothing. Of the rest it takes out the test for
// null, since `__visit` makes it, too.
import binaryen from "assemblyscript/binaryen";
import { eachPart, kindOf } from "./expressions.js";
import { segmentsOf } from "./segments.js";

const visit = "~lib/rt/itcms/__visit";

const globals = "~lib/rt/__visit_globals";
/** The ids asc gives to ArrayBuffer and String. */
const TEXTS = [1, 2];

/** @param {any} module */
export function thinVisitOfGlobals(module) {
  const reference = module.getFunction(globals);
  if (!reference || !module.getFunction(visit)) return;
  const segments = segmentsOf(module);
  const isText = (address) => {
    const segment = segments.find(
      ({ offset, data }) => offset + 8 <= address && address < offset + data.length,
    );
    // The object's header, which ends with its class and its size, stands in front of it.
    return (
      segment !== undefined && TEXTS.includes(wordAt(segment.data, address - 8 - segment.offset))
    );
  };
  dropIn(module, binaryen.Function.getBody(reference), isText);
}

/**
 * asc keeps every function that a field can refer to as an object in static data.
 *
 * @param {any} module
 * @param {any} program
 */
export function thinVisitOfMembers(module, program) {
  for (const owner of program.managedClasses.values()) {
    const offsets = functionFieldsOf(owner).map(({ memoryOffset }) => memoryOffset);
    const reference = module.getFunction(`${owner.internalName}~visit`);
    if (offsets.length === 0 || !reference) continue;
    const isIdle = (/** @type {number} */ call) => {
      if (kindOf(call) !== binaryen.CallId || binaryen.Call.getTarget(call) !== visit) return false;
      const load = binaryen.Call.getOperandAt(call, 0);
      return kindOf(load) === binaryen.LoadId && offsets.includes(binaryen.Load.getOffset(load));
    };
    const body = binaryen.Function.getBody(reference);
    if (isIdle(body)) binaryen.Function.setBody(reference, module.nop());
    else eachPart(body, (part) => (isIdle(part) ? module.nop() : undefined));
  }
}

/** Fields of a function's type that the class itself declares. @param {any} owner @returns {any[]} */
function functionFieldsOf(owner) {
  return [...(owner.members?.values() ?? [])]
    .map((member) => member.instance)
    .filter(
      (field) =>
        field?.isField === true &&
        field.getBoundClassOrInterface() === owner &&
        field.type.signatureReference !== null,
    );
}

/** @param {Uint8Array} data @param {number} at */
function wordAt(data, at) {
  return new DataView(data.buffer, data.byteOffset).getUint32(at, true);
}

/** @param {any} module @param {number} expression @param {(address: number) => boolean} isText */
function dropIn(module, expression, isText) {
  eachPart(expression, (part) => {
    const call = unguarded(module, part) ?? part;
    if (kindOf(call) === binaryen.CallId) {
      const address = constantOf(module, binaryen.Call.getOperandAt(call, 0));
      return address !== 0 && isText(address) ? module.nop() : call;
    }
    dropIn(module, part, isText);
    return undefined;
  });
}

/** The address an expression always has; 0 when that is not known. @param {any} module @param {number} expression */
function constantOf(module, expression) {
  if (kindOf(expression) === binaryen.ConstId) return binaryen.Const.getValueI32(expression);
  if (kindOf(expression) !== binaryen.GlobalGetId) return 0;
  const global = module.getGlobal(binaryen.GlobalGet.getName(expression));
  const { mutable, init } = binaryen.getGlobalInfo(global);
  return !mutable && init ? constantOf(module, init) : 0;
}

/**
 * `if (t = reference) __visit(t, cookie)` as `__visit(reference, cookie)`.
 *
 * @param {any} module
 * @param {number} expression
 */
function unguarded(module, expression) {
  if (kindOf(expression) !== binaryen.IfId || binaryen.If.getIfFalse(expression)) return undefined;
  const tested = binaryen.If.getCondition(expression);
  const call = binaryen.If.getIfTrue(expression);
  if (kindOf(tested) !== binaryen.LocalSetId || kindOf(call) !== binaryen.CallId) return undefined;
  if (binaryen.Call.getTarget(call) !== visit) return undefined;
  const [seen, cookie] = [0, 1].map((at) => binaryen.Call.getOperandAt(call, at));
  const isSame =
    kindOf(seen) === binaryen.LocalGetId &&
    kindOf(cookie) === binaryen.LocalGetId &&
    binaryen.LocalGet.getIndex(seen) === binaryen.LocalSet.getIndex(tested);
  if (!isSame) return undefined;
  return module.call(visit, [binaryen.LocalSet.getValue(tested), cookie], binaryen.none);
}
