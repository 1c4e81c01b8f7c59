// Takes the look at an object's class out of calls of methods that no class of the module overrides. asc makes it for
// every method that some class overrides, also where that class is not compiled.
import binaryen from "assemblyscript/binaryen";
import { eachPart, kindOf } from "./expressions.js";

/** @param {any} module */
export function dropIdleDispatch(module) {
  for (let index = 0; index < module.getNumFunctions(); index++) {
    const reference = module.getFunctionByIndex(index);
    if (!binaryen.Function.getName(reference).endsWith("@override")) continue;
    const body = binaryen.Function.getBody(reference);
    eachPart(body, (part) => (isIdleLook(part) ? module.nop() : undefined));
  }
}

/** The load of the class, with nothing made of it. @param {number} part */
function isIdleLook(part) {
  return (
    kindOf(part) === binaryen.DropId && kindOf(binaryen.Drop.getValue(part)) === binaryen.LoadId
  );
}
